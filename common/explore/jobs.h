/*
 * jobs: requests that wait for a worker.
 *
 * The idle worker with the lowest number takes the next request.  A worker allocates its memory at
 * its first request, so that workers that are never needed use no memory.  At most JOBS_WAITING
 * requests wait.  A request is not answered after a later one of the same page has arrived: it is
 * overtaken, and leaves the queue, or its worker stops at the next step.
 */
#ifndef JOBS_H
#define JOBS_H

#include "explore/explorer.h"

enum { JOBS_WAITING = 8, JOBS_WORKERS = 64 };	/* maxima */

enum job_state { JOB_PENDING, JOB_DONE, JOB_FAILED, JOB_OVERTAKEN, JOB_REFUSED };

struct job {
	struct explore_request request;	/* the caller's */
	struct buf answer;		/* complete with JOB_DONE; the caller releases it */
	struct err e;			/* with JOB_FAILED */
	/*
	 * Called once by some thread, when the job is no longer pending, unless jobs_add() refused
	 * it.  `arg` is the caller's.
	 */
	void (*done)(struct job *j);
	void *arg;
	_Atomic enum job_state state;	/* the caller reads it in done() */
	/* Private: */
	atomic_bool overtaken;
	struct job *next;
};

struct jobs;

/*
 * Starts n workers, from 1 to JOBS_WORKERS, or one if the back end is not thread-safe.  x must
 * outlive the queue.  Returns NULL with EXIT_SYSTEM if a thread cannot be started, or as
 * explorer_worker_open().  Release the queue with jobs_end() and jobs_free().
 */
struct jobs *jobs_start(struct explorer *x, int n, struct err *e) MUST_USE;
/*
 * jobs_end() ends all jobs as overtaken and waits for the workers, which end after their current
 * steps; jobs_add() then refuses all jobs.  jobs_free() must follow, when no thread will add jobs
 * any more.
 */
void jobs_end(struct jobs *q);
void jobs_free(struct jobs *q);

int jobs_models(const struct jobs *q);	/* number of models that answer each request */
/*
 * Adds a job, of which the caller has set request, done and arg, and which is otherwise zero.  j
 * must remain until done() is called, perhaps before jobs_add() returns.  Returns -1 if the job is
 * refused, because JOBS_WAITING jobs wait or jobs_end() was called: its state is then JOB_REFUSED,
 * done() is not called, and j is the caller's again.
 */
int jobs_add(struct jobs *q, struct job *j);

#endif
