/*
 * train-state: where a training is, as text in its checkpoint.
 *
 * The member "train" is lines: "heed-train 1", "state KEY=VALUE,...", then one
 * "set NAME VALUE" for each setting that decides what the numbers are.  A run
 * goes on only if these are the same; what merely says when to stop, save or
 * report, and how many threads help, may change.
 */
#include <inttypes.h>
#include <string.h>

#include "model/trainer.h"
#include "ops/ops.h"

#define MAGIC "heed-train 1\n"

#define STATE_INT(k) { .kind = OPT_INT, .long_name = #k, .arg = "n", .at = offsetof(struct train_state, k), \
	.min = 0, .max = 9007199254740992.0 }
#define STATE_FLOAT(k) { .kind = OPT_FLOAT, .long_name = #k, .arg = "x", .at = offsetof(struct train_state, k), \
	.min = -1e300, .max = 1e300 }

const struct opt train_state_options[] = {
	STATE_INT(update), STATE_INT(epoch), STATE_INT(batch), STATE_INT(tokens),
	STATE_INT(validations), STATE_INT(bad), STATE_FLOAT(best), STATE_INT(best_update),
	STATE_INT(lr_bad), STATE_FLOAT(lr_scale), STATE_FLOAT(mean), STATE_FLOAT(lowest),
	STATE_INT(row_updates), STATE_INT(row_target), STATE_INT(row_tokens),
	STATE_FLOAT(row_loss), STATE_FLOAT(row_nll), STATE_FLOAT(row_norm),
	{ .kind = OPT_END }
};

static void
set_int(struct trainer *t, const char *name, int64_t v)
{
	buf_printf(&t->settings, "set %s %" PRId64 "\n", name, v);
}

/* 17 digits tell any two doubles apart. */
static void
set_float(struct trainer *t, const char *name, double v)
{
	buf_printf(&t->settings, "set %s %.17g\n", name, v);
}

static void
set_list(struct trainer *t, const char *name, const struct opt_list *l)
{
	buf_printf(&t->settings, "set %s ", name);
	for (size_t i = 0; i < l->n; i++)
		buf_printf(&t->settings, "%s%s", i ? " " : "", l->v[i]);
	buf_add_char(&t->settings, '\n');
}

static void
describe_recipe(struct trainer *t)
{
	const struct recipe *r = &t->recipe;

	buf_printf(&t->settings, "set --schedule %s\n", schedule_names[r->schedule]);
	set_float(t, "--lr", r->lr);
	set_float(t, "--lr-init", r->lr_init);
	set_float(t, "--lr-factor", r->lr_factor);
	set_int(t, "--warmup", r->warmup);
	if (r->schedule == SCHEDULE_LINEAR)
		set_int(t, "--updates", t->schedule.total);
	if (r->schedule == SCHEDULE_PLATEAU) {
		set_float(t, "--lr-shrink", t->set->lr_shrink);
		set_int(t, "--lr-patience", t->set->lr_patience);
	}
	set_int(t, "--smoothing", r->smoothing_variant);
	set_float(t, "--label-smoothing", r->label_smoothing);
	set_float(t, "--beta1", r->adam_beta1);
	set_float(t, "--beta2", r->adam_beta2);
	set_float(t, "--eps", r->adam_eps);
	set_float(t, "--weight-decay", r->weight_decay);
	set_float(t, "--clip", r->clip);
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
		buf_add_str(&t->settings, "set dev-data none\n");
	set_int(t, "--min-count", s->min_count);
	set_int(t, "--max-types", s->max_types);
	set_int(t, "--joint-vocab", s->joint_vocab);
	set_int(t, "--max-length", s->max_length);
	set_int(t, "--batch-tokens", s->batch_tokens);
	set_int(t, "--accumulate", s->accumulate);
	set_int(t, "--pool", s->pool);
	set_int(t, "--curriculum", s->curriculum);
}

void
train_settings_describe(struct trainer *t)
{
	const struct train_settings *s = t->set;
	struct buf arch = { 0 };

	buf_clear(&t->settings);
	set_int(t, "--seed", s->seed);
	model_config_describe(&t->config, &arch);
	buf_printf(&t->settings, "set --arch %s\n", arch.data);
	buf_release(&arch);
	set_list(t, "--attention", &t->specs);
	set_list(t, "--freeze", &s->freeze);
	describe_recipe(t);
	set_float(t, "--clamp", s->clamp);
	set_float(t, "--explode", s->explode);
	describe_data(t);
	buf_printf(&t->settings, "set --backend %s\n", t->run.backend.name);
	buf_printf(&t->settings, "set --precision %s\n", precision_names[t->recipe.precision]);
	if (!s->dev)
		return;
	set_int(t, "--validate-every", s->validate_every);
	set_int(t, "--stop-on", s->stop_on);
	set_int(t, "--dev-beam", s->dev_beam);
	set_int(t, "--keep-best", s->keep_best);
}

static void
write_values(const struct opt *table, const void *from, struct buf *out)
{
	for (const struct opt *o = table; o->kind != OPT_END; o++) {
		const char *at = (const char *)from + o->at;
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

/* The line "set NAME VALUE" of that name in [text, text+n), without its line end; NULL if there is none. */
static const char *
find_setting(const char *text, size_t n, const char *line, size_t name, size_t *length)
{
	const char *end = text + n;

	while (text < end) {
		const char *stop = memchr(text, '\n', (size_t)(end - text));
		size_t k = (size_t)((stop ? stop : end) - text);

		if (k >= name && !memcmp(text, line, name)) {
			*length = k;
			return text;
		}
		text += k + 1;
	}
	return NULL;
}

/* Length of "set NAME " at the beginning of a line of n bytes. */
static size_t
name_length(const char *line, size_t n)
{
	const char *blank = n > 4 ? memchr(line + 4, ' ', n - 4) : NULL;

	return blank ? (size_t)(blank - line) + 1 : n;
}

/* Every setting of one text must stand in the other with the same value; adds those that do not to out. */
static void
add_differences(struct buf *out, const struct buf *now, const char *then, size_t n_then)
{
	const char *line = now->data, *end = now->data + now->n;

	while (line < end) {
		size_t n = (size_t)((const char *)memchr(line, '\n', (size_t)(end - line)) - line);
		size_t name = name_length(line, n), k = 0;
		const char *old = find_setting(then, n_then, line, name, &k);

		if (!old || k != n || memcmp(old, line, n)) {
			buf_add(out, "; ", out->n ? 2 : 0);
			buf_printf(out, "%.*s was %.*s, is %.*s", (int)name - 5, line + 4,
				   old ? (int)(k - name) : 7, old ? old + name : "not set",
				   (int)(n - name), line + name);
		}
		line += n + 1;
	}
}

static int
check_settings(const struct trainer *t, const char *text, size_t n, struct err *e)
{
	struct buf differ = { 0 };

	add_differences(&differ, &t->settings, text, n);
	if (!differ.n)
		return 0;
	err_set(e, EXIT_USAGE, "%s was begun with other settings: %s", t->set->checkpoint, differ.data);
	err_hint(e, "give the old settings, or another --checkpoint, or remove that file to begin anew");
	buf_release(&differ);
	return -1;
}

int
train_state_read(struct trainer *t, const char *text, size_t n, struct err *e)
{
	const size_t magic = sizeof(MAGIC) - 1, word = sizeof("state ") - 1;
	const char *end;
	struct buf state = { 0 };
	int r;

	if (n < magic + word || memcmp(text, MAGIC "state ", magic + word) ||
	    !(end = memchr(text + magic, '\n', n - magic)))
		return err_set(e, EXIT_INPUT, "%s: member train is not 'heed-train 1'", t->set->checkpoint);
	end++;
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
