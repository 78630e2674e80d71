/*
 * distance-bias: adds a bias to each score by the bucket of the distance from query to key.
 *
 * Raffel et al. 2020, Exploring the limits of transfer learning with a unified text-to-text
 * transformer, section 2.1.  Half of the buckets have one distance each, and the others ranges that
 * grow logarithmically; the last one has all distances from `most` on.
 */
#include "ops/kit/buckets.h"
#include "ops/kit/elementwise.h"
#include "ops/kit/heads.h"
#include "ops/kit/op-case.h"
#include "ops/ops.h"

#ifndef OPS_H
/* `head` must outlive the tape. */
struct distance_bias {
	int most;			/* distances from here on share a bucket */
	bool both;			/* keys after the query have buckets of their own */
	const int *head;		/* [H] row of the table of each head; NULL: h */
};
#endif

static void
distance_bias_infer(struct node *n, struct arena *mem)
{
	const struct node *s = n->in[0];

	(void)mem;
	if (!s->block || !buckets_fit(n->arg, n->in[1], s->heads))
		bug_shapes(n);
	infer_like(n, s);
}

struct distance_bias_job { struct node *n; struct buckets buckets; };

static struct distance_bias_job
distance_bias_job_of(struct node *n, struct pass *p)
{
	return (struct distance_bias_job){
		n, buckets_new(p->scratch, n->arg, n->in[1], n->heads,
			       heads_longest_of(n->queries, n->keys)),
	};
}

/* The position of a query among the keys: if there are more keys, the last one is at the last. */
static ptrdiff_t
query_position(const struct score_row *s)
{
	return s->i + s->keys - s->queries;
}

static void
distance_bias_forward_one(void *arg, int i, real *room)
{
	const struct distance_bias_job *j = arg;
	const struct node *n = j->n;

	(void)room;
	for (struct score_row s = heads_first_row(n, i); s.h < n->heads; heads_next_row(&s))
		k_add((size_t)s.keys, n->in[0]->x + s.cell,
		      buckets_of_head(&j->buckets, s.h) - query_position(&s), n->x + s.cell);
}

static void
distance_bias_forward(struct node *n, struct pass *p)
{
	struct distance_bias_job j = distance_bias_job_of(n, p);

	heads_run(p, n->queries->n, 1, distance_bias_forward_one, &j);
}

/* sum: the gradients of a head's scores by distance. */
static void
distance_bias_collect_one(void *arg, int i, real *sum)
{
	const struct distance_bias_job *j = arg;
	const struct node *n = j->n;
	const int reach = j->buckets.reach;

	for (struct score_row s = heads_first_row(n, i); s.h < n->heads; heads_next_row(&s)) {
		real *first = sum + reach - query_position(&s);

		if (s.i == 0)
			k_zero(2 * (size_t)reach + 1, sum);
		k_add((size_t)s.keys, n->grad + s.cell, first, first);
		if (s.i == s.queries - 1)
			buckets_collect(&j->buckets, i, s.h, sum);
	}
}

static void
distance_bias_gradient(struct node *n, struct pass *p)
{
	struct distance_bias_job j = distance_bias_job_of(n, p);
	const int sentences = n->queries->n;

	buckets_begin(&j.buckets, p, sentences);
	if (j.buckets.part)
		heads_run(p, sentences, 2 * (size_t)j.buckets.reach + 1, distance_bias_collect_one,
			  &j);
	buckets_end(&j.buckets, p, sentences);
	elementwise_pass(n, p, n->in[0]);
}

static const int case_bucket_heads[] = { 0, 2 };

static struct node *
case_bucket_self(struct case_bench *b)
{
	const struct layout *l = case_layout(b, CASE_SOURCE);
	struct tape *t = case_tape(b);
	struct node *s = op_scores(t, case_rows(b, l, 6), case_rows(b, l, 6), l, l, 2, 1, false);

	return op_softmax(t, op_distance_bias(t, s, case_param(b, 2, 3, 8),
					    &(struct distance_bias){ 5, true, case_bucket_heads }));
}

static struct node *
case_bucket_causal(struct case_bench *b)
{
	const struct layout *q = case_layout(b, CASE_TARGET), *k = case_layout(b, CASE_SOURCE);
	struct tape *t = case_tape(b);
	struct node *s = op_scores(t, case_rows(b, q, 6), case_rows(b, k, 6), q, k, 2, 1, false);

	return op_softmax(t, op_distance_bias(t, s, case_param(b, 2, 2, 4),
					    &(struct distance_bias){ 4, false, NULL }));
}

static const struct op_case cases[] = {
	{ "keys on both sides", case_bucket_self, 0 },
	{ "keys before the query", case_bucket_causal, 0 },
	{ 0 }
};

const struct op ops_distance_bias = {
	.name = "distance-bias",
	.formula = "y_ij = s_ij + table[head, bucket of j - i]",
	.flags = OP_SHIFTS,
	.infer = distance_bias_infer,
	.forward = distance_bias_forward,
	.gradient = distance_bias_gradient,
	.relevance = relevance_identity,
	.cases = cases,
};

/*
 * scores + table[head[h], bucket of j - i], the table being [heads, buckets].  If S_i is not T_i,
 * the last query has the position of the last key.
 */
struct node *
op_distance_bias(struct tape *t, struct node *scores, struct node *table,
		 const struct distance_bias *a)
{
	return tape_apply(t, &ops_distance_bias, 2, (struct node *[]){ scores, table }, a,
			  sizeof(*a));
}
