/* prune: removes heads from a model. */
#ifndef PRUNE_H
#define PRUNE_H

#include "model/model.h"

/*
 * Returns a copy of m without the heads for which `remove` [heads of all sites] is true.  `gate`
 * [heads of all sites] has the factor by which the output of each retained head is multiplied in
 * the output projection, 1 for no change.  It replaces the variants that only gate heads
 * (attention_variant.gate), which the copy does not have.  The caller frees the copy.  Returns NULL
 * with EXIT_USAGE if a variant needs a pruned head, or joins heads before the output projection and
 * one of them has a gate other than 1.
 */
struct model *model_prune(const struct model *m, const bool *remove, const double *gate,
			  struct err *e);

#endif
