/*
 * ranks: the processes of one training, which a launcher (mpirun, srun) starts together, perhaps on
 * several machines.  Each is called a rank, and has a number from 0.
 *
 * Every rank runs the same program with the same settings and the same files, and communicates only
 * through these functions.  All functions are collective, unless marked: every rank calls them in
 * the same order, with the same n and root.  With one rank they do nothing, and return the rank's
 * own value.  Their results have the same bits on every rank, and in every run with the same number
 * of ranks.
 *
 * If a rank does not respond, the others end, as they do after an error of the MPI library: see
 * ranks_limit().
 *
 * Only ranks-mpi.c and watch-mpi.c use the MPI library; ranks-one.c replaces them in a build
 * without MPI.
 */
#ifndef RANKS_H
#define RANKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/compiler.h"
#include "base/err.h"
#include "tensor/bf16.h"
#include "tensor/real.h"

struct ranks {
	int me, n;			/* this rank, from 0; number of ranks */
	int processors;			/* number of processors for this rank: an even share of
					 * those of its machine; 0: all */
	struct ranks_link *link;	/* private to ranks-mpi.c; NULL for one rank */
};

/*
 * Initializes the MPI library if a launcher started this process, and sets *r.  Call it before the
 * command line is read, so that only rank 0 prints the messages that all ranks have
 * (err_silence()).  Fails with EXIT_USAGE if the launcher started several processes and the MPI
 * library does not know all of them, or heed is built without MPI.
 */
int ranks_open(struct ranks *r, struct err *e) MUST_USE;
/*
 * Waits until all ranks call it, and ends the use of the MPI library; *r cannot be used afterwards.
 */
void ranks_close(struct ranks *r);
/*
 * The number of processes that the launcher started, from the environment; 1 without a launcher.
 * Not collective.
 */
int ranks_launched(void);

/*
 * Sets the longest time, in seconds, for which a rank waits for the others; 0, the initial value,
 * means no limit.  After that time the program ends with EXIT_SYSTEM; the message names the ranks
 * that do not respond.
 */
void ranks_limit(struct ranks *r, double seconds);
double ranks_waited(const struct ranks *r);	/* seconds that this rank has waited so far; not
						 * collective */

/* Each of x[0..n) becomes its sum over the ranks, added in the order of the ranks. */
void ranks_sum(const struct ranks *r, double *x, size_t n);
int  ranks_max(const struct ranks *r, int x);			/* returns the maximum over the
								 * ranks */
/* Copies n bytes at p of the rank `root` to p of all other ranks. */
void ranks_broadcast(const struct ranks *r, int root, void *p, size_t n);
/*
 * Copies x[0..n) of each rank to rank 0: there to `all`, [r->n][n], row by row in the order of the
 * ranks; at other ranks, `all` may be NULL.  With one rank, `all` stays as it is.
 */
void ranks_gather(const struct ranks *r, const real *x, size_t n, real *all);
/* Whether all ranks call it with the same digest, such as a checksum of their settings. */
bool ranks_alike(const struct ranks *r, uint32_t digest);

/*
 * Combines a status of 0 or -1, with the error *e of each rank where it is -1: returns -1 on all
 * ranks if it is -1 on any, and copies the error of the first such rank to *e of all, with its
 * number before the message unless it is 0.  For work of one rank, or work that can fail on one
 * machine only.
 */
int ranks_agree(const struct ranks *r, int status, struct err *e) MUST_USE;
/*
 * Not collective.  Call it after a failure of this rank alone, of which the others do not know, so
 * that they wait for it in vain.  Adds the number of the rank to the error, allows this rank to
 * print messages, and returns -1.  The caller must then report the error and exit; the launcher
 * ends the others.
 */
int ranks_fail(const struct ranks *r, struct err *e);

/*
 * Starts a sum in the background: x[0..n) becomes the sum over all ranks.  The rank `root`, 0 ...
 * r->n - 1, adds the x of the others to its own, in the order of the ranks, and sends them the sum;
 * each rank should be the root for about the same number of elements.  Several sums can run at
 * once.  Do not read or change x and rest until ranks_finish().  If rest is not NULL, ranks
 * exchange x in bf16, and rest[0..n) has the error feedback of this rank: see
 * error_feedback_round().
 */
void ranks_add(struct ranks *r, real *x, real *rest, size_t n, int root);
/*
 * Continues the sums in the background, without waiting.  Not collective; call it from time to time
 * between ranks_add() and ranks_finish().
 */
void ranks_progress(struct ranks *r);
void ranks_finish(struct ranks *r);	/* waits for all sums of ranks_add() */

/*
 * Error feedback, for gradients that ranks exchange in bf16.
 *
 * A rank sends its gradient x rounded to bf16, y = bf16(x + rest), where `rest`, from 0 at the
 * start of a training, is the error of its earlier roundings.  It adds the new rounding error rest'
 * = x + rest - y to its next gradient, so that errors do not accumulate over updates (Seide et al.
 * 2014, 1-Bit Stochastic Gradient Descent).  The root of a sum adds the messages of the others to
 * its own gradient, and rounds the sum in the same way (Tang et al. 2019, DoubleSqueeze).
 * Therefore each rank has one rest for each element, and after each update
 *
 *	y_root + sum over ranks of rest' = sum over ranks of x + rest,
 *
 * where y_root is the rounded sum that all ranks get, except for the rounding of additions in fp32:
 * the rest itself is exact.
 *
 * error_feedback_round() computes y and the new rest of n elements.  These two functions are not
 * collective.
 */
void error_feedback_round(size_t n, const real *x, real *rest, bf16 *y);

/*
 * At the root: `all`, [ranks][n], has the messages y of the other ranks in their rows.  Adds them
 * to x in the order of the ranks, and rounds the sum, with `rest`, into row `root`.
 */
void error_feedback_sum(size_t n, real *x, real *rest, bf16 *all, int ranks, int root);

#endif
