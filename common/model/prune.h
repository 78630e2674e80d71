/* prune: models without some of their heads. */
#ifndef PRUNE_H
#define PRUNE_H

#include "model/model.h"

/*
 * m without the heads that are set in remove; both arrays have one entry for each head of m, one
 * site's after the other.  gate: what the output projection takes of each head that stays, 1: as it
 * is, in the place of the variants that only gate heads (attention_variant.gate), which are gone.
 * NULL and EXIT_USAGE if a variant needs a head that is to be removed, or joins heads of which one
 * has another gate than 1 before the output projection.
 */
struct model *model_prune(const struct model *m, const bool *remove, const double *gate,
			  struct err *e);

#endif
