/*
 * dots: products of a few rows with selected rows of a matrix, for output layers that are
 * restricted to candidates (search/shortlist.h).
 */
#ifndef DOTS_H
#define DOTS_H

#include <stddef.h>
#include <stdint.h>

#include "tensor/real.h"

/*
 * c[i,j] = sum_p a[i,p] w[id[j],p], with a [rows, k] and c [rows, n].  The rows of a, w and c are
 * lda, ldw and ldc elements apart.
 */
struct dots {
	int rows, n, k;
	const int *id;			/* [n] */
	const real *a, *w;
	ptrdiff_t lda, ldw, ldc;
	real *c;
};

/*
 * The same products for rows of 8-bit integers with a unit each (int8.h), with the same bits as
 * matrix products in int8.  INT8_SHIFT is added to all elements of a.  k is a multiple of
 * DOTS_BYTES: rows of both factors are padded with bytes 0.
 */
struct byte_dots {
	int rows, n, k;
	const int *id;			/* [n] */
	const uint8_t *a;
	const int8_t *w;
	ptrdiff_t lda, ldw, ldc;
	const real *a_unit, *w_unit;	/* units, by the index of the row in a or w */
	const int32_t *start;		/* by the index of the row in w: -INT8_SHIFT times the sum
					 * of its elements */
	real *c;
};

enum { DOTS_BYTES = 64 };

/*
 * Computes d->c.  The function for struct byte_dots is byte_dots() of struct tile_kernels
 * (tiles.h).
 */
void k_dots(const struct dots *d);

#endif
