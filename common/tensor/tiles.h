/*
 * tiles: the innermost part of a blocked matrix product, compiled for several processors.
 *
 * Goto and van de Geijn 2008, Anatomy of high-performance matrix multiplication: a panel of b
 * stays in the first cache while a block of a passes by from the second, and all that is needed
 * next is asked for ahead, because nothing beyond the second cache comes fast enough.
 */
#ifndef TILES_H
#define TILES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tensor/real.h"

enum {
	TILE_ROWS  = 12,		/* of c in registers at a time, at most */
	TILE_WIDTH = 128 / sizeof(real),	/* columns of a panel of b: two vectors */
	TILE_DEPTH = 256,		/* of a block, at most; the bits of sums depend on it */
	TILE_STEP  = 16,		/* of the depth, between two looks ahead */
	TILE_ROOM  = TILE_DEPTH + 64 / sizeof(real)	/* a packed row: rows must not collide */
};

/* Rows of memory to be asked for while something else is multiplied; lines of 64 bytes. */
struct ahead {
	const char *row;
	ptrdiff_t stride;		/* bytes from row to row */
	int rows, lines;		/* still to come; of a row */
	int line, share;		/* of this row, next; at a time */
};

/* c[rows, width] = alpha a b + beta c; a is a packed block, b a packed panel. */
struct tiles {
	int rows, width, depth;
	bool trans_a;			/* as a was before it was packed */
	const real *a, *b;
	real *c;
	ptrdiff_t ldc;
	real alpha, beta;
	struct ahead *ahead;		/* two of them */
};

/*
 * c[rows, width] = alpha a b + beta c of integers times units, see int16.h; depth counts pairs of numbers.
 * Rows of a are lda numbers apart; b is a panel [depth][TILE_WIDTH][2].  Units beyond width are 0.
 */
struct pair_tiles {
	int rows, width, depth;
	const int16_t *a, *b;
	ptrdiff_t lda, ldc;
	const real *a_unit, *b_unit;	/* [rows], [TILE_WIDTH] */
	real *c;
	real alpha, beta;
	const int16_t *next;		/* memory to be asked for, share lines of it each TILE_STEP of the depth */
	int share;
};

struct tile_kernels {
	const char *name, *text;	/* the level of x86-64; what it is */
	void (*multiply)(const struct tiles *t);
	/*
	 * A block of a: groups of TILE_ROWS rows, each with room for TILE_ROWS * TILE_ROOM numbers;
	 * rows of TILE_ROOM, or if a lies transposed (lda is its distance in depth) [depth][TILE_ROWS].
	 */
	void (*pack_a)(int rows, int depth, const real *a, ptrdiff_t lda, bool trans, real *to);
	/*
	 * A panel of b, at most TILE_WIDTH wide: [depth][TILE_WIDTH], filled up with zeros; ldb is the
	 * distance in depth, or if b lies transposed of columns.
	 */
	void (*pack_b)(int depth, int width, const real *b, ptrdiff_t ldb, bool trans, real *to);
	real (*unit)(int n, const real *x);	/* these two as k_unit_int16() and k_to_int16() */
	void (*to_int16)(int n, const real *x, real unit, int16_t *q);
	void (*multiply_pairs)(const struct pair_tiles *t);	/* NULL in double precision */
};

/* v2, v3, v4 or vnni; "" is the fastest.  NULL: unknown, or this processor has not got it. */
const struct tile_kernels *tile_kernels_find(const char *name);

#endif
