/*
 * profile: training time by operation.
 *
 * At any time, exactly one row of a table is measured: the forward or backward pass of an op, or
 * the work that the program reports between ops.  The rows therefore add up to the total time.
 * Each row separates the time in matrix products (product_meter) from the rest, and working threads
 * from waiting ones.
 */
#ifndef PROFILE_H
#define PROFILE_H

#include <stdio.h>

#include "tape/tape.h"

struct profile;

enum profile_part {
	PROFILE_STEP,			/* forward and backward; ops have their own rows */
	PROFILE_DATA,			/* reading records, making batches */
	PROFILE_OPTIMIZER,		/* zeroing, clipping and applying gradients */
	PROFILE_VALIDATION,		/* including all its ops */
	PROFILE_FILES,			/* writing checkpoints and models */
	PROFILE_RANKS,			/* waiting for sums over ranks after the backward pass */
	PROFILE_PARTS
};

/*
 * Measures a tape, its back end and its pool, which the caller owns and which must outlive the
 * profile.  `clock` returns seconds since any moment.
 */
struct profile *profile_new(struct tape *t, struct backend *b, const struct op *const *ops,
			    double (*clock)(void));
void profile_free(struct profile *p);
/* Measures another tape as well, which must not run at the same time.  p may be NULL. */
void profile_watch(struct profile *p, struct tape *t);

/* In all functions below, p may be NULL. */

/* Starts measuring, with PROFILE_STEP. */
void profile_start(struct profile *p);
/* Sets the part that is being done, and returns the one before. */
enum profile_part profile_part(struct profile *p, enum profile_part part);
/* Counts a step.  The table has values per step. */
void profile_step(struct profile *p);
/*
 * Stops measuring and prints the table, longest rows first.  Measures the processor's peak speed.
 */
void profile_print(struct profile *p, FILE *file);

#endif
