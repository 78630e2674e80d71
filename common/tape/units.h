/*
 * units: relevance of ops whose outputs each take all numbers of a row: y_j = sum_i w_ji x_i + bias_j.
 *
 * What input i gets of output j's relevance is computed once for all seeds (OP_PLANES), and never kept: it is
 * made again for each number of inputs that fits into registers.
 */
#ifndef UNITS_H
#define UNITS_H

#include "tape/op.h"
#include "tensor/kernels.h"

/*
 * A row of inputs, and where its relevance stands in a plane of the outputs' and of the inputs'.  Inputs that are 0
 * all get the same, so that one stands for them; outputs that are 0 are looked at for equal relevance, such as the
 * inputs of a next layer then have.
 */
struct unit_row {
	const real *x;
	const real *y;			/* of the outputs, or NULL */
	ptrdiff_t from, to;
};

struct units {
	int inputs, outputs, rows, planes;
	const struct unit_row *row;
	const real *w;			/* [outputs, inputs], rows ldw apart */
	ptrdiff_t ldw;
	const real *bias;		/* spread over the inputs; or NULL */
	struct share share;
	const real *from;		/* relevance of the outputs, planes step_from apart */
	real *to;
	ptrdiff_t step_from, step_to;
};
/* Adds the inputs' relevance to u->to. */
void units_relevance(const struct units *u, struct pass *p);

#endif
