/* paper-test: the test of two translations that a paper used, seed by seed; see heed-table(1). */
#ifndef PAPER_TEST_H
#define PAPER_TEST_H

#include "base/buf.h"
#include "text/outcome.h"

/*
 * The median of the test's p values over n pairs of runs, of an even number the larger in the middle.
 * A seed whose difference contradicts mean counts as 1.  p is NAN if no pair has scores of its
 * sentences (run-scores.h); all p values are added to seeds, with blanks between.  0, or -1 if they
 * cannot be read or compared.
 */
int paper_test(enum grid_test test, const struct run_pair *pair, size_t n, double mean, double *p,
	       struct buf *seeds, struct err *e) MUST_USE;

#endif
