/* claims-forest: the claims of a grid as a forest plot (draw/forest.h). */
#ifndef CLAIMS_FOREST_H
#define CLAIMS_FOREST_H

#include "base/buf.h"
#include "results/outcome.h"

/*
 * Appends an SVG forest plot of the claims of a section or, if section is NULL, of all sections,
 * each claim once.  Claims are ordered by verdict, those of the papers before our own, and have the
 * reason for their verdict.  Claims on NLL and BLEU have the differences in both, and the BLEU
 * difference that the paper reports.  Claims with a ratio and claims on another measure are in a
 * separate block.  Claims without runs are left out.  With `narrow`, the plot is laid out for
 * phones.  Returns 0, or -1 like claims_judge().
 */
int claims_forest(const struct outcomes *o, const struct grid_section *section, bool narrow,
		  struct buf *out, struct err *e) MUST_USE;

#endif
