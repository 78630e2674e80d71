/*
 * buckets: the biases of op_distance_bias() and op_attention_biased(), by the distance from query
 * to key.
 *
 * A table [rows, buckets] has a bias for each bucket of distances; a head reads one of its rows.
 * Before it is used, the table is spread to all distances that occur, in order.  The biases of a
 * query are then contiguous: that of the first key is `at` elements before that of distance 0,
 * where `at` is the query's position among the keys.
 */
#ifndef BUCKETS_H
#define BUCKETS_H

#include "ops/ops.h"
#include "tape/op.h"

/* Made by buckets_new() in its arena; zeros: no biases. */
struct buckets {
	const struct distance_bias *rule;
	struct node *table;
	int reach;			/* the longest distance */
	int *bucket;			/* [2 reach + 1] that of each distance from -reach on */
	real *bias;			/* [heads, 2 reach + 1] */
	real *part;			/* [sentences, rows, buckets]: buckets_collect(); or NULL */
};

/* Whether `table` has a row for each head, and buckets to which `rule` can assign distances. */
bool buckets_fit(const struct distance_bias *rule, const struct node *table, int heads);
/* For sentences of at most `longest` queries or keys. */
struct buckets buckets_new(struct arena *mem, const struct distance_bias *rule, struct node *table,
			   int heads, int longest);

/* The bias of a head at distance 0, or NULL without biases. */
static inline const real *
buckets_of_head(const struct buckets *b, int head)
{
	return b->bias ? b->bias + (ptrdiff_t)head * (2 * b->reach + 1) + b->reach : NULL;
}

/*
 * The gradient of the table: buckets_begin(), for each sentence and head buckets_collect() with the
 * sums of the gradients of scores, sum [2 reach + 1] from distance -reach on, and buckets_end().
 * Sentences have sums of their own, so that the result does not depend on the number of threads.
 * If the table needs no gradient, `part` remains NULL, buckets_collect() must not be called, and
 * buckets_end() does nothing.
 */
void buckets_begin(struct buckets *b, struct pass *p, int sentences);
void buckets_collect(const struct buckets *b, int sentence, int head, const real *sum);
void buckets_end(const struct buckets *b, struct pass *p, int sentences);

#endif
