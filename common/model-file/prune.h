/* prune: removes heads from a model. */
#ifndef PRUNE_H
#define PRUNE_H

#include "model/model.h"

/*
 * Returns a copy of m without the heads that are set in `remove`.  `remove` and `gate` have one
 * element for each head of m, site by site.  `gate` is the factor of each retained head in the
 * output projection, 1 for no change.  It replaces the variants that do nothing but gate heads
 * (attention_variant.gate), which the copy does not have.  Returns NULL with EXIT_USAGE if a
 * variant needs a pruned head, or joins heads before the output projection and one of them has a
 * gate other than 1.
 */
struct model *model_prune(const struct model *m, const bool *remove, const double *gate,
			  struct err *e);

#endif
