/* prune: removes heads from a model. */
#ifndef PRUNE_H
#define PRUNE_H

#include "model/model.h"

/*
 * Returns a copy of m without the heads for which `remove` is true; the caller frees it with
 * model_free().  `remove` and `gate` have an element for each head of m, in the order of
 * attention/attention-heads.h.  The columns of the output projection that read a retained head are
 * multiplied by its `gate`, 1 for no change.  These factors replace the attention variants that
 * only gate heads (gate() in attention.h), which the copy does not have.
 *
 * Returns NULL with EXIT_USAGE if an attention variant cannot do without a head of `remove`.  Also
 * does so if a variant joins the heads of a site before the output projection and one of these
 * heads has a gate other than 1.
 */
struct model *model_prune(const struct model *m, const bool *remove, const double *gate,
			  struct err *e);

#endif
