/* trial-run: runs nmt-train for a trial or checks its options, and reads its data and scores. */
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
	struct train_table table;	/* of nmt-train */
	struct buf options;		/* the common options; those of a trial come after them and
					 * replace them */
	const char *train, *dev, *grid, *journal;
	int64_t threads;
	bool bleu;			/* score by dev.bleu, not dev.nll */
	bool limited;			/* trials are stopped after a number of updates */
};

/*
 * Runs nmt-train for its table of options, and reads this table.  The other functions run the same
 * program.
 */
int trial_run_open(struct trial_run *r, struct err *e) MUST_USE;
void trial_run_close(struct trial_run *r);

/*
 * Does nmt-train accept the options of a trial?  If not, prints its messages and returns -1:
 * EXIT_USAGE if the common options are wrong, otherwise EXIT_INPUT; the message names `lines`, the
 * lines of the grid.  A trial with a limit must not depend on the number of updates.
 */
int trial_check(const struct trial_run *r, const char *trial, const char *lines,
		struct err *e) MUST_USE;

/*
 * Trains, or resumes an interrupted training, and adds the trial with its score to the journal.
 * Returns 0, the exit status of nmt-train if it failed other than by diverging, or -1.
 */
int trial_train(const struct trial_run *r, struct journal *j, struct trial *t,
		struct err *e) MUST_USE;

/* What a search reads from streams: the identity of its data, and scores in logs. */

/*
 * Appends "CRC-LENGTH", the cksum(1) of the records of a stream as JSON lines, in their order and
 * with all fields.  The header, which has the commands that made the stream, is left out.
 */
int stream_cksum(const char *path, struct buf *out, struct err *e) MUST_USE;

/*
 * The best value of a field in the log of a training, as text in `score`, which is empty without a
 * finite value.  Stores the engine of the training (model/engine.h), 0 if it is unknown.
 */
int log_best(const char *path, const char *field, bool highest, struct buf *score,
	     int64_t *engine, struct err *e) MUST_USE;

#endif
