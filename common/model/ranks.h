/*
 * ranks: the processes of one training, started together by a launcher (mpirun, srun).
 *
 * Every rank goes through the same program with the same settings and the same files; what they
 * hear from each other comes through here.  All functions but those marked are collective: every
 * rank calls them in the same order.  With one rank they do nothing.  What they leave behind has
 * the same bits on every rank, and the same bits in every run with as many ranks.
 *
 * ranks-mpi.c is all that knows the MPI library; ranks-one.c stands there without it.
 */
#ifndef RANKS_H
#define RANKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/compiler.h"
#include "base/err.h"
#include "tensor/real.h"

struct ranks {
	int me, n;			/* this one, from 0; how many */
	int processors;			/* this rank may use: a fair share of its machine's; 0: all */
	struct ranks_link *link;	/* the library's; NULL for one rank */
};

/*
 * Before the command line is read: rank 0 is then the only one to print messages that all ranks
 * have (err_silence).  Fails, EXIT_USAGE, when a launcher started more processes than can talk.
 */
int ranks_open(struct ranks *r, struct err *e) MUST_USE;
void ranks_close(struct ranks *r);
/* How many processes the launcher started, by the environment; 1 without one.  Not collective. */
int ranks_launched(void);

void ranks_sum(const struct ranks *r, double *x, size_t n);	/* x becomes the sums, on every rank */
int  ranks_max(const struct ranks *r, int x);
void ranks_broadcast(const struct ranks *r, int from, void *p, size_t n);	/* n bytes of one for all */
bool ranks_alike(const struct ranks *r, uint32_t digest);	/* it is the same on all */

/*
 * status is 0 or -1: -1 on all ranks if it was on one, with the error of the first such rank.
 * For what a rank does alone, or what may fail on one machine and not on another.
 */
int ranks_agree(const struct ranks *r, int status, struct err *e) MUST_USE;
/*
 * Not collective, returns -1: this rank fails where the others do not know and will wait for it.  It says so
 * itself, and its end ends the job.
 */
int ranks_fail(const struct ranks *r, struct err *e);

/*
 * Sums in the background: x[0..n) becomes the sum over all ranks, taken in an order that depends
 * on n, on root and on the number of ranks alone.  x must be left alone until ranks_finish().
 * root, 0 ... r->n - 1, is the rank that does the adding: let them take turns.
 */
void ranks_add(struct ranks *r, real *x, size_t n, int root);
void ranks_progress(struct ranks *r);	/* not collective: call it now and then */
void ranks_finish(struct ranks *r);	/* all sums have come */

#endif
