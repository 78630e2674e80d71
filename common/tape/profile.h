/*
 * profile: where the time of training goes, by op.
 *
 * Every moment belongs to one row of a table: the op at work, forward or back, or what the
 * program says it is doing between ops.  Rows add up to the whole.  Within a row the
 * time of matrix products (product_meter) is told from the rest, and threads that work from those that wait.
 */
#ifndef PROFILE_H
#define PROFILE_H

#include <stdio.h>

#include "tape/tape.h"

struct profile;

enum profile_part {
	PROFILE_STEP,			/* forward and back: ops have rows of their own */
	PROFILE_DATA,			/* records read, batches made */
	PROFILE_OPTIMIZER,		/* gradients zeroed, clipped, applied */
	PROFILE_VALIDATION,		/* with all its ops in one row */
	PROFILE_FILES,			/* checkpoints and models written */
	PROFILE_RANKS,			/* waiting for sums over ranks: what the way back did not hide */
	PROFILE_PARTS
};

/*
 * Counts what the tape does with its back end and pool, all of which stay the caller's and must
 * outlive the profile.  clock: seconds since any moment, of the process if it has one thread.
 */
struct profile *profile_new(struct tape *t, struct backend *b, double (*clock)(void));
void profile_free(struct profile *p);
/* Ops of one more tape count, which must not be at work at the same time; p may be NULL. */
void profile_watch(struct profile *p, struct tape *t);

/* In all of these p may be NULL.  From here on everything counts, as PROFILE_STEP if nobody says otherwise. */
void profile_start(struct profile *p);
/* From now on it is this that is being done.  Returns what was done before. */
enum profile_part profile_part(struct profile *p, enum profile_part part);
/* One more step is done: numbers of the table are for one of these. */
void profile_step(struct profile *p);
/* The table, longest first, and the end of counting; measures the processor's peak, which takes a moment. */
void profile_print(struct profile *p, FILE *to);

#endif
