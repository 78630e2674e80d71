/*
 * score-report: scores of systems, printed in the formats of sacreBLEU, multi-bleu and mteval, as
 * JSON, TSV and LaTeX.
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

/* A system's score for a metric. */
struct result {
	const char *system;
	const struct metric *metric;
	const char *signature;
	const int64_t *sums;
	double score;			/* 0 to 100 */
	const struct interval *ci;	/* NULL: not computed */
	const struct comparison *comparison;	/* NULL for the baseline and without tests */
};

struct report {
	enum report_format { REPORT_TEXT, REPORT_JSON, REPORT_TSV, REPORT_LATEX } format;
	enum bleu_variant variant;	/* the text format of BLEU */
	int decimals;			/* negative: as in the original program */
	bool bare;			/* text: print only the score */
	bool name_systems;		/* text, JSON: print the name of the system */
	bool paired;			/* text, LaTeX: print a table of tests */
};

extern const char *const report_formats[];	/* names of the formats, NULL-terminated */

/*
 * Appends all n results.  Those of a metric must be consecutive, with the baseline first if systems
 * are compared.
 */
void report_results(const struct report *r, const struct result *result, size_t n, struct buf *out);

/* Appends the header line of sentence scores, which only TSV has. */
void report_sentence_head(const struct report *r, struct buf *out);
/* Appends the score of a sentence as a line; `number` counts from 1. */
void report_sentence(const struct report *r, const struct result *one, long long number,
		     struct buf *out);

/* Scores of one or several systems, with intervals and tests, as a report. */
struct score_run {
	/* Set by the caller: */
	struct contest contest;
	struct paired tests;
	struct report report;
	bool sentence;			/* score each sentence: one system, one metric, no tests */
	bool brief;			/* short signatures */
	const char *version;		/* that signatures name */
	struct pool *pool;		/* or NULL */
	struct output *out;		/* where the report is written */

	/* Private, initially zeros: */
	struct tally *tally;		/* [metrics, systems], as are the next three members */
	struct result *result;
	struct interval *ci;
	struct comparison *comparison;
	struct buf text;
	int64_t number;				/* with `sentence`: the number of the current one,
						 * from 1 */
	int64_t stats[METRIC_MAX_WIDTH];	/* with `sentence`: the statistics of the current
						 * one */
};

/*
 * Reads the sides to their ends, and writes the report to r->out.  Returns -1 as contest_score()
 * and output_write().  Call score_run_release() after it, also after an error.
 */
int score_run(struct score_run *r, struct err *e) MUST_USE;

/* Frees the results; the contest and the output remain the caller's. */
void score_run_release(struct score_run *r);

#endif
