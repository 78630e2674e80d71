/*
 * check-relevance: checks the relevance of each case of each op: what arrives at the inputs is what
 * was put on the result, with each rule, and several seeds do not mix.
 */
#include "ops-whole.h"

/* The index in memory of element i of a node. */
static ptrdiff_t
place_of(const struct node *n, size_t i)
{
	if (n->block || n->n_dim != 2)
		return (ptrdiff_t)i;
	return (ptrdiff_t)(i / (size_t)n->d[1]) * n->ld + (ptrdiff_t)(i % (size_t)n->d[1]);
}

static real
seed_of(const struct node *out, size_t i)
{
	/* A masked key, which receives no relevance. */
	return out->block && out->x[i] == 0 ? 0 : (real)fabs(coefficient(out, i));
}

/*
 * Relevance 1 that inputs have before the pass; an op must add to it.  A parameter receives none,
 * and an input of which the result is a view has the relevance of the result.
 */
static void
set_before(struct world *w, bool *set)
{
	for (int f = 0; f < w->bench.n_known; f++) {
		struct case_leaf *leaf = &w->bench.leaf[f];

		set[f] = !leaf->node->parameter && !leaf->node->rel;
		if (!set[f])
			continue;
		leaf->node->rel = xreallocarray(NULL, leaf->n, sizeof(real));
		for (size_t i = 0; i < leaf->n; i++)
			leaf->node->rel[i] = 1;
	}
}

static void
check_rule(const struct op *op, const struct op_case *c, const struct lrp *how, const char *what)
{
	struct world w;
	struct node *out;
	real *rel;
	double in = 0, sum = 0, size = 0;
	bool set[CASE_MAX_LEAVES];

	world_open(&w, "reference", 2, -1);
	w.pass.training = 0;		/* no dropout */
	tape_rewind(w.tape);
	out = case_build(&w.bench, c, w.tape);
	rel = tape_relevance_seeds(w.tape, out, 1);
	for (size_t i = 0; i < node_size(out); i++)
		sum += (double)(rel[place_of(out, i)] = seed_of(out, i));
	set_before(&w, set);
	tape_relevance(w.tape, out, how);
	for (int f = 0; f < w.bench.n_known; f++) {
		struct node *n = w.bench.leaf[f].node;

		for (size_t i = 0; n->rel && i < w.bench.leaf[f].n; i++) {
			const double r = (double)n->rel[i] - set[f];

			in += r;
			size += fabs(r);
			if (how->rule != LRP_EPSILON && r < -1e-15)
				FAIL(op, c, "%s: negative relevance %g", what, r);
		}
		if (set[f]) {
			free(n->rel);
			n->rel = NULL;
		}
	}
	if (!(fabs(in - sum) <= 1e-10 * fmax(sum, size)))
		FAIL(op, c, "%s: relevance %.12g became %.12g", what, sum, in);
	world_close(&w);
}

enum { PLANES = 29 };			/* more than a block of planes, and odd */

/* Relevance of every few elements, each in its own plane or, for one plane `only`, alone. */
static struct node *
trace_planes(struct world *w, const struct op_case *c, const struct lrp *how, int only)
{
	const int planes = only < 0 ? PLANES : 1;
	struct node *out;
	real *rel;

	w->pass.training = 0;
	tape_rewind(w->tape);
	out = case_build(&w->bench, c, w->tape);
	rel = tape_relevance_seeds(w->tape, out, planes);
	for (size_t i = 0; i < node_size(out); i++) {
		const int plane = (int)(i / 2 % PLANES);

		if (only < 0 || plane == only)
			rel[(only < 0 ? plane : 0) * rel_step(out) + place_of(out, i)] =
				seed_of(out, i);
	}
	tape_relevance(w->tape, out, how);
	return out;
}

/* Several seeds at once give the same relevance as one at a time. */
static void
check_planes(const struct op *op, const struct op_case *c, const struct lrp *how, const char *what)
{
	struct world all, one;

	world_open(&all, "reference", 2, -1);
	world_open(&one, "reference", 1, -1);
	trace_planes(&all, c, how, -1);
	for (int p = 0; p < PLANES; p++) {
		trace_planes(&one, c, how, p);
		for (int f = 0; f < one.bench.n_known; f++) {
			const struct node *a = all.bench.leaf[f].node, *b = one.bench.leaf[f].node;
			const size_t n = one.bench.leaf[f].n;

			if (a->rel && b->rel && apart(n, b->rel, a->rel + p * rel_step(a)) > 1e-9)
				FAIL(op, c,
				     "%s: input %d, seed %d: different with several seeds",
				     what, f, p);
			if (!a->rel != !b->rel)
				FAIL(op, c, "%s: input %d has relevance from some seeds", what, f);
		}
	}
	world_close(&all);
	world_close(&one);
}

/*
 * For each seed, the relevance that arrived and the part that a large eps, biases and softmaxes
 * absorbed add up to all.
 */
static void
check_flow(const struct op *op, const struct op_case *c, const struct lrp *rule)
{
	struct flow flow[PLANES] = { { 0 } };
	struct lrp how = *rule;
	double sum[PLANES] = { 0 };
	struct world w;
	struct node *out;

	how.flow = flow;
	world_open(&w, "reference", 1, -1);
	out = trace_planes(&w, c, &how, -1);
	for (size_t i = 0; i < node_size(out); i++)
		sum[i / 2 % PLANES] += (double)seed_of(out, i);
	for (int p = 0; p < PLANES; p++) {
		double in = flow[p].absorbed;

		for (int f = 0; f < w.bench.n_known; f++) {
			const struct node *n = w.bench.leaf[f].node;

			if (n->rel)
				in += k_sum(w.bench.leaf[f].n, n->rel + p * rel_step(n));
		}
		if (!(fabs(in - sum[p]) <= 1e-10 * fmax(sum[p], flow[p].max_magnitude)))
			FAIL(op, c, "relevance %.12g became %.12g, %.12g of it absorbed", sum[p],
			     in, flow[p].absorbed);
	}
	world_close(&w);
}

static void
check_relevance(const struct op *op, const struct op_case *c)
{
	const struct lrp eps = { .rule = LRP_EPSILON, .eps = (real)1e-14,
				 .norm = LRP_NORM_FROZEN_STD };
	const struct lrp ab = { .rule = LRP_ALPHABETA, .alpha = (real)0.5, .beta = (real)0.5 };
	const struct lrp local = { .rule = LRP_ALPHABETA_LOCAL, .alpha = (real)0.5,
				   .beta = (real)0.5 };
	struct lrp large = eps, r = local;

	large.eps = (real)0.3;
	check_rule(op, c, &eps, "epsilon");
	check_rule(op, c, &ab, "alpha-beta");
	check_rule(op, c, &local, "alpha-beta-local");
	check_planes(op, c, &eps, "epsilon");
	check_flow(op, c, &large);
	large.bias = LRP_BIAS_ABSORB;
	check_flow(op, c, &large);
	large.rule = LRP_ATTNLRP;
	check_flow(op, c, &large);
	large.norm = LRP_NORM_IDENTITY;
	large.eps = (real)1e-14;
	check_flow(op, c, &large);
	check_planes(op, c, &large, "attnlrp");
	check_planes(op, c, &ab, "alpha-beta");
	r.bias = LRP_BIAS_DROP;
	r.norm = LRP_NORM_IDENTITY;
	check_rule(op, c, &r, "alpha-beta without biases");
}

static void
check_one(const struct op *op)
{
	for (const struct op_case *c = op->cases; c->name; c++)
		if (!(c->flags & CASE_NO_RELEVANCE))
			check_relevance(op, c);
}

static void
test_op(void **state)
{
	check_whole(state, check_one);
}

int
main(void)
{
	struct CMUnitTest test[OP_FILES];

	tests_of_ops(test, test_op);
	return cmocka_run_group_tests_name("every op conserves relevance", test, NULL, NULL);
}
