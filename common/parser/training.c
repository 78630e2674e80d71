/* training: what a parser training makes and frees; see training.h. */
#include "parser/training.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/lock.h"
#include "base/mem.h"
#include "base/set-lines.h"
#include "model-file/checkpoint-engine.h"
#include "model-file/member.h"

void
training_prepare(struct training *t)
{
	const struct parser_settings *s = t->set;
	struct network *n = t->parser.network;

	optimizer_init(&t->optimizer, &n->params, 0.9, s->beta2, s->eps, s->weight_decay);
	t->schedule = (struct schedule){
		.kind = SCHEDULE_LINEAR, .lr = s->lr, .warmup = s->warmup, .total = s->updates,
	};
	gold_bank_init(&t->gold, &t->bank, n);
	gold_bank_init(&t->gold_dev, &t->dev, n);
	sentence_order_init(&t->order, &t->bank);
	t->order_epoch = -1;
	t->parts = part_gradients_new(&t->gold, n, &t->run);
	if (s->keep_best)
		t->best = xcalloc(n->params.total, sizeof(real));
	t->prepared = true;
}

void
training_release(struct training *t)
{
	progress_end(&t->progress);
	part_gradients_free(t->parts);
	if (t->running)
		runtime_close(&t->run);
	if (t->prepared) {
		gold_bank_release(&t->gold);
		gold_bank_release(&t->gold_dev);
		sentence_order_release(&t->order);
		optimizer_release(&t->optimizer);
	}
	parser_release(&t->parser);
	treebank_release(&t->bank);
	treebank_release(&t->dev);
	buf_release(&t->settings);
	free(t->best);
	lock_release(t->lock);
}

/* --- order of batches --- */

void
sentence_order_init(struct sentence_order *o, const struct treebank *b)
{
	memset(o, 0, sizeof(*o));
	o->corpus.n = o->corpus.n_used = b->n;
	o->corpus.pair = xcalloc(b->n + 1, sizeof(*o->corpus.pair));
	o->corpus.used = xcalloc(b->n + 1, sizeof(*o->corpus.used));
	for (size_t i = 0; i < b->n; i++) {
		int n = b->sentence[i].n < UINT16_MAX ? b->sentence[i].n : UINT16_MAX;

		o->corpus.used[i] = (uint32_t)i;
		o->corpus.pair[i].src = o->corpus.pair[i].tgt = (uint16_t)n;
	}
}

void
sentence_order_release(struct sentence_order *o)
{
	free(o->corpus.pair);
	free(o->corpus.used);
	corpus_order_release(&o->order);
}

/*
 * --- checkpoints ---
 *
 * A checkpoint is a parser file with additional members: the moments of Adam, the best parameters
 * so far, the settings that must not change, and the position of the training.  It is replaced
 * atomically.
 */

#define MEMBER_M        "adam/m"
#define MEMBER_V        "adam/v"
#define MEMBER_BEST     "best"
#define MEMBER_SETTINGS "settings"
#define MEMBER_STATE    "train"

#define MANY 1e15
#define AT(field) .at = offsetof(struct training_state, field)

static const struct opt state_options[] = {
	{ .kind = OPT_INT, .long_name = "update", .arg = "n", AT(update), .max = MANY },
	{ .kind = OPT_INT, .long_name = "epoch", .arg = "n", AT(epoch), .max = MANY },
	{ .kind = OPT_INT, .long_name = "batch", .arg = "n", AT(batch), .max = MANY },
	{ .kind = OPT_FLOAT, .long_name = "best", .arg = "x", AT(best), .min = -1, .max = 100 },
	{ .kind = OPT_INT, .long_name = "best_update", .arg = "n", AT(best_update), .max = MANY },
	{ .kind = OPT_END }
};

static void
describe_bank(struct buf *out, const char *name, const struct treebank *b)
{
	buf_printf(out, "set %s %zu sentences, digest %016" PRIx64 "\n", name, b->n,
		   treebank_digest(b));
}

/* One line per key, so that a message names only the keys that differ. */
static void
describe_config(struct buf *out, const struct network_config *c)
{
	struct buf config = { 0 };

	cli_settings_describe(network_options, c, &config);
	for (char *at = config.data, *next; *at; at = next) {
		size_t key = strcspn(at, "="), n = strcspn(at, ",");

		next = at + n + (at[n] == ',');
		buf_printf(out, "set config.%.*s %.*s\n", (int)key, at, (int)(n - key - 1),
			   at + key + 1);
	}
	buf_release(&config);
}

void
training_describe(struct training *t)
{
	const struct parser_settings *s = t->set;
	struct buf *out = &t->settings;

	describe_bank(out, "training-data", &t->bank);
	describe_config(out, &t->config);
	/* --language; checkpoints have its former name. */
	set_line_text(out, "--lang", s->lang ? s->lang : "none");
	set_line_int(out, "--min-count", s->min_count);
	set_line_int(out, "--updates", s->updates);
	set_line_int(out, "--batch-words", s->batch_words);
	set_line_int(out, "--pool", s->pool);
	set_line_float(out, "--lr", s->lr);
	set_line_int(out, "--warmup", s->warmup);
	set_line_float(out, "--beta2", s->beta2);
	set_line_float(out, "--eps", s->eps);
	set_line_float(out, "--clip", s->clip);
	set_line_float(out, "--weight-decay", s->weight_decay);
	set_line_int(out, "--seed", s->seed);
	set_line_text(out, "--backend", t->run.backend.name);
	set_line_text(out, "--precision", precision_names[t->run.precision]);
	set_line_int(out, "--keep-best", s->keep_best);
	if (!s->keep_best)
		return;
	describe_bank(out, "dev-data", &t->dev);
	set_line_int(out, "--validate-every", s->validate_every);
	set_line_int(out, "--projective", s->projective);
}

int
training_save(struct training *t, struct err *e)
{
	const struct params *p = &t->parser.network->params;
	size_t bytes = p->total * sizeof(real);
	struct bundle_out *b;
	struct buf state = { 0 };
	int r;

	if (member_finite_block(MEMBER_M, p, t->optimizer.m, true, EXIT_DIVERGED, e) ||
	    member_finite_block(MEMBER_V, p, t->optimizer.v, true, EXIT_DIVERGED, e))
		return -1;
	t->parser.step = t->state.update;
	b = parser_write(&t->parser, t->set->checkpoint, false, e);
	if (!b)
		return -1;
	cli_settings_describe(state_options, &t->state, &state);
	bundle_out_bytes(b, MEMBER_SETTINGS, "text", t->settings.data, t->settings.n);
	bundle_out_bytes(b, MEMBER_STATE, "text", state.data, state.n);
	bundle_out_bytes(b, MEMBER_M, "bytes", t->optimizer.m, bytes);
	bundle_out_bytes(b, MEMBER_V, "bytes", t->optimizer.v, bytes);
	if (t->best)
		bundle_out_bytes(b, MEMBER_BEST, "bytes", t->best, bytes);
	r = bundle_out_finish(b, e);
	buf_release(&state);
	return r;
}

static int
read_block(struct bundle_in *b, const char *name, const struct params *params, real *out,
	   struct err *e)
{
	size_t bytes, n = params->total;
	char *p = bundle_in_bytes(b, name, &bytes, e);

	if (!p)
		return -1;
	if (bytes == n * sizeof(real))
		memcpy(out, p, bytes);
	free(p);
	if (bytes != n * sizeof(real))
		return err_set(e, EXIT_INPUT, "%s has %zu bytes, expected %zu", name, bytes,
			       n * sizeof(real));
	if (member_finite_block(name, params, out, true, EXIT_INPUT, e))
		return bundle_in_fault(b, BUNDLE_CONTENT, e);
	return 0;
}

static int
read_state(struct training *t, struct bundle_in *b, struct err *e)
{
	struct training_state *s = &t->state;
	size_t n;
	char *text = bundle_in_bytes(b, MEMBER_STATE, &n, e);
	int r;

	if (!text)
		return -1;
	r = cli_settings(state_options, s, text, e);
	free(text);
	if (!r)
		return 0;
	e->status = EXIT_INPUT;
	return err_wrap(e, MEMBER_STATE);
}

static int
read_blocks(struct training *t, struct bundle_in *b, struct err *e)
{
	const struct params *p = &t->parser.network->params;

	training_prepare(t);
	if (read_block(b, MEMBER_M, p, t->optimizer.m, e) ||
	    read_block(b, MEMBER_V, p, t->optimizer.v, e))
		return -1;
	return t->best ? read_block(b, MEMBER_BEST, p, t->best, e) : 0;
}

int
training_resume(struct training *t, struct err *e)
{
	return training_take(t, parser_read(&t->parser, t->set->checkpoint, true, e), e);
}

/* With other settings the file is intact, so the error must not call it damaged. */
int
training_take(struct training *t, struct bundle_in *b, struct err *e)
{
	const char *path = t->set->checkpoint;
	char *settings;
	size_t n;
	int r;

	if (!b)
		return -1;
	if (!bundle_in_is(b, MEMBER_SETTINGS)) {
		bundle_in_drop(b);
		return err_set(e, EXIT_INPUT, "%s: this is a parser, expected a checkpoint", path);
	}
	settings = bundle_in_bytes(b, MEMBER_SETTINGS, &n, e);
	if (settings)
		checkpoint_engine_renew(settings, n);
	if (settings && set_lines_check(&t->settings, settings, n, path, e)) {
		free(settings);
		bundle_in_drop(b);
		return -1;
	}
	free(settings);
	r = settings && !read_state(t, b, e) && !read_blocks(t, b, e) ? 0 : -1;
	return bundle_in_close(b, r, e);
}
