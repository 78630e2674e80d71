/*
 * outcome: the results of a paper's systems over several runs, and their differences.
 *
 * A run is its facts (facts.h).  Systems are compared by pairs of runs with the same seed, which
 * also means the same sample of the data.
 */
#ifndef OUTCOME_H
#define OUTCOME_H

#include "results/facts.h"
#include "results/grid.h"
#include "results/verdict.h"

/* A value of the fact "column" in our runs, and the number of training pairs (NAN if unknown). */
struct our_column { const char *name; double pairs; };

struct outcomes {
	const struct grid *grid;
	const struct grid_section *section;	/* of the grid: the table to make */
	struct facts *run;			/* [n_runs] */
	size_t n_runs;
	struct our_column *column;		/* [n_columns]; of one corpus smaller sizes first */
	size_t n_columns;
};

/*
 * Sorts o->run by seed and fills o->column, which outcomes_release() frees.  The other members
 * are set and owned by the caller.
 */
void outcomes_init(struct outcomes *o);
void outcomes_release(struct outcomes *o);

/*
 * Returns 0 if the facts that the table of o->section uses are numbers in their ranges, or missing,
 * else -1 (EXIT_INPUT); the message names file and fact.  A number that cannot be read would leave
 * out its seed.  For claims, and without o->section, these are the facts of all claims of the grid.
 */
int outcomes_check(const struct outcomes *o, struct err *e) MUST_USE;

/* Two runs with the same seed; d is the measure of run minus that of base. */
struct run_pair { const struct facts *run, *base; double d; };

/*
 * Finds the pairs of runs of two variants in one column that both have the measure, in the order of
 * seeds.  Returns their number; `pair` has room for o->n_runs.
 */
size_t outcomes_pairs(const struct outcomes *o, const char *variant, const char *base,
		      const struct our_column *ours, const char *measure, struct run_pair *pair);

/* Whether test.nll is of the same tokens in both runs of each pair; see ledger_masked(). */
bool outcomes_same_tokens(const struct run_pair *pair, size_t n);

/*
 * The difference variant - base that a paper reports, from its first section with numbers of both;
 * NAN if there is none.
 */
double outcomes_paper_effect(const struct outcomes *o, const char *paper, const char *variant,
			     const char *base, const char *measure, const struct our_column *ours);

/* A cell of a table. */
struct outcome {
	size_t runs;			/* number of runs of the row */
	double mean, deviation;		/* NAN without runs; deviation is NAN for one run */
	double paper;			/* number that the paper reports, or NAN */
	struct difference difference;	/* minus the baseline, over the seeds of both; none for
					 * test.nll of different tokens */
	double paper_difference;	/* paper minus that of the baseline, or NAN */
};

/*
 * `base`: the baseline, or NULL.  `column`: the paper's column, an index into o->section->column,
 * or -1.
 */
struct outcome outcome_of(const struct outcomes *o, const struct grid_row *row, const char *base,
			  const struct our_column *ours, const char *measure, int column);

/*
 * The index of the paper's column with this measure that is most similar to ours: of the same
 * language pair if there is one, and of the nearest size; -1 if no column has the measure.
 */
int outcome_paper_column(const struct grid_section *s, const char *measure,
			 const struct our_column *ours);

/* Whether lower values of the measure are better. */
bool measure_of_loss(const char *measure);
/* Whether it is the NLL of a further test set: the fact OTHER_TEST NAME ".nll". */
bool measure_of_other_test(const char *measure);
#define OTHER_TEST "also."
/* Whether it is BLEU, of the script of the paper or of sacreBLEU. */
bool measure_of_bleu(const char *measure);

#endif
