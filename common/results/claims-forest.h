/* claims-forest: the claims of a grid as a forest plot (draw/forest.h). */
#ifndef CLAIMS_FOREST_H
#define CLAIMS_FOREST_H

#include "base/buf.h"
#include "results/outcome.h"

/*
 * Appends an SVG forest plot of the claims of a section, or of all sections if section is NULL,
 * in the order of the grid: differences in NLL and in BLEU with confidence intervals, and next to
 * BLEU the difference that the paper reports.  Claims without runs and claims on other measures
 * are left out. Returns 0, or -1 like claims_judge().
 */
int claims_forest(const struct outcomes *o, const struct grid_section *section, struct buf *out,
		  struct err *e) MUST_USE;

#endif
