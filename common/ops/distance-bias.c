/*
 * distance-bias: adds a bias to each score by the bucket of the distance from query to key.
 *
 * Raffel et al. 2020, Exploring the limits of transfer learning with a unified text-to-text
 * transformer, section 2.1.  Half of the buckets have one distance each, and the others ranges that
 * grow logarithmically; the last one has all distances from `most` on.
 */
#include <math.h>

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
	const struct node *s = n->in[0], *table = n->in[1];
	const struct distance_bias *a = n->arg;

	(void)mem;
	if (!s->block || table->n_dim != 2 || table->ld != table->d[1] || table->d[1] % 4 ||
	    a->most <= table->d[1] / 2)
		bug_shapes(n);
	for (int h = 0; h < s->heads; h++)
		if ((a->head ? a->head[h] : h) >= table->d[0])
			bug_shapes(n);
	infer_like(n, s);
}

/* Of a distance key - query.  The logarithms are floats, as in the papers' implementations. */
static int
bucket_of(const struct distance_bias *a, int buckets, int distance)
{
	int n = a->both ? buckets / 2 : buckets, exact = n / 2, bucket = 0;
	float ratio;

	if (a->both && distance > 0)
		bucket = n;
	else
		distance = distance > 0 ? 0 : -distance;
	if (distance < exact)
		return bucket + distance;
	ratio = logf((float)distance / (float)exact) / (float)log((double)a->most / exact);
	exact += (int)(ratio * (float)(n - exact));
	return bucket + (exact < n ? exact : n - 1);
}

/* The buckets of the distances from -longest to longest. */
struct distance_bias_job { struct node *n; const int *bucket; real *part; };

static struct distance_bias_job
distance_bias_job_of(struct node *n, struct pass *p)
{
	const int keys = heads_longest(n->keys), queries = heads_longest(n->queries);
	const int longest = keys > queries ? keys : queries;
	int *bucket = ARENA_ARRAY(p->scratch, int, 2 * (size_t)longest + 1);

	for (int i = -longest; i <= longest; i++)
		bucket[longest + i] = bucket_of(n->arg, n->in[1]->d[1], i);
	return (struct distance_bias_job){ .n = n, .bucket = bucket + longest };
}

/* The buckets of the keys of a row; if there are more keys, the last query is at the last key. */
static const int *
buckets_of(const struct distance_bias_job *j, const struct score_row *s)
{
	return j->bucket - (s->i + s->keys - s->queries);
}

static ptrdiff_t
distance_bias_row(const struct node *n, int head)
{
	const int *row = ((const struct distance_bias *)n->arg)->head;

	return (ptrdiff_t)(row ? row[head] : head) * n->in[1]->d[1];
}

static void
distance_bias_forward_one(void *arg, int i, real *room)
{
	const struct distance_bias_job *j = arg;
	const struct node *n = j->n;

	(void)room;
	for (struct score_row s = heads_first_row(n, i); s.h < n->heads; heads_next_row(&s)) {
		const real *table = n->in[1]->x + distance_bias_row(n, s.h);
		const int *bucket = buckets_of(j, &s);

		for (int k = 0; k < s.keys; k++)
			n->x[s.cell + k] = n->in[0]->x[s.cell + k] + table[bucket[k]];
	}
}

static void
distance_bias_forward(struct node *n, struct pass *p)
{
	struct distance_bias_job j = distance_bias_job_of(n, p);

	heads_run(p, n->queries->n, 1, distance_bias_forward_one, &j);
}

/* Each sentence has its own sums, so that the result does not depend on the number of threads. */
static void
distance_bias_collect_one(void *arg, int i, real *room)
{
	const struct distance_bias_job *j = arg;
	const struct node *n = j->n;
	const size_t size = node_size(n->in[1]);
	real *part = j->part + (size_t)i * size;

	(void)room;
	k_zero(size, part);
	for (struct score_row s = heads_first_row(n, i); s.h < n->heads; heads_next_row(&s)) {
		real *sum = part + distance_bias_row(n, s.h);
		const int *bucket = buckets_of(j, &s);

		for (int k = 0; k < s.keys; k++)
			sum[bucket[k]] += n->grad[s.cell + k];
	}
}

static void
distance_bias_gradient(struct node *n, struct pass *p)
{
	struct distance_bias_job j = distance_bias_job_of(n, p);
	const size_t size = node_size(n->in[1]);
	real beta, *to = grad_of(p, n->in[1], &beta);

	if (to) {
		j.part = ARENA_ARRAY(p->scratch, real, (size_t)n->queries->n * size);
		heads_run(p, n->queries->n, 1, distance_bias_collect_one, &j);
		if (beta == 0)
			k_zero(size, to);
		for (int i = 0; i < n->queries->n; i++)
			k_add(size, to, j.part + (size_t)i * size, to);
	}
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
