/*
 * sync: dependencies of the target agree with those of the source, carried over by cross-attention.
 *
 * Deguchi, Tamura and Ninomiya 2021, Synchronous syntactic attention for Transformer NMT, section 3.2: a loss
 * of training alone, op_synchrony(), over the weights of the heads that dbsa has made, which must stand
 * before, and the cross-attention of one layer, the last but one if not said otherwise.  Summed over the
 * sentence, it counts for each target symbol (norm=token), sentence or cell (methods A-S6).
 */
#include <stdio.h>

#include "attention/attention.h"
#include "base/cli.h"
#include "data/batch.h"
#include "data/means.h"
#include "ops/ops.h"
#include "tape/tape.h"

enum { NORM_TOKEN, NORM_SENTENCE, NORM_CELL };
static const char *const norms[] = { "token", "sentence", "cell", NULL };
static const char *const maps[] = { "softmax", "renorm", NULL };	/* as in struct synchrony */
static const char *const stops[] = { "none", "mapped", "dec", NULL };

struct state {
	double weight, temperature;
	int64_t layer, head;
	int norm, map, stop;
};

static const struct state defaults = { .weight = 0.5, .temperature = 1 };

static const struct opt options[] = {
	{ .kind = OPT_FLOAT, .long_name = "weight", .arg = "x", .help = "weight of the loss",
	  .at = offsetof(struct state, weight), .min = 0, .max = 1000 },
	{ .kind = OPT_INT, .long_name = "layer", .arg = "layer",
	  .help = "decoder layer whose cross-attention carries over; 0: the last but one",
	  .at = offsetof(struct state, layer), .min = 0, .max = 64 },
	{ .kind = OPT_INT, .long_name = "head", .arg = "n", .help = "its head, from 1; 0: the mean of all",
	  .at = offsetof(struct state, head), .min = 0, .max = 256 },
	{ .kind = OPT_CHOICE, .long_name = "norm", .arg = "word", .help = "the loss is a mean over each: token, sentence, cell",
	  .at = offsetof(struct state, norm), .choice = norms },
	{ .kind = OPT_CHOICE, .long_name = "map", .arg = "word",
	  .help = "how rows that were carried over become weights: softmax, renorm",
	  .at = offsetof(struct state, map), .choice = maps },
	{ .kind = OPT_FLOAT, .long_name = "temperature", .arg = "x", .help = "of that softmax",
	  .at = offsetof(struct state, temperature), .min = 1e-3, .max = 1000 },
	{ .kind = OPT_CHOICE, .long_name = "stop", .arg = "word",
	  .help = "no gradient into: none, mapped (what was carried over), dec (the target's own)",
	  .at = offsetof(struct state, stop), .choice = stops },
	{ .kind = OPT_END }
};

static int64_t
cross_layer(const struct state *st, const struct site *s)
{
	return st->layer ? st->layer : s->n_layers > 1 ? s->n_layers - 1 : 1;
}

/* Where head number `number`, from 1, of those there were stands now; -1: it was removed. */
static int
find_head(const struct site *s, int64_t number)
{
	for (int h = 0; h < s->heads; h++)
		if (s->head[h] + 1 == number)
			return h;
	return -1;
}

/* Dependencies are dbsa's first head's. */
static int
check_first(const struct site *s, struct err *e)
{
	if (!s->heads || s->head[0] != 0)
		return err_set(e, EXIT_USAGE,
			       "head 1, whose dependencies are carried over, was removed");
	return 0;
}

/* It works at three sites: two have dbsa, one is the cross-attention, where the loss is taken. */
static int
sync_open(struct attention *a, const struct site *s, struct err *e)
{
	const struct state *st = attention_state(a);

	if (s->where != DECODER_CROSS)
		return attention_before(a, "dbsa") ? check_first(s, e) : 1;
	if (!attention_anywhere_before(a, "dbsa", ENCODER_SELF) || !attention_anywhere_before(a, "dbsa", DECODER_SELF))
		return err_set(e, EXIT_USAGE, "dbsa, which makes the dependencies of both sides, must stand before it");
	if (cross_layer(st, s) > s->n_layers)
		return err_set(e, EXIT_USAGE, "layer %lld of %d", (long long)st->layer, s->n_layers);
	if (st->head > s->all_heads)
		return err_set(e, EXIT_USAGE, "head %lld of %d", (long long)st->head, s->all_heads);
	if (s->layer != cross_layer(st, s))
		return 1;
	if (!s->heads || (st->head && find_head(s, st->head) < 0))
		return err_set(e, EXIT_USAGE, "the head that carries over was removed");
	return 0;
}

static double
sync_count(const struct attention *a, const struct batch *b)
{
	const struct state *st = attention_state(a);
	const struct layout *l = &b->tgt.layout;
	double cells = 0;

	for (int i = 0; i < l->n; i++)
		cells += l->len[i] * (l->len[i] + 1.0) / 2;
	return st->norm == NORM_TOKEN ? l->rows : st->norm == NORM_SENTENCE ? l->n : cells;
}

/* The weights at the site where dbsa is. */
static struct node *
dependencies(const struct attention *a, struct tape *t, enum site_where where)
{
	return attention_weights(attention_anywhere_before(a, "dbsa", where), t);
}

static struct node *
synchrony(const struct attention *a, struct tape *t)
{
	const struct state *st = attention_state(a);
	const struct synchrony how = {
		.cross_head = st->head ? find_head(attention_site(a), st->head) : -1,
		.map = (unsigned)st->map, .temperature = (real)st->temperature,
		.stop = (unsigned)st->stop,
	};

	return op_synchrony(t, attention_weights(a, t), dependencies(a, t, ENCODER_SELF),
			    dependencies(a, t, DECODER_SELF), &how);
}

static struct node *
sync_loss(const struct attention *a, struct tape *t, const struct batch *b, real each)
{
	const struct state *st = attention_state(a);

	(void)b;
	if (attention_site(a)->where != DECODER_CROSS || st->weight == 0)
		return NULL;
	return op_scale(t, synchrony(a, t), (real)st->weight * each);
}

static void
sync_report(const struct attention *a, struct tape *t, const struct batch *b, struct means *y)
{
	if (attention_site(a)->where == DECODER_CROSS)
		means_add(y, "dev.synchrony", (double)synchrony(a, t)->x[0], sync_count(a, b));
}

const struct attention_variant attention_sync = {
	.name = "sync",
	.paper = "Deguchi et al. 2021, synchronous syntactic attention; behind dbsa",
	.version = 1,
	.state_size = sizeof(struct state),
	.defaults = &defaults,
	.options = options,
	.open = sync_open,
	.unfused = 1,
	.loss = sync_loss,
	.count = sync_count,
	.report = sync_report,
};
