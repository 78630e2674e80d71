/*
 * outcome: the results of systems over several runs, the differences between systems, and both as
 * cells of a table.
 *
 * A run is represented by its facts (facts.h).  A system is a variant of the model, and a row of
 * the grid of a paper (grid.h).  Systems are compared by pairs of runs with the same seed, and thus
 * with the same sample of the data.  A measure is a fact with a number, such as "bleu".
 */
#ifndef OUTCOME_H
#define OUTCOME_H

#include "base/buf.h"
#include "results/facts.h"
#include "results/grid.h"
#include "results/verdict.h"

/*
 * A column of data in our runs, in contrast to the columns of the paper: a value of the fact
 * column, and the number of training pairs, NAN if unknown.
 */
struct our_column { const char *name; double pairs; };

struct outcomes {
	const struct grid *grid;
	const struct grid_section *section;	/* the section of the grid of which a table is
						 * made */
	const char *also[2];			/* further facts that are read; or NULL */
	struct facts *run;			/* [n_runs] */
	size_t n_runs;
	struct our_column *column;		/* [n_columns] columns of the same corpus are
						 * adjacent and in ascending order of size */
	size_t n_columns;
	size_t *training;			/* [n_runs] index of the first run with the same
						 * training (ledger.h) */
};

/*
 * Sorts o->run by seed and fills o->column and o->training, which outcomes_release() frees.  The
 * caller has set grid, section, also, run and n_runs, and owns them.
 */
void outcomes_init(struct outcomes *o);
void outcomes_release(struct outcomes *o);

/*
 * Returns 0 if the column of each run has the form CORPUS.PAIR[@SIZE], and each fact that the table
 * of o->section uses, and each of o->also, is missing or a number in its range.  Otherwise returns
 * -1 with EXIT_INPUT and a message that names file and fact.  Without this check, such a seed would
 * silently be left out.  If o->section is NULL or has claims, the facts that all claims of the grid
 * use are checked.
 */
int outcomes_check(const struct outcomes *o, struct err *e) MUST_USE;

/* The same for one fact of a run. */
int outcome_check_number(const struct facts *f, const char *name, struct err *e) MUST_USE;

/* Two runs with the same seed; d is the value of `run` minus that of `base`, in one measure. */
struct run_pair { const struct facts *run, *base; double d; };

/*
 * Finds the pairs of runs of two variants on a column that both have the measure, in the order of
 * seeds.  Stores them in `pair`, which has room for o->n_runs, and returns their number.
 */
size_t outcomes_pairs(const struct outcomes *o, const char *variant, const char *base,
		      const struct our_column *ours, const char *measure, struct run_pair *pair);

/*
 * Is test.nll computed over the same tokens in both runs of each of n pairs?  See ledger_masked()
 * (ledger.h).
 */
bool outcomes_same_tokens(const struct run_pair *pair, size_t n);

/*
 * The difference variant - base in the numbers that `paper` reports, from the first section of this
 * paper with numbers of both; NAN if there is none.  The column of the paper is
 * outcome_paper_column().
 */
double outcomes_paper_effect(const struct outcomes *o, const char *paper, const char *variant,
			     const char *base, const char *measure, const struct our_column *ours);

/* A cell of a table: a row, on a column of data, in one measure. */
struct outcome {
	size_t runs;			/* number of runs of the row that have the measure */
	double mean, deviation;		/* mean and standard deviation over these runs; NAN without
					 * runs; the deviation is NAN for one run */
	double paper;			/* number that the paper reports, or NAN */
	struct difference difference;	/* difference from the baseline; all members are NAN or 0
					 * without a baseline, and for test.nll over different
					 * tokens */
	double paper_difference;	/* `paper` minus the number that the paper reports for the
					 * baseline, or NAN */
};

/*
 * Computes the cell of `row` on the column `ours`.  `base` is the variant of the baseline, or NULL.
 * `column` is the index in o->section->column of the column of the paper, or -1.
 */
struct outcome outcome_of(const struct outcomes *o, const struct grid_row *row, const char *base,
			  const struct our_column *ours, const char *measure, int column);

/*
 * The index of the column of the paper with this measure that is most similar to `ours`: one with
 * the same language pair if there is one, and of these the one with the nearest size; -1 if no
 * column has the measure.  Columns with the name "-" do not count.
 */
int outcome_paper_column(const struct grid_section *s, const char *measure,
			 const struct our_column *ours);

/* Is column i of the section the first one with its measure? */
bool is_first_of_measure(const struct grid_section *s, size_t i);

/* Are lower values of the measure better? */
bool measure_of_loss(const char *measure);
/* Is the measure the NLL of a further test set, the fact also.NAME.nll? */
bool measure_of_other_test(const char *measure);
#define OTHER_TEST "also."
/* Is the measure BLEU, as the script of the paper or as sacreBLEU computes it? */
bool measure_of_bleu(const char *measure);

/*
 * Is the measure a count that describes a system, and is neither better nor worse if it is higher?
 * These are the numbers of retained heads and of fractional gates.
 */
bool measure_of_count(const char *measure);

/*
 * Does the measure have a better direction, higher or lower?  Not so counts, parameters, epochs,
 * strengths, the share of crossing links, and what attention variants report (dev.*, except
 * dev.nll).
 */
bool measure_is_ranked(const char *measure);

/*
 * The name of a measure for readers, such as "test NLL" for "test.nll"; the measure itself if it
 * has no such name.
 */
const char *measure_label(const char *measure);

/* Begins a further cell of a line: appends a tab.  Returns `out`. */
struct buf *cell_begin(struct buf *out);
/*
 * Append the text of a cell.  cell_value() appends a value, cell_signed() a value with its sign,
 * and cell_mean() "mean ± deviation", or the mean alone if the deviation is NAN.  Nothing is
 * appended for a value or mean that is NAN.  The measure determines the number of digits;
 * parameters are in millions.
 */
void cell_value(struct buf *out, const char *measure, double v);
void cell_signed(struct buf *out, const char *measure, double v);
void cell_mean(struct buf *out, const char *measure, double mean, double deviation);
/* Appends a coordinate with six significant digits, for any measure. */
void cell_plain(struct buf *out, const char *measure, double v);
/* Appends a difference with its interval: "-0.055 [-0.067, -0.043]". */
void cell_interval(struct buf *out, const char *measure, const struct difference *d);

/*
 * Append numbers that a paper reports, with two digits after the decimal point except for counts:
 * cell_paper() a value, and cell_paper_signed() a value with its sign.  Nothing is appended for
 * NAN.
 */
void cell_paper(struct buf *out, const char *measure, double v);
void cell_paper_signed(struct buf *out, double v);

#endif
