/*
 * outcome: the results of a paper's systems over several runs, their differences, and both as cells
 * of a table.
 *
 * A run is its facts (facts.h).  Systems are compared by pairs of runs with the same seed, and so
 * with the same sample of the data.
 */
#ifndef OUTCOME_H
#define OUTCOME_H

#include "base/buf.h"
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
	struct our_column *column;		/* [n_columns] those of a corpus by increasing
						 * size */
	size_t n_columns;
};

/*
 * Sorts o->run by seed and fills o->column, which outcomes_release() frees.  The other members
 * are set and owned by the caller.
 */
void outcomes_init(struct outcomes *o);
void outcomes_release(struct outcomes *o);

/*
 * Returns 0 if each fact that the table of o->section uses is missing or a number in its range,
 * else -1 (EXIT_INPUT), because a seed would be left out otherwise; the message names file and
 * fact.  If o->section is NULL or has claims, the facts of all claims of the grid are checked.
 */
int outcomes_check(const struct outcomes *o, struct err *e) MUST_USE;

/* Two runs with the same seed; d is the measure of `run` minus that of `base`. */
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
 * The difference variant - base in the numbers of `paper`, from its first section with numbers of
 * both; NAN if there is none.
 */
double outcomes_paper_effect(const struct outcomes *o, const char *paper, const char *variant,
			     const char *base, const char *measure, const struct our_column *ours);

/* A cell of a table: a row in one of our columns, with one measure. */
struct outcome {
	size_t runs;			/* number of runs of the row */
	double mean, deviation;		/* NAN without runs; deviation is NAN for one run */
	double paper;			/* number that the paper reports, or NAN */
	struct difference difference;	/* difference from the baseline, over the seeds of both; for
					 * test.nll over different tokens, all members are NAN or
					 * 0 */
	double paper_difference;	/* paper minus that of the baseline, or NAN */
};

/*
 * Computes a cell of `row` in the column `ours`.  `base` is the variant of the baseline, or NULL.
 * `column` is the column of the paper, an index of o->section->column, or -1.
 */
struct outcome outcome_of(const struct outcomes *o, const struct grid_row *row, const char *base,
			  const struct our_column *ours, const char *measure, int column);

/*
 * The index of the paper's column with this measure that is most similar to ours: of the same
 * language pair if there is one, and of the nearest size; -1 if no column has the measure.
 */
int outcome_paper_column(const struct grid_section *s, const char *measure,
			 const struct our_column *ours);

/* Whether column i is the first one of the section with its measure. */
bool is_first_of_measure(const struct grid_section *s, size_t i);

/* Whether lower values of the measure are better. */
bool measure_of_loss(const char *measure);
/* Whether it is the NLL of a further test set: the fact OTHER_TEST NAME ".nll". */
bool measure_of_other_test(const char *measure);
#define OTHER_TEST "also."
/* Whether it is BLEU, of the script of the paper or of sacreBLEU. */
bool measure_of_bleu(const char *measure);

/*
 * Whether the measure is a count that describes a system and is neither better nor worse when it is
 * higher: numbers of retained heads and of fractional gates.
 */
bool measure_of_count(const char *measure);

/*
 * Whether higher or lower values of the measure are better.  Counts, parameters, epochs,
 * strengths and reports of attention variants (dev.*, except dev.nll) are neither.
 */
bool measure_is_ranked(const char *measure);

/*
 * The name of a measure for readers: "test NLL" for "test.nll".  Other measures are
 * returned unchanged.
 */
const char *measure_label(const char *measure);

/*
 * The text of cells.  cell_value() appends a value, cell_signed() a value with its sign, and
 * cell_mean() "mean ± deviation", or the mean alone if the deviation is NAN.  They append nothing
 * for NAN.  The measure determines the number of digits; parameters are in millions.
 */
void cell_value(struct buf *out, const char *measure, double v);
void cell_signed(struct buf *out, const char *measure, double v);
void cell_mean(struct buf *out, const char *measure, double mean, double deviation);
/* Appends a difference with its interval: "-0.055 [-0.067, -0.043]". */
void cell_interval(struct buf *out, const char *measure, const struct difference *d);

/*
 * The same for numbers that a paper reports: two digits after the decimal point, except for
 * counts.
 */
void cell_paper(struct buf *out, const char *measure, double v);
void cell_paper_signed(struct buf *out, double v);

#endif
