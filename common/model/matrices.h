/*
 * matrices: the weight matrices and embedding tables of a model, and rounding them to 8-bit
 * integers (tensor/int8.h).
 */
#ifndef MATRICES_H
#define MATRICES_H

#include "model/model.h"

/*
 * Calls `visit` for each weight matrix [out, in] of the encoder and decoder layers: projections and
 * feed-forward layers, but not the parameters of attention variants.
 */
typedef void matrix_visit(void *arg, struct param *weight);
void matrices_visit(const struct model *m, matrix_visit *visit, void *arg);

/* Is p one of these matrices, an embedding table or the output projection? */
bool matrices_have(const struct model *m, const struct param *p);

/*
 * Rounds all rows of the parameters of which matrices_have() is true.  Products in int8 round their
 * factors themselves and do not change by this; embeddings do.  The model then computes the same
 * values as its file with i8 parameters.
 */
void matrices_round_int8(struct model *m);

#endif
