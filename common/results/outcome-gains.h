/*
 * outcome-gains: the rows of a section as a figure of their differences from the baseline
 * (draw/forest.h), in which the row of a system also has its controls.
 */
#ifndef OUTCOME_GAINS_H
#define OUTCOME_GAINS_H

#include "base/buf.h"
#include "results/outcome.h"

/*
 * Appends an SVG drawing of o->section, with differences from its first baseline.  A row whose
 * label is "LABEL, KIND" is a point of this kind in the row with the label LABEL.  The panels are
 * test NLL and BLEU or, if the rows were run on several corpora, test NLL on each.  Rows are
 * ordered by the difference of their first point.  At most FOREST_POINTS kinds are drawn.  With
 * `narrow`, it is laid out for phones.
 */
void outcome_gains(const struct outcomes *o, bool narrow, struct buf *out);

#endif
