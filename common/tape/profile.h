/*
 * profile: training time by operation.
 *
 * The table of a profile has a row for the forward pass and one for the backward pass of each op,
 * and one for each part of the work that is not in ops.  At any time exactly one row is measured,
 * so that the rows add up to the total time.  Each row states how much of its time was in matrix
 * products (struct product_meter of tensor/product.h), and how long threads were idle.
 */
#ifndef PROFILE_H
#define PROFILE_H

#include <stdio.h>

#include "tape/tape.h"

struct profile;

enum profile_part {
	PROFILE_STEP,			/* forward and backward passes; the row has the time between
					 * ops */
	PROFILE_DATA,			/* reading records, making batches */
	PROFILE_OPTIMIZER,		/* zeroing, clipping and applying gradients */
	PROFILE_VALIDATION,		/* validation, including its ops */
	PROFILE_FILES,			/* writing checkpoints and models */
	PROFILE_RANKS,			/* waiting for sums over ranks (processes, train/ranks.h)
					 * after the backward pass */
	PROFILE_PARTS
};

/*
 * Makes a profile that measures a tape, its back end and its pool.  The caller owns these, and they
 * must outlive the profile.  `ops` lists all ops and ends with NULL.  `clock` returns the time in
 * seconds since any fixed moment.
 */
struct profile *profile_new(struct tape *t, struct backend *b, const struct op *const *ops,
			    double (*clock)(void));
void profile_free(struct profile *p);
/* Also measures another tape, which must not run at the same time as the first.  p may be NULL. */
void profile_watch(struct profile *p, struct tape *t);

/*
 * In all functions below, p may be NULL; they then do nothing, except that profile_print() says
 * that nothing was measured.
 */

/* Starts to measure, in the part PROFILE_STEP. */
void profile_start(struct profile *p);
/*
 * Sets the current part, and returns the previous one.  While nothing is measured, the part does
 * not change.
 */
enum profile_part profile_part(struct profile *p, enum profile_part part);
/* Counts a training step.  Times in the table are per step. */
void profile_step(struct profile *p);
/*
 * Stops measuring and prints the table, the rows with the longest times first.  Takes a moment to
 * measure the peak speed of the processor, with which the speed of matrix products is compared.
 */
void profile_print(struct profile *p, FILE *file);

#endif
