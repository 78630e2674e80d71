/*
 * watch: waits for the other ranks, and finds the ranks that do not respond.
 *
 * A waiting rank polls its request, so that it can stop waiting.  After the time limit it calls the
 * roll: it sends a note to every other rank, and every rank that waits as well replies.  A rank
 * that does not reply within ROLL_SECONDS has died, hangs, computes for too long or is cut off from
 * the network.  Only for ranks-mpi.c.
 */
#ifndef WATCH_MPI_H
#define WATCH_MPI_H

#include <mpi.h>

#include "train/ranks.h"

#define ROLL_SECONDS 5.0

struct place;

struct watch {
	MPI_Comm comm;			/* for these notes only */
	int me, n;
	double limit;			/* seconds; 0: wait forever */
	double waited;			/* seconds in watch_wait() so far */
	int roll;			/* number of the last roll call of this rank */
	bool *here;			/* [n] replied to it */
	struct place *place;		/* [n] host and process of each rank */
};

/* Collective.  `comm` remains the caller's. */
void watch_init(struct watch *w, MPI_Comm comm);
void watch_release(struct watch *w);

/*
 * Waits until the request is complete.  If that takes longer than the limit, or if the library
 * reports an error, the process ends with EXIT_SYSTEM and a message that names the ranks that do
 * not respond, with their hosts.  The launcher then ends the other ranks.
 */
void watch_wait(struct watch *w, MPI_Request *request);
/*
 * Ends the process in the same way unless `code` is MPI_SUCCESS, the result of a function of MPI.
 */
void watch_check(struct watch *w, int code);

#endif
