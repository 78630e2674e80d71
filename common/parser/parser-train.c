/* parser-train: see parser-train.h. */
#include "parser/parser-train.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/progress.h"
#include "base/signals.h"
#include "model/optimizer.h"
#include "model/runtime.h"
#include "model/schedule.h"
#include "parser/accuracy.h"
#include "parser/gold.h"
#include "parser/order.h"
#include "parser/parser-file.h"
#include "parser/parts.h"

const struct parser_settings parser_defaults = {
	.precision = PRECISION_FP32,
	.updates = 6000, .batch_words = 1500, .pool = 50, .warmup = 200, .validate_every = 500, .min_count = 2,
	.seed = 1, .lr = 0.001, .beta2 = 0.98, .eps = 1e-9, .clip = 5,
};

/* Where a training is: all that its future depends on but for parameters and moments. */
struct state {
	int64_t update, epoch, batch;
	double best;
	int64_t best_update;
};

static const struct opt state_options[] = {
#define AT(field) .at = offsetof(struct state, field)
	{ .kind = OPT_INT, .long_name = "update", .arg = "n", AT(update), .max = 1e15 },
	{ .kind = OPT_INT, .long_name = "epoch", .arg = "n", AT(epoch), .max = 1e15 },
	{ .kind = OPT_INT, .long_name = "batch", .arg = "n", AT(batch), .max = 1e15 },
	{ .kind = OPT_FLOAT, .long_name = "best", .arg = "x", AT(best), .min = -1, .max = 100 },
	{ .kind = OPT_INT, .long_name = "best_update", .arg = "n", AT(best_update), .max = 1e15 },
	{ .kind = OPT_END }
};

struct training {
	const struct parser_settings *set;
	struct treebank bank, dev;
	struct parser parser;
	struct gold_bank gold, gold_dev;
	struct sentence_order order;
	int64_t order_epoch;		/* which is in order; -1: none */
	struct optimizer optimizer;
	struct schedule schedule;
	struct runtime run;
	bool running;
	struct parts *parts;
	real *best;			/* parameters at state.best_update, with keep_best */
	struct buf settings;		/* what must agree on resuming */
	struct state state;
	struct progress progress;
	double loss;			/* of the words since the last validation */
	int64_t words;
};

#define MEMBER_SETTINGS "settings"
#define MEMBER_STATE    "train"

static void
describe(struct training *t)
{
	const struct parser_settings *s = t->set;

	buf_printf(&t->settings, "sentences=%zu words=%lld updates=%lld batch-words=%lld pool=%lld lr=%.17g warmup=%lld "
		   "beta2=%.17g eps=%.17g clip=%.17g weight-decay=%.17g seed=%lld keep-best=%d\n",
		   t->bank.n, (long long)t->bank.words, (long long)s->updates, (long long)s->batch_words,
		   (long long)s->pool, s->lr, (long long)s->warmup, s->beta2, s->eps, s->clip, s->weight_decay,
		   (long long)s->seed, s->keep_best);
}

/* Frequent forms, by how often they occur. */
static void
choose_words(const struct treebank *b, int64_t min_count, struct vocab *v)
{
	int64_t *count = xcalloc(b->form.n + 1, sizeof(*count));

	for (size_t i = 0; i < b->n; i++)
		for (int k = 0; k < b->sentence[i].n; k++)
			count[b->sentence[i].form[k]]++;
	vocab_from_counts(v, &b->form, count, min_count, 0);
	free(count);
}

static void
copy_labels(struct strmap *to, const struct strmap *from)
{
	strmap_init(to);
	for (int i = 0; i < (int)from->n; i++) {
		size_t k;
		const char *s = strmap_text(from, i, &k);

		strmap_add(to, s, k);
	}
}

static int
make_network(struct training *t, struct err *e)
{
	struct network_config config = network_defaults;
	struct strmap labels[LABEL_SETS];
	struct vocab words;

	for (size_t i = 0; i < t->set->config.n; i++)
		if (cli_settings(network_options, &config, t->set->config.v[i], e))
			return err_wrap(e, "--config");
	if (network_config_check(&config, e))
		return -1;
	choose_words(&t->bank, t->set->min_count, &words);
	copy_labels(&labels[LABEL_UPOS], &t->bank.upos);
	copy_labels(&labels[LABEL_XPOS], &t->bank.xpos);
	copy_labels(&labels[LABEL_REL], &t->bank.rel);
	copy_labels(&labels[LABEL_SPAN], &t->bank.label);
	t->parser.network = network_new(&config, &words, labels, e);
	if (!t->parser.network)
		return -1;
	params_allocate(&t->parser.network->params, true);
	params_randomize(&t->parser.network->params, (uint64_t)t->set->seed);
	t->parser.lang = xstrdup(t->set->lang ? t->set->lang : "");
	t->parser.pg = cli_no_pg ? xstrdup("") : xasprintf("parse-train %s %s", cli_version(), cli_args());
	return 0;
}

static int
read_block(struct bundle_in *b, const char *name, real *to, size_t n, struct err *e)
{
	size_t bytes;
	char *p = bundle_in_bytes(b, name, &bytes, e);

	if (!p)
		return -1;
	if (bytes == n * sizeof(real))
		memcpy(to, p, bytes);
	free(p);
	return bytes == n * sizeof(real) ? 0 : err_set(e, EXIT_INPUT, "%s has %zu bytes, expected %zu", name, bytes,
						       n * sizeof(real));
}

static int
read_state(struct training *t, struct bundle_in *b, struct err *e)
{
	size_t n;
	char *text = bundle_in_bytes(b, MEMBER_SETTINGS, &n, e);
	int r = -1;

	if (text && strcmp(text, t->settings.data)) {
		err_set(e, EXIT_USAGE, "it was written by a training with other settings or data: %.*s",
			(int)strcspn(text, "\n"), text);
		err_hint(e, "remove %s to begin again", t->set->checkpoint);
	} else if (text)
		r = 0;
	free(text);
	text = r ? NULL : bundle_in_bytes(b, MEMBER_STATE, &n, e);
	if (text)
		r = cli_settings(state_options, &t->state, text, e);
	else
		r = -1;
	free(text);
	return r;
}

static void
prepare(struct training *t)
{
	const struct parser_settings *s = t->set;
	struct network *n = t->parser.network;

	optimizer_init(&t->optimizer, &n->params, 0.9, s->beta2, s->eps, s->weight_decay);
	t->schedule = (struct schedule){
		.kind = SCHEDULE_LINEAR, .lr = s->lr, .warmup = s->warmup, .total = s->updates, .width = n->config.width,
	};
	gold_bank_init(&t->gold, &t->bank, n);
	gold_bank_init(&t->gold_dev, &t->dev, n);
	sentence_order_init(&t->order, &t->bank);
	t->order_epoch = -1;
	t->parts = parts_new(&t->gold, n, &t->run);
	if (s->keep_best)
		t->best = xcalloc(n->params.total, sizeof(real));
}

static int
resume(struct training *t, struct err *e)
{
	struct bundle_in *b = parser_read(&t->parser, t->set->checkpoint, true, e);
	size_t n;
	int r;

	if (!b)
		return -1;
	prepare(t);
	n = t->parser.network->params.total;
	r = read_block(b, "adam/m", t->optimizer.m, n, e) || read_block(b, "adam/v", t->optimizer.v, n, e) ||
	    (t->best && read_block(b, "best", t->best, n, e)) || read_state(t, b, e) ? -1 : 0;
	return bundle_in_close(b, r, e);
}

static int
save_checkpoint(struct training *t, struct err *e)
{
	struct bundle_out *b;
	struct buf state;
	size_t bytes = t->parser.network->params.total * sizeof(real);
	int r;

	t->parser.step = t->state.update;
	b = parser_write(&t->parser, t->set->checkpoint, false, e);
	if (!b)
		return -1;
	buf_init(&state);
	cli_settings_describe(state_options, &t->state, &state);
	bundle_out_bytes(b, "adam/m", "bytes", t->optimizer.m, bytes);
	bundle_out_bytes(b, "adam/v", "bytes", t->optimizer.v, bytes);
	if (t->best)
		bundle_out_bytes(b, "best", "bytes", t->best, bytes);
	bundle_out_bytes(b, MEMBER_SETTINGS, "text", t->settings.data, t->settings.n);
	bundle_out_bytes(b, MEMBER_STATE, "text", state.data, state.n);
	r = bundle_out_finish(b, e);
	buf_release(&state);
	return r;
}

static int
save_output(struct training *t, struct err *e)
{
	struct params *p = &t->parser.network->params;
	struct bundle_out *b;

	t->parser.step = t->state.update;
	if (t->best && t->state.best_update) {
		memcpy(p->x, t->best, p->total * sizeof(real));
		t->parser.step = t->state.best_update;
	}
	b = parser_write(&t->parser, t->set->output, t->set->i8, e);
	return b ? bundle_out_finish(b, e) : -1;
}

static int
validate(struct training *t, struct err *e)
{
	const struct decode_settings how = { .projective = t->set->projective, .arcs = true, .spans = true };
	struct accuracy a;
	double score;

	(void)e;
	if (!t->dev.n)
		return 0;
	accuracy_measure(&a, &t->gold_dev, t->parser.network, &t->run, &how, t->set->batch_words);
	score = accuracy_score(&a);
	if (!t->set->quiet)
		fprintf(stderr, "update %lld, epoch %lld, loss %.4f: dev upos %.2f, xpos %.2f, uas %.2f, las %.2f, f1 %.2f%s\n",
			(long long)t->state.update, (long long)t->state.epoch, t->words ? t->loss / (double)t->words : 0,
			a.upos ? 100.0 * (double)a.upos_right / (double)a.upos : 0,
			a.xpos ? 100.0 * (double)a.xpos_right / (double)a.xpos : 0,
			a.arcs ? 100.0 * (double)a.heads / (double)a.arcs : 0,
			a.arcs ? 100.0 * (double)a.labelled / (double)a.arcs : 0, accuracy_f1(&a),
			score > t->state.best ? " (best so far)" : "");
	t->loss = 0;
	t->words = 0;
	if (score > t->state.best) {
		t->state.best = score;
		t->state.best_update = t->state.update;
		if (t->best)
			memcpy(t->best, t->parser.network->params.x, t->parser.network->params.total * sizeof(real));
	}
	return 0;
}

/* The next batch's sentences. */
static size_t
next_batch(struct training *t, const uint32_t **which)
{
	const struct corpus_rules rules = { (uint64_t)t->set->seed, t->set->batch_words, t->set->pool };

	if (t->order_epoch != t->state.epoch) {
		corpus_epoch(&t->order.corpus, &t->order.order, &rules, (uint32_t)t->state.epoch);
		t->order_epoch = t->state.epoch;
	}
	return corpus_order_batch(&t->order.order, (size_t)t->state.batch, which);
}

static int
update(struct training *t, struct err *e)
{
	const struct gold_noise noise = { (uint64_t)t->set->seed, (uint32_t)t->state.epoch };
	const uint32_t *which;
	size_t many = next_batch(t, &which);
	int64_t words;
	double loss, norm, scale;

	loss = parts_gradient(t->parts, which, (int)many, &noise, (uint32_t)t->state.update, &words);
	if (!isfinite(loss))
		return err_set(e, EXIT_DIVERGED, "the loss is %g at update %lld", loss, (long long)t->state.update + 1);
	t->loss += loss;
	t->words += words;
	norm = optimizer_norm(&t->optimizer, t->run.pool);
	scale = t->set->clip > 0 && norm > t->set->clip ? t->set->clip / norm : 1;
	t->state.update++;
	optimizer_step(&t->optimizer, t->run.pool, t->state.update, schedule_rate(&t->schedule, t->state.update), scale);
	if ((size_t)++t->state.batch == t->order.order.n_batches) {
		t->state.batch = 0;
		t->state.epoch++;
	}
	return 0;
}

static int
loop(struct training *t, struct err *e)
{
	const struct parser_settings *s = t->set;
	int number = 0;

	progress_start(&t->progress, "updates", s->updates - t->state.update);
	t->progress.visible &= !s->quiet;
	while (t->state.update < s->updates && !(number = signals_caught())) {
		bool last;

		if (update(t, e))
			return -1;
		last = t->state.update == s->updates;
		if (last || t->state.update % s->validate_every == 0) {
			if (validate(t, e) || (s->checkpoint && save_checkpoint(t, e)))
				return -1;
		}
		progress_at(&t->progress, t->state.update, "epoch %lld", (long long)t->state.epoch);
	}
	progress_end(&t->progress);
	if (number && s->checkpoint && save_checkpoint(t, e))
		return -1;
	return number ? number : save_output(t, e);
}

static int
read_banks(struct training *t, struct err *e)
{
	const struct opt_list none = { 0 };

	for (char **f = t->set->train; *f; f++)
		if (treebank_read(&t->bank, *f, &t->set->leave_out, e))
			return -1;
	for (size_t i = 0; i < t->set->dev.n; i++)
		if (treebank_read(&t->dev, t->set->dev.v[i], &none, e))
			return -1;
	return t->bank.n ? 0 : err_set(e, EXIT_INPUT, "no sentences to learn from");
}

static int
begin(struct training *t, struct err *e)
{
	const struct parser_settings *s = t->set;

	if (read_banks(t, e))
		return -1;
	describe(t);
	if (runtime_open(&t->run, s->backend, s->precision, s->threads, e))
		return -1;
	t->running = true;
	if (s->checkpoint && !access(s->checkpoint, F_OK))
		return resume(t, e);
	if (make_network(t, e))
		return -1;
	prepare(t);
	return 0;
}

static void
end(struct training *t)
{
	parts_free(t->parts);
	if (t->running)
		runtime_close(&t->run);
	if (t->order_epoch) {
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
}

int
parser_train(const struct parser_settings *s, struct err *e)
{
	struct training t = { .set = s, .state.best = -1 };
	int r;

	signals_catch();
	treebank_init(&t.bank);
	treebank_init(&t.dev);
	r = begin(&t, e) ? -1 : loop(&t, e);
	end(&t);
	return r;
}
