/*
 * trial-stage: runs the trials of a stage, by successive halving (Jamieson and Talwalkar 2016,
 * Non-stochastic best arm identification and hyperparameter optimization).
 */
#ifndef TRIAL_STAGE_H
#define TRIAL_STAGE_H

#include "base/compiler.h"
#include "base/err.h"
#include "tune/journal.h"
#include "tune/trial-grid.h"
#include "tune/trial-run.h"

struct numbers { int64_t *v; size_t n; };

struct trial_plan {
	struct trial_run run;
	struct journal *journal;
	struct numbers seeds;
	struct numbers rungs;		/* updates, ascending; none: all trials train to the end */
};

/*
 * Checks all trials of a stage; `winner` are the options of the best trial of the stage before it.
 * Returns the options of the first trial, which the caller frees, or NULL as trial_check().
 */
char *trial_stage_check(const struct trial_plan *p, const struct trial_stage *s,
			const char *winner, struct err *e) MUST_USE;

/*
 * Runs the stage, except for trainings in the journal, and prints each score on standard error.
 * Stores the options of the best trial in *best, which the caller frees.  The score of a trial is
 * its mean over the seeds; of equal scores, that of the first trial is better.  Returns 0, the exit
 * status of nmt-train if it failed, or -1; EXIT_DIVERGED if all trials diverge.
 */
int trial_stage_run(const struct trial_plan *p, const struct trial_stage *s, const char *winner,
		    char **best, struct err *e) MUST_USE;

#endif
