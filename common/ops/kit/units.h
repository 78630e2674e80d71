/*
 * units: relevance of fully connected ops: y_j = sum_i w_ji x_i + bias_j.
 *
 * The share of input i in the relevance of output j is computed once for all outputs whose
 * relevance is propagated at the same time (OP_PLANES): each has a plane.  It is never stored, but
 * recomputed for each group of inputs that fits into registers.
 */
#ifndef UNITS_H
#define UNITS_H

#include "tape/op.h"
#include "tensor/relevance-kernels.h"

/*
 * A row of inputs; `from` and `to` are where its relevance begins in a plane of units.from and of
 * units.to.  Inputs that are 0 contribute nothing and receive only their share of the bias, which
 * is equal, so that one of them is computed.  Outputs that are 0 often have equal relevance, when
 * they are inputs of a next layer; these are computed once too.
 */
struct unit_row {
	const real *x;
	const real *y;			/* the outputs, or NULL */
	ptrdiff_t from, to;
};

struct units {
	int inputs, outputs, rows, planes;
	const struct unit_row *row;
	const real *w;			/* [outputs, inputs], rows ldw apart */
	ptrdiff_t ldw;
	const real *bias;		/* [outputs], spread over the inputs; or NULL */
	bool absorb;			/* the bias keeps its share */
	struct share share;
	const real *from;		/* relevance of the outputs, planes step_from apart */
	real *to;			/* relevance of the inputs, planes step_to apart */
	ptrdiff_t step_from, step_to;
};
/* Adds the relevance of the inputs to u->to. */
void units_relevance(const struct units *u, struct pass *p);

#endif
