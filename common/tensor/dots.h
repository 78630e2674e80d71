/*
 * dots: products of a few rows with selected rows of a matrix, for output layers restricted to
 * candidates.
 */
#ifndef DOTS_H
#define DOTS_H

#include <stddef.h>
#include <stdint.h>

#include "tensor/real.h"

/* c[i,j] = the sum of a[i,p] w[id[j],p]; a is [rows,k], c is [rows,n]. */
struct dots {
	int rows, n, k;
	const int *id;			/* [n] */
	const real *a, *w;
	ptrdiff_t lda, ldw, ldc;
	real *c;
};

/*
 * The same for 8-bit integers times units (int8.h), with the bits of products in int8.  Elements of
 * a have INT8_SHIFT added.  k is a multiple of DOTS_BYTES; both factors are padded with zeros.
 */
struct byte_dots {
	int rows, n, k;
	const int *id;			/* [n] */
	const uint8_t *a;
	const int8_t *w;
	ptrdiff_t lda, ldw, ldc;
	const real *a_unit, *w_unit;	/* of row i of a; of row id[j] of w */
	const int32_t *start;		/* of row id[j]: -INT8_SHIFT times its sum */
	real *c;
};

enum { DOTS_BYTES = 64 };

/* Computes c; products of bytes are a member of struct tile_kernels (tiles.h). */
void k_dots(const struct dots *d);

#endif
