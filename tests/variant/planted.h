/*
 * planted: variants with a defect each, for tests/cli/every-variant.t, which checks that the tests
 * find it; and the example of attention(3).  A name begins with "planted".
 */
#ifndef PLANTED_H
#define PLANTED_H

#include "data/means.h"
#include "setup.h"

extern const struct attention_variant attention_sharp;		/* from man/attention.3 */

/* Attends to future tokens. */
static struct node *
future_scores(const struct attention *a, struct tape *t, const struct att_nodes *n)
{
	const struct site *s = attention_site(a);

	return op_scores(t, n->q, n->k, n->scores->queries, n->scores->keys, s->heads, 0.5, 0);
}

/* Changes values without an op: there is no gradient and no relevance of the change. */
static struct node *
hidden_weights(const struct attention *a, struct tape *t, const struct att_nodes *n)
{
	const struct layout *q = n->weights->queries;

	(void)a;
	(void)t;
	for (ptrdiff_t i = 0; i < n->weights->block[q->n]; i++)
		n->weights->x[i] *= n->weights->x[i];
	return n->weights;
}

/* A loss per batch instead of per target token. */
static struct node *
constant_loss(const struct attention *a, struct tape *t, const struct batch *b, real scale)
{
	static const int one = 1;
	static real x = 3;

	(void)a;
	(void)b;
	(void)scale;
	return op_sum(t, tape_leaf(t, NULL, 1, &one, &x, NULL));
}

/* Knows how many threads there are. */
static struct node *
threads_scores(const struct attention *a, struct tape *t, const struct att_nodes *n)
{
	(void)a;
	return op_scale(t, n->scores, 1 + 0.1 * pool_threads(tape_pass(t)->pool));
}

/* Acts only where a batch is known: not in a step of decoding. */
static struct node *
training_scores(const struct attention *a, struct tape *t, const struct att_nodes *n)
{
	(void)a;
	return n->batch ? op_scale(t, n->scores, 2) : n->scores;
}

/* Depends on the number of heads, so that pruning changes the others. */
static struct node *
heads_scores(const struct attention *a, struct tape *t, const struct att_nodes *n)
{
	return op_scale(t, n->scores, 1 + attention_site(a)->heads);
}

/* One element per head, without a cut. */
static void
uncut_params(struct attention *a, struct params *p)
{
	char *name = xasprintf("%s.planted", attention_site(a)->name);

	params_add(p, name, INIT_ZERO, 1, 1, &attention_site(a)->heads);
	free(name);
}

/* A name that does not begin with that of the site. */
static void
stray_params(struct attention *a, struct params *p)
{
	char *name = xasprintf("planted.%s", attention_site(a)->name);
	const int one = 1;

	params_add(p, name, INIT_ZERO, 1, 1, &one);
	free(name);
}

static void
unknown_report(const struct attention *a, struct tape *t, const struct batch *b, struct means *y)
{
	(void)a;
	(void)t;
	(void)b;
	means_add(y, "dev.planted", 1, 1);
}

/* Reads weights that fused attention does not store. */
static void
fused_report(const struct attention *a, struct tape *t, const struct batch *b, struct means *y)
{
	(void)b;
	means_add(y, "dev.planted", attention_weights(a, t)->x[0], 1);
}

/* For cases that say neutral where they are not, and the reverse. */
static struct node *
doubled_scores(const struct attention *a, struct tape *t, const struct att_nodes *n)
{
	(void)a;
	return op_scale(t, n->scores, 2);
}

static struct node *
same_scores(const struct attention *a, struct tape *t, const struct att_nodes *n)
{
	(void)a;
	return op_scale(t, n->scores, 1);
}

static const struct field no_field[] = { { "src.planted", "i8[n,n]", 1 }, { 0 } };
static const struct field no_type[] = { { "src.dep", "i8[n,n]", 1 }, { 0 } };

#define CASES(what, specs, neutral) \
	static const struct attention_case cases_##what[] = { { specs, neutral }, { 0 } }
#define PLANTED(what, ...) \
	static const struct attention_variant planted_##what = { .name = "planted-" #what, \
		.paper = "nobody", .version = 1, .cases = cases_##what, __VA_ARGS__ }
#define PLANTED_CASE(what, ...) \
	CASES(what, "planted-" #what, NOT_NEUTRAL); PLANTED(what, __VA_ARGS__)

PLANTED_CASE(future, .scores = future_scores);
PLANTED_CASE(gradient, .weights = hidden_weights);
PLANTED_CASE(batch, .loss = constant_loss);
PLANTED_CASE(threads, .scores = threads_scores);
PLANTED_CASE(step, .scores = training_scores);
PLANTED_CASE(pruned, .scores = heads_scores);
PLANTED_CASE(uncut, .params = uncut_params);
PLANTED_CASE(stray, .params = stray_params);
PLANTED_CASE(report, .scores = doubled_scores, .report = unknown_report);
PLANTED_CASE(fused, .report = fused_report);
PLANTED_CASE(field, .scores = doubled_scores, .needs = no_field);
PLANTED_CASE(type, .scores = doubled_scores, .training_needs = no_type);
PLANTED_CASE(idle, .scores = same_scores);
CASES(neutral, "planted-neutral", NEUTRAL);
PLANTED(neutral, .scores = doubled_scores);
static const struct opt no_room[] = {
	{ .kind = OPT_FLAG, .long_name = "x", .help = "it is not in the state" },
	{ .kind = OPT_END }
};
PLANTED_CASE(state, .scores = doubled_scores, .options = no_room);
static const struct opt no_help[] = {
	{ .kind = OPT_FLAG, .long_name = "x" }, { .kind = OPT_END }
};
PLANTED_CASE(help, .scores = doubled_scores, .options = no_help, .state_size = 1);
CASES(other, "relative", NOT_NEUTRAL);
PLANTED(other, .scores = doubled_scores);
static const struct attention_variant planted_none = { .name = "planted-none", .paper = "nobody",
						       .version = 1, .scores = doubled_scores };

const struct attention_variant *const attention_extra[] = {
	&attention_sharp, &planted_future, &planted_gradient, &planted_batch, &planted_threads,
	&planted_step, &planted_pruned, &planted_uncut, &planted_stray, &planted_report,
	&planted_fused, &planted_field, &planted_help, &planted_type, &planted_idle,
	&planted_state, &planted_neutral, &planted_other, &planted_none, NULL
};

#endif
