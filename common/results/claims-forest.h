/* claims-forest: the claims of a grid (claims.h) as a forest plot (draw/forest.h). */
#ifndef CLAIMS_FOREST_H
#define CLAIMS_FOREST_H

#include "base/buf.h"
#include "results/outcome.h"

/*
 * Appends an SVG forest plot of the claims of `section` or, if that is NULL, of all sections, each
 * claim once.  Claims without runs are left out.  The claims are ordered by verdict, and claims
 * that papers make precede those that only the grid makes.  The row of a claim has the reason for
 * its verdict.  A claim on BLEU has its differences in test NLL and BLEU, and the BLEU difference
 * that the paper reports.  Claims with a ratio and claims on other measures are in separate
 * blocks.  If `narrow` is true, the layout is that for phones.  Returns 0, or -1 like
 * claims_judge().
 */
int claims_forest(const struct outcomes *o, const struct grid_section *section, bool narrow,
		  struct buf *out, struct err *e) MUST_USE;

#endif
