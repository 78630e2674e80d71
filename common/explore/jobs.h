/*
 * jobs: a queue of requests that wait for a worker (explorer.h).  A job is a request with its
 * answer.
 *
 * The idle worker with the lowest number takes the next job.  A worker allocates its memory at its
 * first job, so that workers that are never needed use no memory.  At most JOBS_WAITING jobs wait.
 * A job is overtaken when a later request of the same page arrives or has arrived before.  It is
 * then not answered: it leaves the queue or, if it is running, its worker stops at the next step.
 */
#ifndef JOBS_H
#define JOBS_H

#include "explore/explorer.h"

enum { JOBS_WAITING = 8, JOBS_WORKERS = 64 };	/* maximum numbers of waiting jobs, and of
						 * workers */

enum job_state { JOB_PENDING, JOB_DONE, JOB_FAILED, JOB_OVERTAKEN, JOB_REFUSED };

struct job {
	struct explore_request request;	/* set and released by the caller */
	struct buf answer;		/* complete if `state` is JOB_DONE; the caller releases
					 * it */
	struct err e;			/* the error if `state` is JOB_FAILED */
	/*
	 * Set by the caller.  Called once, by any thread, when `state` is no longer JOB_PENDING;
	 * not called if jobs_add() refused the job.  `arg` is for the use of done().
	 */
	void (*done)(struct job *j);
	void *arg;
	_Atomic enum job_state state;	/* may be read in done(), or after jobs_add() returned -1 */
	/* Private: */
	atomic_bool overtaken;
	struct job *next;
};

struct jobs;

/*
 * Returns a queue with `n` workers, 1 to JOBS_WORKERS; with one worker if the matrix-product back
 * end is not thread-safe.  `x` must outlive the queue.  Returns NULL with EXIT_SYSTEM if a thread
 * cannot be started, or as explorer_worker_open().  Release the queue with jobs_end() and then
 * jobs_free().
 */
struct jobs *jobs_start(struct explorer *x, int n, struct err *e) MUST_USE;
/*
 * jobs_end() makes all jobs overtaken, and returns when all workers have stopped.  From then on,
 * jobs_add() refuses all jobs.  jobs_free() must be called after it, when no thread will call
 * jobs_add() any more.
 */
void jobs_end(struct jobs *q);
void jobs_free(struct jobs *q);

int jobs_models(const struct jobs *q);	/* number of models of the explorer */
/*
 * Adds a job.  The caller has set `request`, `done` and `arg`; all other members must be zeros.
 * The job must remain valid until done() is called, which may be before jobs_add() returns.
 * Returns -1 if the job is refused because JOBS_WAITING jobs are waiting or jobs_end() was called.
 * Then its state is JOB_REFUSED, and done() is not called.
 */
int jobs_add(struct jobs *q, struct job *j);

#endif
