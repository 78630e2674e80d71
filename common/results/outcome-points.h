/*
 * outcome-points: a section of the grid of a paper (grid.h) with the results of runs, as points for
 * heed-plot(1); heed-table(1) describes them for users.
 */
#ifndef OUTCOME_POINTS_H
#define OUTCOME_POINTS_H

#include "base/buf.h"
#include "results/outcome.h"

/* What the x axis of a plot has, and what the y axis then has. */
enum points_axis {
	POINTS_PAIRS,		/* number of training pairs; BLEU, ours and of the paper */
	POINTS_LABEL,		/* number after " = " in the label of a row; the same */
	POINTS_MEASURE,		/* a measure of the row; differences in BLEU from its baseline */
	POINTS_CORPUS,		/* number at the end of the name of a corpus or, with a measure, its
				 * mean over all runs on the corpus; gains in test NLL over the
				 * baseline of a row */
};

struct points_over { enum points_axis axis; const char *measure; };

/*
 * Reads "pairs", "label", "corpus" or "corpus:MEASURE"; anything else is the name of a measure.
 * The result has pointers into `text`.
 */
struct points_over points_over(const char *text);
/* The x of a column for POINTS_CORPUS; NAN if its name has no number, or no run has the measure. */
double points_corpus(const struct outcomes *o, const char *column, const struct points_over *over);

/*
 * Appends the points of o->section with their intervals: for BLEU, mean ± standard deviation, and
 * for differences, confidence intervals.  Series are in the order of the rows.  A row whose label
 * is "NAME = NUMBER" or, with POINTS_MEASURE, "NAME, KIND" or "KIND: NAME", is a point of the
 * series NAME.  Values that the paper reports are series of their own.
 */
void outcome_points(const struct outcomes *o, const struct points_over *over, struct buf *out);

#endif
