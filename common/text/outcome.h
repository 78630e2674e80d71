/*
 * outcome: what runs of a paper's systems came to, and what may be said of it.
 *
 * A run is its facts (facts.h).  Systems are compared seed by seed: d is the difference of the two
 * runs with the same seed, and the same draw of the data.
 */
#ifndef OUTCOME_H
#define OUTCOME_H

#include "text/facts.h"
#include "text/grid.h"
#include "text/verdict.h"

/* Our columns: what runs have under "column", smaller sizes first, the whole corpus last. */
struct our_column { const char *name; double pairs; };

struct outcomes {
	const struct grid *grid;
	const struct grid_section *section;	/* of it: the table that is made */
	struct facts *run;
	size_t n_runs;
	struct our_column *column;
	size_t n_columns;
};

/* Sorts the runs by seed and finds our columns among them.  All else is the caller's. */
void outcomes_init(struct outcomes *o);
void outcomes_release(struct outcomes *o);

/* Two runs of the same seed, and the row's measure less the base's. */
struct run_pair { const struct facts *run, *base; double d; };

/* The pairs of a variant and its base in a column, in the order of their seeds; pair[o->n_runs]. */
size_t outcomes_pairs(const struct outcomes *o, const char *variant, const char *base,
		      const struct our_column *ours, const char *measure, struct run_pair *pair);

/* Of the mean of these pairs, judged at the grid's looks. */
struct difference outcomes_difference(const struct outcomes *o, const struct run_pair *pair, size_t n,
				      double shift);

/*
 * What a paper reports of variant less base: of the first of its sections with both; NAN if none has.
 */
double outcomes_paper_effect(const struct outcomes *o, const char *paper, const char *variant,
			     const char *base, const char *measure, const struct our_column *ours);

/* A cell of a table. */
struct outcome {
	size_t runs;			/* of the row */
	double mean, deviation;		/* NAN without runs; deviation NAN for one */
	double paper;			/* the paper's number, NAN if it has none */
	struct difference difference;	/* from the base, over the seeds that both have */
	double paper_difference;
};

/* base NULL: compared with nothing.  column: the paper's, an index into the section, or -1. */
struct outcome outcome_of(const struct outcomes *o, const struct grid_row *row, const char *base,
			  const struct our_column *ours, const char *measure, int column);

/* The paper's column of a measure most like one of ours: same pair, nearest size; or -1. */
int outcome_paper_column(const struct grid_section *s, const char *measure,
			 const struct our_column *ours);

/* Is less of it better? */
bool measure_of_loss(const char *measure);

#endif
