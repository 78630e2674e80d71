/*
 * jobs: requests that wait for a worker.
 *
 * A worker needs memory from its first request on, and the first idle one takes the next request.
 * A queue has at most JOBS_WAITING requests.  A request that a later one of the same page overtakes
 * is not answered: it leaves the queue, or its worker stops at the next step.
 */
#ifndef JOBS_H
#define JOBS_H

#include "explore/explorer.h"

enum { JOBS_WAITING = 8, JOBS_WORKERS = 64 };	/* maxima */

enum job_state { JOB_PENDING, JOB_DONE, JOB_FAILED, JOB_OVERTAKEN, JOB_REFUSED };

struct job {
	struct explore_request request;	/* the caller's */
	struct buf answer;		/* with JOB_DONE */
	struct err e;			/* with JOB_FAILED */
	/* Called once by some thread, when the job is no longer pending; `arg` is the caller's. */
	void (*done)(struct job *j);
	void *arg;
	_Atomic enum job_state state;	/* the caller reads it in done() */
	/* Private: */
	atomic_bool overtaken;
	struct job *next;
};

struct jobs;

/* Starts n workers, or one if the back end is not thread-safe.  Returns NULL on error. */
struct jobs *jobs_start(struct explorer *x, int n, struct err *e) MUST_USE;
/*
 * jobs_end() ends all jobs as overtaken, and the workers after their current steps; jobs_add() then
 * fails.  jobs_free() must follow, when nobody adds jobs any more.
 */
void jobs_end(struct jobs *q);
void jobs_free(struct jobs *q);

int jobs_models(const struct jobs *q);	/* the number of models of a request */
/*
 * Adds a job, of which the caller has set request, done and arg, and which is otherwise zero.
 * Returns -1 if it is refused because too many jobs wait.
 */
int jobs_add(struct jobs *q, struct job *j);

#endif
