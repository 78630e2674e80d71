/*
 * outcome: what runs of a paper's systems came to, and what may be said of it.
 *
 * A run is its facts (facts.h).  Systems are compared seed by seed: d is the difference of the two
 * runs with the same seed, and the same draw of the data.
 */
#ifndef OUTCOME_H
#define OUTCOME_H

#include "base/buf.h"
#include "text/facts.h"
#include "text/grid.h"

/* From the weakest. */
enum verdict {
	VERDICT_NOT_RUN, VERDICT_NOT_CONFIRMED, VERDICT_POOR, VERDICT_NOISE, VERDICT_ONE_RUN,
	VERDICT_CONFIRMED
};
extern const char *const verdict_names[];

/* Our columns: what runs have under "column", smaller sizes first, the whole corpus last. */
struct our_column { const char *name; double pairs; };

struct outcomes {
	const struct grid_section *section;
	const char *versus;		/* folder of comparisons, or NULL */
	struct facts *run;
	size_t n_runs;
	struct our_column *column;
	size_t n_columns;
};

/* Finds our columns among the runs.  All else is the caller's. */
void outcomes_init(struct outcomes *o);
void outcomes_release(struct outcomes *o);

struct outcome {
	size_t runs;			/* of the row */
	double mean, deviation;		/* NAN without runs; deviation NAN for one */
	double paper;			/* the paper's number, NAN if it has none */
	size_t pairs;			/* seeds that row and base share; what follows is NAN for 0 */
	double difference, error;	/* mean of d, and its standard error (NAN for one) */
	double better;			/* of these seeds the mean of the row or of the base, which
					 * is greater */
	double p_t;			/* that chance alone makes t = difference / error as great, for the better */
	double p;			/* by the paper's test: the median seed's, the larger of two; that
					 * of a seed which contradicts the mean is taken for 1 */
	struct buf *p_seeds;		/* all of them, as text; NULL if nobody asks */
	double paper_difference;
	enum verdict verdict;
};

/* base NULL: compared with nothing.  column: the paper's, an index into the section, or -1. */
int outcome_of(const struct outcomes *o, const struct grid_row *row, const char *base,
	       const struct our_column *ours, const char *measure, int column, struct outcome *r,
	       struct err *e) MUST_USE;

/* The paper's column of a measure most like one of ours: same pair, nearest size; or -1. */
int outcome_paper_column(const struct grid_section *s, const char *measure,
			 const struct our_column *ours);

/* Is less of it better? */
bool measure_of_loss(const char *measure);

#endif
