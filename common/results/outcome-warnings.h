/* outcome-warnings: warnings of names without results, which may be misspelled. */
#ifndef OUTCOME_WARNINGS_H
#define OUTCOME_WARNINGS_H

#include "results/outcome.h"

/*
 * Warns of columns of o->section and of o->also[0], the measure of the x axis, if no run has the
 * measure; of runs without a score that others of their column have; and of baselines that no row
 * and no run has.  `path` is the file of the grid.
 */
void outcomes_warn(const struct outcomes *o, const char *path);

#endif
