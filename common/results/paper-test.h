/*
 * paper-test: the significance test of a paper, applied to the runs of each seed; see
 * heed-table(1).
 */
#ifndef PAPER_TEST_H
#define PAPER_TEST_H

#include "base/buf.h"
#include "results/outcome.h"

/*
 * Tests the BLEU difference of each of n pairs of runs by its sentence scores (run-scores.h); pairs
 * without such scores are left out.  *p becomes the median of the p-values, of an even number of
 * them the larger of the middle two, and NAN if there are none.  For this median, the p-value of a
 * pair whose difference has another sign than `mean` counts as 1.  The p-values themselves are
 * appended to `seeds`, separated by blanks.  Returns 0, or -1 if sentence scores cannot be read or
 * compared, or are not those of the record.
 */
int paper_test(enum grid_test test, const struct run_pair *pair, size_t n, double mean, double *p,
	       struct buf *seeds, struct err *e) MUST_USE;

#endif
