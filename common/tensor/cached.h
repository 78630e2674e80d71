/*
 * cached: keys and values in a cache, and attention of one query, for incremental decoding.  The
 * functions are in kernels/kernels-decode.c, except k_query(), which is in fast/fast-decode.h.
 *
 * The row of a position has its keys for all heads, followed by its values for all heads.  They are
 * stored as real numbers, or as bytes, which take about a quarter of the memory.  Bytes are the
 * 8-bit integers of int8.h, with a unit for the key and one for the value of each head; the 2 *
 * heads units are stored before the bytes.
 */
#ifndef CACHED_H
#define CACHED_H

#include <stdbool.h>
#include <stddef.h>

#include "tensor/real.h"

struct cached { int heads, d; bool bytes; };	/* form of a row; d: elements of a key or value of a
						 * head */
size_t k_cached_size(struct cached form);	/* size of a row in bytes */
/*
 * k_cached_put() stores `kv` in `row`, and k_cached_get() reads it back.  `kv` is [2, heads * d]:
 * first the keys, then the values.
 */
void k_cached_put(struct cached form, const real *kv, void *row);
void k_cached_get(struct cached form, const void *row, real *kv);

/*
 * Attention of one query in all heads to n positions.  The row of position s begins `at` bytes
 * after row[s].  While they are computed, the rows of the next query, `at` bytes after next[s], are
 * prefetched into the cache of the processor.  `room` is memory for k_query_room(n) elements.
 */
struct query {
	struct cached form;
	int n;				/* number of positions */
	const real *q;			/* [heads * d] */
	const char *const *row;		/* [n] */
	ptrdiff_t at;			/* in bytes */
	const char *const *next;	/* [n_next] rows of the next query; n_next may be 0 */
	int n_next;
	real scale;
	const real *bias;		/* bias[h * bias_step + s] is added to the score of key s in
					 * head h; NULL: nothing is added */
	ptrdiff_t bias_step;
	real *out;			/* [heads * d] softmax(scale q k' + bias) v */
};
size_t k_query_room(int n);
void k_query(const struct query *q, real *room);
/*
 * The plain version of k_query(), for tests.  Keys and values are read from `kv` [n, 2, heads * d],
 * as k_cached_get() stores them.
 */
void slow_query(const struct query *q, const real *kv, real *room);

#endif
