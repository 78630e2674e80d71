/* paper-test: the significance test that a paper used, applied to each seed; see heed-table(1). */
#ifndef PAPER_TEST_H
#define PAPER_TEST_H

#include "base/buf.h"
#include "results/outcome.h"

/*
 * Tests n pairs of runs.  *p becomes the median of the p-values; for an even number, the larger of
 * the middle two.  The p-value of a pair whose difference has the opposite sign of `mean` counts as
 * 1.  *p is NAN if no pair has sentence scores (run-scores.h).  The p-values of all seeds are
 * appended to seeds, separated by blanks.  Returns 0, or -1 if sentence scores cannot be read or
 * compared, or are not those of the record.
 */
int paper_test(enum grid_test test, const struct run_pair *pair, size_t n, double mean, double *p,
	       struct buf *seeds, struct err *e) MUST_USE;

#endif
