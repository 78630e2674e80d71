/*
 * score-report: prints scores of systems as text in the format of sacreBLEU, multi-bleu or mteval,
 * as JSON, as TSV or in LaTeX.
 */
#ifndef SCORE_REPORT_H
#define SCORE_REPORT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "base/output.h"
#include "scores/bleu-score.h"
#include "scores/metric.h"
#include "scores/score.h"
#include "scores/significance.h"

/* The score of one system by one metric.  The pointers belong to the caller. */
struct result {
	const char *system;		/* name of the system */
	const struct metric *metric;
	const char *signature;
	const int64_t *sums;		/* [metric->width] statistics, summed over sentences */
	double score;			/* 0 to 100; of TER also more */
	const struct interval *ci;	/* confidence interval; NULL: not computed */
	const struct comparison *comparison;	/* with the baseline; NULL for the baseline itself,
						 * and without tests */
};

struct report {
	enum report_format { REPORT_TEXT, REPORT_JSON, REPORT_TSV, REPORT_LATEX } format;
	enum bleu_variant variant;	/* whose text format is used for BLEU */
	int decimals;			/* number of digits after the decimal point; negative: as
					 * the original program */
	bool bare;			/* text: print only the score and its interval */
	bool name_systems;		/* text, JSON: print the name of the system */
	bool paired;			/* text, LaTeX: print a table of tests */
};

extern const char *const report_formats[];	/* the names of enum report_format, then NULL */

/*
 * The work of a scoring program: scores of one or more systems, with confidence intervals and
 * tests, written as a report.
 */
struct score_run {
	/* Set by the caller: */
	struct contest contest;
	struct paired tests;
	struct report report;
	bool sentence;			/* print the score of each sentence; needs one system and
					 * one metric, without tests */
	bool brief;			/* short signatures */
	const char *version;		/* version of the program, for signatures */
	struct pool *pool;		/* threads; NULL: no further threads */
	struct output *out;		/* where the report is written */

	/* Private, initially zeros: */
	struct tally *tally;		/* [metrics, systems], like the next three members */
	struct result *result;
	struct interval *ci;
	struct comparison *comparison;
	struct buf text;
	int64_t number;				/* with `sentence`: number of the current sentence,
						 * from 1 */
	int64_t stats[METRIC_MAX_WIDTH];	/* with `sentence`: statistics of the current
						 * sentence */
};

/*
 * Reads the hypotheses and references to their ends, and writes the report to r->out.  Returns -1
 * as contest_score() and output_write().  Then call score_run_release(), also after an error.
 */
int score_run(struct score_run *r, struct err *e) MUST_USE;

/* Frees the private members; r->contest and r->out remain the caller's. */
void score_run_release(struct score_run *r);

#endif
