/*
 * trial-stage: runs the trials of a stage of the search space (trial-grid.h), by successive halving
 * (Jamieson and Talwalkar 2016, Non-stochastic best arm identification and hyperparameter
 * optimization).  All trials train to the first rung, a number of updates; the better half of them,
 * rounded up, trains on to the next rung, and so on.
 */
#ifndef TRIAL_STAGE_H
#define TRIAL_STAGE_H

#include "base/compiler.h"
#include "base/err.h"
#include "tune/journal.h"
#include "tune/trial-grid.h"
#include "tune/trial-run.h"

struct numbers { int64_t *v; size_t n; };

/* A search: how its trials are run, and for how long. */
struct trial_plan {
	struct trial_run run;
	struct journal *journal;	/* NULL: trials are only checked */
	struct numbers seeds;
	struct numbers rungs;		/* numbers of updates, ascending; none: all trials train to
					 * their end, and none is dropped */
};

/*
 * Checks all trials of a stage with trial_check(), and then runs them, except for trainings in the
 * journal, and prints each score on standard error.  `winner` is a text with the options of the
 * best trial of the stage before it, or "".  Stores the options of the best trial in *best, which
 * the caller frees.  The score of a trial is its mean over the seeds; of equal scores, that of the
 * first trial is better, and a training that diverged is worse than any other.  Returns 0, the exit
 * status of nmt-train if it failed, or -1 with an error; EXIT_DIVERGED if all trials diverge.  If
 * it returns 0, the files of the trainings are removed; otherwise they remain, so that a later
 * search can resume them.  If p->journal is NULL, only checks the trials; *best is then the first
 * one, which can be the winner for a check of the next stage.
 */
int trial_stage_run(const struct trial_plan *p, const struct trial_stage *s, const char *winner,
		    char **best, struct err *e) MUST_USE;

#endif
