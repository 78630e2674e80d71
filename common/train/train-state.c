/*
 * train-state: the state of a training, as text in its checkpoint.
 *
 * The member "train" has the lines "heed-train 1" and "state KEY=VALUE,...", and a line "set NAME
 * VALUE" for each setting that affects the result.  A training resumes only if these settings are
 * the same.  Settings for stopping, saving and reporting, and the number of threads, may change.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/set-lines.h"
#include "model-file/checkpoint-engine.h"
#include "ops/ops.h"
#include "train/trainer.h"

#define KIND  "heed-train "
#define MAGIC KIND "1\n"
/* Checkpoints of older versions have no lines for these options. */
#define GRADIENTS "--gradients"
#define PARTS     "--part-tokens"
#define INIT      "--init"

/* Integers up to here are also exact as floating-point numbers. */
#define LARGEST 9007199254740992.0
#define STATE_INT(k) \
	{ .kind = OPT_INT, .long_name = #k, .arg = "n", .at = offsetof(struct train_state, k), \
	  .min = 0, .max = LARGEST }
#define STATE_FLOAT(k) \
	{ .kind = OPT_FLOAT, .long_name = #k, .arg = "x", .at = offsetof(struct train_state, k), \
	  .min = -1e300, .max = 1e300 }

const struct opt train_state_options[] = {
	STATE_INT(update), STATE_INT(epoch), STATE_INT(batch), STATE_INT(tokens),
	STATE_INT(validations), STATE_INT(bad), STATE_FLOAT(best), STATE_INT(best_update),
	STATE_INT(lr_bad), STATE_FLOAT(lr_scale), STATE_FLOAT(mean), STATE_FLOAT(lowest),
	STATE_INT(row_updates), STATE_INT(row_target), STATE_INT(row_tokens),
	STATE_FLOAT(row_loss), STATE_FLOAT(row_nll), STATE_FLOAT(row_norm),
	STATE_INT(saves), STATE_INT(output), STATE_INT(since), STATE_INT(path), STATE_INT(own),
	{ .kind = OPT_END }
};

static void
describe_recipe(struct trainer *t)
{
	const struct recipe *r = &t->recipe;

	set_line_text(&t->settings, "--schedule", schedule_names[r->schedule]);
	set_line_float(&t->settings, "--lr", r->lr);
	set_line_float(&t->settings, "--lr-init", r->lr_init);
	set_line_float(&t->settings, "--lr-factor", r->lr_factor);
	set_line_int(&t->settings, "--warmup", r->warmup);
	if (r->schedule == SCHEDULE_LINEAR)
		set_line_int(&t->settings, "--updates", t->schedule.total);
	if (r->schedule == SCHEDULE_PLATEAU) {
		set_line_float(&t->settings, "--lr-shrink", t->set->lr_shrink);
		set_line_int(&t->settings, "--lr-patience", t->set->lr_patience);
	}
	set_line_int(&t->settings, "--smoothing", r->smoothing_variant);
	set_line_float(&t->settings, "--label-smoothing", r->label_smoothing);
	set_line_float(&t->settings, "--beta1", r->adam_beta1);
	set_line_float(&t->settings, "--beta2", r->adam_beta2);
	set_line_float(&t->settings, "--eps", r->adam_eps);
	set_line_float(&t->settings, "--weight-decay", r->weight_decay);
	set_line_float(&t->settings, "--clip", r->clip);
}

static void
describe_data(struct trainer *t)
{
	const struct train_settings *s = t->set;

	buf_printf(&t->settings, "set training-data %zu records, digest %08" PRIx32 "\n",
		   t->corpus.n, t->corpus.digest);
	if (s->dev)
		buf_printf(&t->settings, "set dev-data %zu records, digest %08" PRIx32 "\n",
			   t->dev.n, t->dev.digest);
	else
		set_line_text(&t->settings, "dev-data", "none");
	set_line_int(&t->settings, "--min-count", s->min_count);
	set_line_int(&t->settings, "--max-types", s->max_types);
	set_line_int(&t->settings, "--joint-vocab", s->joint_vocab);
	set_line_int(&t->settings, "--max-length", s->max_length);
	set_line_int(&t->settings, "--batch-tokens", s->batch_tokens);
	set_line_int(&t->settings, "--accumulate", s->accumulate);
	set_line_int(&t->settings, "--pool", s->pool);
	set_line_int(&t->settings, "--curriculum", s->curriculum);
}

void
train_settings_describe(struct trainer *t)
{
	const struct train_settings *s = t->set;
	struct buf arch = { 0 };

	buf_clear(&t->settings);
	set_line_int(&t->settings, "--seed", s->seed);
	if (s->dropout_seed >= 0)
		set_line_int(&t->settings, "--dropout-seed", s->dropout_seed);
	model_config_describe(&t->config, &arch);
	set_line_text(&t->settings, "--arch", arch.data);
	buf_release(&arch);
	set_line_list(&t->settings, "--attention", &t->specs);
	set_line_list(&t->settings, "--freeze", &s->freeze);
	describe_recipe(t);
	set_line_float(&t->settings, "--clamp", s->clamp);
	set_line_float(&t->settings, "--explode", s->explode);
	describe_data(t);
	set_line_text(&t->settings, INIT, t->init);
	set_line_text(&t->settings, GRADIENTS, s->gradients == GRADIENTS_BF16 ? "bf16" : "fp32");
	set_line_int(&t->settings, PARTS, t->part_tokens);
	set_line_text(&t->settings, "--backend", t->run.backend.name);
	set_line_text(&t->settings, "--precision", precision_names[t->recipe.precision]);
	if (!s->dev)
		return;
	set_line_int(&t->settings, "--validate-every", s->validate_every);
	set_line_int(&t->settings, "--stop-on", s->stop_on);
	set_line_int(&t->settings, "--dev-beam", s->dev_beam);
	set_line_int(&t->settings, "--keep-best", s->keep_best);
}

static void
write_values(const struct opt *table, const void *values, struct buf *out)
{
	for (const struct opt *o = table; o->kind != OPT_END; o++) {
		const char *at = (const char *)values + o->at;
		const char *comma = o == table ? "" : ",";

		if (o->kind == OPT_INT)
			buf_printf(out, "%s%s=%" PRId64, comma, o->long_name, *(const int64_t *)at);
		else
			buf_printf(out, "%s%s=%.17g", comma, o->long_name, *(const double *)at);
	}
}

void
train_state_write(const struct trainer *t, struct buf *out)
{
	buf_add_str(out, MAGIC "state ");
	write_values(train_state_options, &t->state, out);
	buf_add_char(out, '\n');
	buf_add(out, t->settings.data, t->settings.n);
}

static int
check_settings(const struct trainer *t, const char *text, size_t n, struct err *e)
{
	struct buf then = { 0 };
	size_t k;
	int r;

	buf_add(&then, text, n);
	checkpoint_engine_renew(then.data, n);
	if (!set_line_find(text, n, GRADIENTS, &k))
		set_line_text(&then, GRADIENTS, "fp32");
	if (!set_line_find(text, n, PARTS, &k))
		set_line_int(&then, PARTS, PART_TOKENS);
	if (!set_line_find(text, n, INIT, &k))
		set_line_text(&then, INIT, t->init);
	r = set_lines_check(&t->settings, then.data, then.n, t->set->checkpoint, e);
	buf_release(&then);
	return r;
}

/*
 * Parts stay as they were unless an option sets them.  A damaged checkpoint may have any number:
 * the check of the settings then refuses it.
 */
static void
keep_part_tokens(struct trainer *t, const char *text, size_t n)
{
	size_t k;
	const char *line = set_line_find(text, n, PARTS, &k);
	char *number = line ? xstrndup(line, k) : NULL;
	const int64_t then = number ? strtoll(number, NULL, 10) : PART_TOKENS;

	if (t->set->part_tokens < 0 && then > 0 && (double)then <= LARGEST)
		t->part_tokens = then;
	free(number);
}

int
train_state_read(struct trainer *t, const char *text, size_t n, struct err *e)
{
	const size_t magic = sizeof(MAGIC) - 1, word = sizeof("state ") - 1;
	const char *end;
	struct buf state = { 0 };
	int r;

	if (n > magic && !memcmp(text, KIND, sizeof(KIND) - 1) && memcmp(text, MAGIC, magic)) {
		err_set(e, EXIT_INPUT, "%s: training state of another version, expected 1",
			t->set->checkpoint);
		err_hint(e, "resume it with the version that wrote it, see nmt-info(1)");
		return -1;
	}
	if (n < magic + word || memcmp(text, MAGIC "state ", magic + word) ||
	    !(end = memchr(text + magic, '\n', n - magic)))
		return err_set(e, EXIT_INPUT, "%s: malformed member train, expected 'heed-train 1'",
			       t->set->checkpoint);
	end++;
	keep_part_tokens(t, end, (size_t)(text + n - end));
	train_settings_describe(t);
	if (check_settings(t, end, (size_t)(text + n - end), e))
		return -1;
	buf_add(&state, text + magic + word, (size_t)(end - 1 - text) - magic - word);
	r = cli_settings(train_state_options, &t->state, state.data, e);
	buf_release(&state);
	if (!r)
		return 0;
	e->status = EXIT_INPUT;
	return err_wrap(e, "%s: member train", t->set->checkpoint);
}
