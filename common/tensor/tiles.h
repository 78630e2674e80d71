/*
 * tiles: the inner kernels of blocked matrix products, compiled for several processors.
 *
 * Goto and van de Geijn 2008, Anatomy of high-performance matrix multiplication: a panel of b stays
 * in the first-level cache while a block of a streams through from the second.  Data needed next
 * are prefetched, because memory beyond the second-level cache is too slow.
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
	TILE_ROWS  = 12,		/* maximum rows of c in registers */
	TILE_WIDTH = 128 / sizeof(real),	/* columns of a panel of b: two vectors */
	TILE_DEPTH = 256,		/* maximum of a block; the bits of sums depend on it */
	TILE_STEP  = 16,		/* depth between two prefetches */
	/* distance of packed rows, in elements, to avoid cache conflicts */
	TILE_ROOM  = TILE_DEPTH + 64 / sizeof(real)
};

/* c[rows, width] = alpha a b + beta c; a is a packed block, b a packed panel. */
struct tiles {
	int rows, width, depth;
	bool trans_a;			/* a was packed from a transposed matrix */
	const real *a, *b;
	real *c;
	ptrdiff_t ldc;
	real alpha, beta;
	struct prefetch *prefetch;	/* [2] */
};

/*
 * c[rows, width] = alpha a b + beta c of integers times units; see int16.h and int8.h.  Integers
 * are in words of 32 bits, 2 of 16 bits or 4 of 8 bits, and depth counts words.  `lda` is the
 * distance of rows of a, in words; b is a panel [depth][TILE_WIDTH].  Units beyond width are 0.
 */
struct word_tiles {
	int rows, width, depth;
	const uint32_t *a, *b;
	ptrdiff_t lda, ldc;
	const real *a_unit, *b_unit;	/* [rows], [TILE_WIDTH] */
	const int32_t *start;		/* [TILE_WIDTH] sums before the first product */
	real *c;
	real alpha, beta;
	const uint32_t *next;		/* memory to prefetch */
	int share;			/* lines to prefetch per TILE_STEP of the depth */
};

/*
 * Products of integers of one format.  unit() returns the unit of a row, and convert() converts it
 * to integers at q.  If shift is not 0, the integers of a are stored with shift added, and
 * therefore are unsigned.
 */
struct word_kernels {
	int per_word, shift;
	real (*unit)(int n, const real *x);
	void (*convert)(int n, const real *x, real unit, int shift, void *q);
	void (*multiply)(const struct word_tiles *t);	/* NULL in double precision */
};

struct tile_kernels {
	const char *name, *text;	/* "v3"; the instruction set, "AVX2" */
	void (*multiply)(const struct tiles *t);
	/*
	 * Packs a block of a into groups of TILE_ROWS rows, TILE_ROWS * TILE_ROOM elements each.  A
	 * group is [row][TILE_ROOM] or, if a is transposed, [depth][TILE_ROWS]; `lda` is then its
	 * distance in depth.
	 */
	void (*pack_a)(int rows, int depth, const real *a, ptrdiff_t lda, bool trans, real *to);
	/*
	 * Packs a panel of b, at most TILE_WIDTH columns, as [depth][TILE_WIDTH] padded with zeros.
	 * `ldb` is its distance in depth or, if b is transposed, of columns.
	 */
	void (*pack_b)(int depth, int width, const real *b, ptrdiff_t ldb, bool trans, real *to);
	struct word_kernels int16, int8;
	void (*byte_dots)(const struct byte_dots *d);
};

/*
 * `name`: v2, v3, v4, vnni, avxvnni or dotprod; "" is the fastest.  Returns NULL if unknown or not
 * supported by this processor.
 */
const struct tile_kernels *tile_kernels_find(const char *name);

#endif
