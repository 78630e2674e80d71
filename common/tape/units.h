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

/* A row of inputs, and where its relevance stands in a plane of the outputs' and of the inputs'. */
struct unit_row { const real *x; ptrdiff_t from, to; };

struct units {
	int inputs, outputs, rows, planes;
	const struct unit_row *row;
	/* Output j's weights [inputs], in room or elsewhere; outputs [j, j + n), inputs [i, i + width), SHARE_TILE apart. */
	const real *(*weights)(const void *arg, int j, real *room);
	void (*tile)(const void *arg, int j, int n, int i, int width, real *to);
	const void *arg;
	const real *bias;		/* spread over the inputs; or NULL */
	struct share share;
	const real *from;		/* relevance of the outputs, planes step_from apart */
	real *to;
	ptrdiff_t step_from, step_to;
};
/* Adds the inputs' relevance to u->to. */
void units_relevance(const struct units *u, struct pass *p);

/* weights and tile of a matrix [outputs, inputs]; arg is the node. */
const real *units_matrix_row(const void *matrix, int j, real *room);
void units_matrix_tile(const void *matrix, int j, int n, int i, int width, real *to);

#endif
