/*
 * outcome-gains: a figure of the differences of the rows of a section from their baseline
 * (draw/forest.h).  A row of the figure has a system and, as further points, its controls.
 */
#ifndef OUTCOME_GAINS_H
#define OUTCOME_GAINS_H

#include "base/buf.h"
#include "results/outcome.h"

/*
 * Appends an SVG figure of o->section, with differences from the first baseline of the section.  A
 * row of the section whose label is "LABEL, KIND" is a point of kind KIND in the row LABEL of the
 * figure, if the section has a row LABEL.  The panels are test NLL and BLEU or, if the rows were
 * run on several columns of data, test NLL on each of these; columns with less than half of the
 * rows are left out.  Rows of the figure are ordered by the difference of their first point.  At
 * most FOREST_PANELS columns and FOREST_POINTS kinds are drawn; warnings name the others.  If
 * `narrow` is true, the layout is that for phones.
 */
void outcome_gains(const struct outcomes *o, bool narrow, struct buf *out);

#endif
