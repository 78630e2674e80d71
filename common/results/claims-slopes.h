/*
 * claims-slopes: does a gain grow with a property of the corpus, such as the share of crossing
 * links of its word alignment?
 */
#ifndef CLAIMS_SLOPES_H
#define CLAIMS_SLOPES_H

#include "results/claims.h"
#include "results/outcome-points.h"

/* A gain on a corpus with the property x, and its standard error with its degrees of freedom. */
struct slope_point { double x, gain, error, df; };

struct slope {
	double slope;			/* of a least-squares line through the points */
	double low, high, df, p;	/* 95 % confidence interval and two-sided p-value by
					 * Student's t; the standard error follows from those of the
					 * gains, its degrees of freedom are those of Satterthwaite
					 * (1946) */
	double p_permuted;		/* the share of all permutations of x with a slope at least
					 * as steep, which needs no model; NAN for more than
					 * SLOPE_PERMUTED points */
};
enum { SLOPE_PERMUTED = 9 };

/* Returns false if there are fewer than three points, or all have the same x or no error. */
bool slope_of(const struct slope_point *point, size_t n, struct slope *slope);

/*
 * Appends a table of the claims of o->grid that are tested on test NLL, with the slope of the gain
 * over the baseline, in nats for one unit of the property (points_corpus()).  Returns 0, or -1 like
 * claims_judge().
 */
int claims_slopes(const struct outcomes *o, const struct points_over *over, struct buf *out,
		  struct err *e) MUST_USE;

#endif
