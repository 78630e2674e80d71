/*
 * watch-mpi: waits for the other ranks, and finds the ranks that do not respond.  Only for
 * ranks-mpi.c.
 *
 * A waiting rank polls its request (an operation that MPI does in the background), so that it can
 * stop waiting.  After the time limit it calls the roll: it sends a note, a message without
 * contents, to every other rank, and every rank that waits as well replies.  A rank that does not
 * reply within ROLL_SECONDS has died, hangs, computes for too long or is cut off from the network.
 */
#ifndef WATCH_MPI_H
#define WATCH_MPI_H

#include <mpi.h>

#include "train/ranks.h"

#define ROLL_SECONDS 5.0

struct place;

struct watch {
	MPI_Comm comm;			/* private to watch-mpi.c, for these notes only */
	int me, n;			/* this rank, from 0; number of ranks */
	double limit;			/* seconds; 0: wait forever */
	double waited;			/* seconds in watch_wait() so far */
	int roll;			/* number of roll calls of this rank so far */
	bool *here;			/* [n] whether each rank has replied to the last one */
	struct place *place;		/* [n] host and process of each rank */
};

/*
 * All ranks of `comm` call it together.  `comm` remains the caller's, who uses it for nothing else.
 * There is no limit at first; set w->limit.
 */
void watch_init(struct watch *w, MPI_Comm comm);
void watch_release(struct watch *w);

/*
 * Waits until the request is complete.  If that takes longer than the limit, or if the library
 * reports an error, calls the roll, and ends the process with EXIT_SYSTEM and a message that names
 * the ranks that do not respond, with their hosts, unless the request completes in the meantime;
 * the launcher then ends the other ranks.  If several ranks call, the lowest ends the training.
 */
void watch_wait(struct watch *w, MPI_Request *request);
/*
 * Ends the process in the same way unless `code`, the result of a function of MPI, is MPI_SUCCESS.
 */
void watch_check(struct watch *w, int code);

#endif
