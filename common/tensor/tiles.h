/*
 * tiles: the inner kernels of blocked matrix products C = alpha op(A) op(B) + beta C (struct gemm
 * of backend/backend.h), compiled for several instruction sets.
 *
 * They follow Goto and van de Geijn (2008, Anatomy of High-Performance Matrix Multiplication).  A
 * panel, some packed columns of b, stays in the first-level cache, while a block, some packed rows
 * of a, is read from the second-level cache.  The data that are needed next are prefetched, because
 * memory beyond the second-level cache is too slow.  Depth is the dimension over which products are
 * summed.
 */
#ifndef TILES_H
#define TILES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tensor/dots.h"
#include "tensor/prefetch.h"
#include "tensor/real.h"

enum {
	TILE_ROWS  = 12,		/* maximum number of rows of c in registers */
	TILE_WIDTH = 128 / sizeof(real),	/* columns of a panel of b: two vectors */
	TILE_DEPTH = 256,		/* maximum depth of a block; the bits of sums depend on
					 * it */
	TILE_STEP  = 16,		/* depth between two prefetches */
	/* elements from one packed row of a to the next, to avoid cache conflicts */
	TILE_ROOM  = TILE_DEPTH + 64 / sizeof(real)
};

/*
 * c[rows, width] = alpha a b + beta c, where a is a block packed by pack_a(), and b a panel packed
 * by pack_b().
 */
struct tiles {
	int rows, width, depth;
	bool trans_a;			/* a was packed with `trans` */
	const real *a, *b;
	real *c;
	ptrdiff_t ldc;
	real alpha, beta;
	struct prefetch *prefetch;	/* [2] memory to prefetch meanwhile */
};

/*
 * c[rows, width] = alpha a b + beta c for integers times units (int16.h, int8.h).  A word of 32
 * bits has 2 integers of 16 bits or 4 of 8 bits that are neighbors in depth; `depth` is a number of
 * words.  The rows of a are `lda` words apart, and b is a panel [depth][TILE_WIDTH].  The units
 * b_unit of columns from `width` on are 0.
 */
struct word_tiles {
	int rows, width, depth;
	const uint32_t *a, *b;
	ptrdiff_t lda, ldc;
	const real *a_unit, *b_unit;	/* [rows] and [TILE_WIDTH] */
	const int32_t *start;		/* [TILE_WIDTH] values with which the sums of a column
					 * start */
	real *c;
	real alpha, beta;
	const uint32_t *next;		/* memory to prefetch meanwhile */
	int share;			/* number of cache lines to prefetch for each TILE_STEP
					 * words of depth */
};

/*
 * The kernels for one integer format.  unit() returns the unit of a row of n elements, and
 * convert() converts the row to integers in q.  `per_word` is the number of integers in a word.  If
 * `shift` is not 0, it is added to the integers of a, which then are unsigned.
 */
struct word_kernels {
	int per_word, shift;
	real (*unit)(int n, const real *x);
	void (*convert)(int n, const real *x, real unit, int shift, void *q);
	void (*multiply)(const struct word_tiles *t);	/* NULL in double precision */
};

struct tile_kernels {
	const char *name, *text;	/* "v3", for tile_kernels_find(); "AVX2", the instruction
					 * set, for users */
	void (*multiply)(const struct tiles *t);
	/*
	 * Packs a block, `rows` rows of op(A) by `depth`, into groups of TILE_ROWS rows, with
	 * TILE_ROWS * TILE_ROOM elements each.  Without `trans`, the rows of a are `lda` elements
	 * apart, and a group is [TILE_ROWS][TILE_ROOM].  With `trans`, op(A) is the transpose of a,
	 * whose rows are `lda` elements apart, and a group is [depth][TILE_ROWS].
	 */
	void (*pack_a)(int rows, int depth, const real *a, ptrdiff_t lda, bool trans, real *to);
	/*
	 * Packs a panel, `depth` rows of op(B) by `width` columns, at most TILE_WIDTH, as
	 * [depth][TILE_WIDTH] padded with zeros.  With `trans`, op(B) is the transpose of b.  The
	 * rows of b are `ldb` elements apart.
	 */
	void (*pack_b)(int depth, int width, const real *b, ptrdiff_t ldb, bool trans, real *to);
	struct word_kernels int16, int8;
	void (*byte_dots)(const struct byte_dots *d);
};

/*
 * The kernels called "v2", "v3", "v4", "vnni", "avxvnni" or "dotprod", or for "" the fastest ones
 * of this processor.  Returns NULL if the name is unknown or the processor does not support them.
 */
const struct tile_kernels *tile_kernels_find(const char *name);

#endif
