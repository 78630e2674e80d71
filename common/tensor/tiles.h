/*
 * tiles: the innermost part of a blocked matrix product, compiled for several processors.
 *
 * Goto and van de Geijn 2008, Anatomy of high-performance matrix multiplication, with the
 * roles of the caches as large second-level caches have them: a few rows of a in the first,
 * a block of b in the second.
 */
#ifndef TILES_H
#define TILES_H

#include <stdbool.h>
#include <stddef.h>

#include "tensor/real.h"

enum {
	TILE_ROWS  = 12,		/* of c in registers at a time, at most */
	TILE_WIDTH = 128 / sizeof(real),	/* columns of a panel of b: two vectors */
	TILE_DEPTH = 512		/* of a panel, at most: part of what the sums' bits depend on */
};

/* c[rows, width] = alpha a b + beta c; b is panels of TILE_WIDTH columns, [depth][TILE_WIDTH] each. */
struct tiles {
	int rows, width, depth;
	const real *a;
	ptrdiff_t a_row, a_depth;	/* one of them is 1 */
	const real *b;
	real *c;
	ptrdiff_t ldc;
	real alpha, beta;
};

typedef void tiles_function(const struct tiles *t);

/* The fastest for this processor. */
tiles_function *tiles_choose(const char **name);

/* Lays columns [0, width) of b, depth rows, out as panels; the last is filled up with zeros. */
void tiles_pack(int depth, int width, const real *b, ptrdiff_t b_depth, ptrdiff_t b_column, real *to);

#endif
