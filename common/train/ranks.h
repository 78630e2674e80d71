/*
 * ranks: the processes of one training, started together by a launcher (mpirun, srun).
 *
 * Every rank runs the same program with the same settings and the same files, and communicates only
 * through these functions.  All functions are collective, unless marked: every rank calls them in
 * the same order.  With one rank they do nothing.  Their results have the same bits on every rank,
 * and in every run with the same number of ranks.
 *
 * A rank that does not respond ends the program, as an error of the MPI library does: see
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
	struct ranks_link *link;	/* the library's; NULL for one rank */
};

/*
 * Call it before the command line is read, so that only rank 0 prints the messages that all ranks
 * have (err_silence).  Fails with EXIT_USAGE if the launcher started processes that cannot
 * communicate.
 */
int ranks_open(struct ranks *r, struct err *e) MUST_USE;
void ranks_close(struct ranks *r);
/* The number of processes that the launcher started, from the environment; 1 without a launcher.
 * Not collective. */
int ranks_launched(void);

/*
 * Sets the longest time, in seconds, for which a rank waits for the others; 0, the initial value,
 * means no limit.  After that time the program ends with EXIT_SYSTEM; the message names the ranks
 * that do not respond.
 */
void ranks_limit(struct ranks *r, double seconds);
double ranks_waited(const struct ranks *r);	/* seconds so far; not collective */

void ranks_sum(const struct ranks *r, double *x, size_t n);	/* sums on every rank, in the order
								 * of the ranks */
int  ranks_max(const struct ranks *r, int x);			/* the maximum over the ranks */
/* Copies n bytes at p from one rank to all. */
void ranks_broadcast(const struct ranks *r, int root, void *p, size_t n);
/* At rank 0, `all`, [r->n, n], gets the x of each rank; at other ranks, `all` may be NULL. */
void ranks_gather(const struct ranks *r, const real *x, size_t n, real *all);
/* Whether the digest is the same on all ranks. */
bool ranks_alike(const struct ranks *r, uint32_t digest);

/*
 * Combines a status of 0 or -1: returns -1 on all ranks if it is -1 on any, with the error of the
 * first such rank.  For work of one rank, or work that can fail on one machine only.
 */
int ranks_agree(const struct ranks *r, int status, struct err *e) MUST_USE;
/*
 * Not collective.  Returns -1, for a failure of this rank of which the others do not know and for
 * which they will wait.  The rank reports the error itself; the launcher then ends the others.
 */
int ranks_fail(const struct ranks *r, struct err *e);

/*
 * Starts a sum in the background: x[0..n) becomes the sum over all ranks.  The rank root, 0 ...
 * r->n - 1, adds the x of the others to its own, in the order of the ranks; each rank should be the
 * root for about the same number of elements.  Do not touch x until ranks_finish().  If rest[0..n)
 * is not NULL, ranks exchange x in bf16, and rest has the error feedback of this rank: see
 * error_feedback_round().
 */
void ranks_add(struct ranks *r, real *x, real *rest, size_t n, int root);
void ranks_progress(struct ranks *r);	/* not collective; call it from time to time */
void ranks_finish(struct ranks *r);	/* waits for all sums */

/*
 * Error feedback, for gradients that ranks exchange in bf16.
 *
 * A rank sends its gradient x rounded to bf16, y = bf16(x + rest).  It adds the rounding error
 * rest' = x + rest - y to its next gradient, so that errors do not accumulate over updates (Seide
 * et al. 2014, 1-Bit Stochastic Gradient Descent).  The root of a sum adds the messages of the
 * others to its own gradient, and rounds the sum in the same way (Tang et al. 2019, DoubleSqueeze).
 * Therefore each rank has one rest for each element, and after each update
 *
 *	y_root + sum over ranks of rest' = sum over ranks of x + rest,
 *
 * except for the rounding of additions in fp32: the rest itself is exact.
 */
void error_feedback_round(size_t n, const real *x, real *rest, bf16 *y);

/*
 * At the root: `all`, [ranks, n], has the messages of the other ranks.  Adds them to x in the
 * order of the ranks, and rounds the sum into `all[root]`.
 */
void error_feedback_sum(size_t n, real *x, real *rest, bf16 *all, int ranks, int root);

#endif
