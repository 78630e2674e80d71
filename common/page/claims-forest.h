/* claims-forest: the claims of a grid as a forest plot (draw/forest.h). */
#ifndef CLAIMS_FOREST_H
#define CLAIMS_FOREST_H

#include "base/buf.h"
#include "text/outcome.h"

/*
 * Claims of one section, or of all for section NULL, that were run at least once, in the grid's order:
 * differences in NLL and in BLEU with their intervals, and the paper's difference beside the latter.
 * Claims of other measures are left out.
 */
int claims_forest(const struct outcomes *o, const struct grid_section *section, struct buf *out,
		  struct err *e) MUST_USE;

#endif
