/*
 * trial-run: runs nmt-train as another process, for a trial of nmt-search (journal.h) or to check
 * its options, and reads its data and scores.
 */
#ifndef TRIAL_RUN_H
#define TRIAL_RUN_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/compiler.h"
#include "base/err.h"
#include "tune/journal.h"
#include "tune/train-options.h"

/* The settings that all trainings of a search share. */
struct trial_run {
	struct train_table table;	/* of nmt-train; trial_run_open() sets it */
	struct buf options;		/* the common options, as text; those of a trial come after
					 * them and replace them */
	/*
	 * Paths of the training data, the development set, the search space (for messages) and the
	 * journal; and the number of threads of each training.
	 */
	const char *train, *dev, *grid, *journal;
	int64_t threads;
	bool bleu;			/* score trials by the highest dev.bleu of the log, not by
					 * the lowest dev.nll */
	bool limited;			/* trials end after numbers of updates (--rungs), where they
					 * are compared, and not by their options */
};

/*
 * Runs nmt-train for its table of options, and reads this into r->table; the caller has set the
 * other members.  Fails with EXIT_SYSTEM if nmt-train cannot be run.  trial_check() and
 * trial_train() run the same program.
 */
int trial_run_open(struct trial_run *r, struct err *e) MUST_USE;
void trial_run_close(struct trial_run *r);

/*
 * Does nmt-train accept the options of a trial, `trial`, without a training?  If not, prints its
 * messages and returns -1: EXIT_USAGE if the common options are wrong, otherwise EXIT_INPUT; the
 * message names `lines`, a text of trial-grid.h.  If r->limited, the learning rate must not depend
 * on the planned number of updates (--updates), as that of --schedule linear does: otherwise
 * EXIT_INPUT.
 */
int trial_check(const struct trial_run *r, const char *trial, const char *lines,
		struct err *e) MUST_USE;

/*
 * Trains with t->options and t->seed to t->updates, or to the end if this is 0, or resumes an
 * interrupted training, and adds the trial with its score to the journal.  Sets t->engine and
 * t->seconds; t->score is NULL afterward, and the score is that of journal_score().  Returns 0,
 * also if the training diverged; the exit status of nmt-train if it failed in another
 * way; or -1 with an error.
 */
int trial_train(const struct trial_run *r, struct journal *j, struct trial *t,
		struct err *e) MUST_USE;

/*
 * Appends "CRC-LENGTH" to `out`, the cksum(1) of a stream as JSON lines, with all records, notes
 * and the end, in their order and with all fields.  The header, which has the commands that made
 * the stream, is left out.
 */
int stream_cksum(const char *path, struct buf *out, struct err *e) MUST_USE;
/*
 * Appends ",CRC-LENGTH" to `out`, the cksum(1) of the file, for each option in the text `options`
 * whose value is the name of a file, such as the model of --init: with another file of this name,
 * the training is another one.
 */
void trial_files(const struct train_table *table, const char *options, struct buf *out);

#endif
