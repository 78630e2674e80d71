/*
 * cached: keys and values in a cache, and attention of one query, for incremental decoding; see
 * kernels/kernels-decode.c.
 *
 * A cached position has the keys of all heads, then the values: as real numbers, or as bytes, which
 * are a quarter of the memory.  Bytes are the integers of int8.h, where each d elements have a
 * unit; the 2 * heads units come before the bytes.
 */
#ifndef CACHED_H
#define CACHED_H

#include <stdbool.h>
#include <stddef.h>

#include "tensor/real.h"

struct cached { int heads, d; bool bytes; };	/* d: elements per head */
size_t k_cached_size(struct cached form);	/* in bytes */
/* `kv` [2, heads * d]: the keys, then the values. */
void k_cached_put(struct cached form, const real *kv, void *row);
void k_cached_get(struct cached form, const void *row, real *kv);

/*
 * Attention of one query in all heads.  Key and value s are cached `at` bytes after row[s].
 * Meanwhile, the keys and values of the next query are fetched from `at` bytes after next[s].  room
 * has k_query_room(n) elements.
 */
struct query {
	struct cached form;
	int n;				/* keys */
	const real *q;			/* [heads * d] */
	const char *const *row;		/* [n] */
	ptrdiff_t at;			/* in bytes */
	const char *const *next;	/* [n_next]; n_next may be 0 */
	int n_next;
	real scale;
	const real *bias;		/* added to the scores: that of head h and key s is
					 * bias[h * bias_step + s]; NULL: nothing */
	ptrdiff_t bias_step;
	real *out;			/* [heads * d] softmax(scale q k' + bias) v */
};
size_t k_query_room(int n);
void k_query(const struct query *q, real *room);
/* The same from `kv` [n, 2, heads * d], as k_cached_get() returns them. */
void slow_query(const struct query *q, const real *kv, real *room);

#endif
