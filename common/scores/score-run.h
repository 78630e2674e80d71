/*
 * score-run: scores of one or several systems, with intervals and tests, as a report.
 */
#ifndef SCORE_RUN_H
#define SCORE_RUN_H

#include "base/output.h"
#include "scores/score-report.h"
#include "scores/score.h"

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

	struct tally *tally;		/* [metrics, systems], as the following */
	struct result *result;
	struct interval *ci;
	struct comparison *comparison;
	struct buf text;
	int64_t number;				/* with sentence: its number, from 1 */
	int64_t stats[METRIC_MAX_WIDTH];	/* ... and its statistics */
};

/* Reads the sides to their ends, and writes the report to r->out. */
int score_run(struct score_run *r, struct err *e) MUST_USE;

/* Frees results; the contest and the output stay the caller's. */
void score_run_release(struct score_run *r);

#endif
