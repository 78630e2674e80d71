/*
 * pool: a thread pool for parallel loops.
 *
 * The caller is thread 0 and works, too.  The number of threads decides only which thread does an
 * item of work, never how work is divided into items.  Results are bit-identical for any number
 * of threads if the caller divides by shapes alone, writes each item to its own place, and never
 * splits a sum.
 *
 * Thread k of n starts with the contiguous items p*k/n to p*(k+1)/n - 1, so that the same rows
 * stay with the same thread from op to op.  A thread that has finished takes items from others.
 */
#ifndef POOL_H
#define POOL_H

struct pool;

struct pool *pool_new(int n_threads);		/* 0: one per processor available to the process */
void pool_free(struct pool *p);			/* p may be NULL */
int pool_threads(const struct pool *p);		/* 1 for NULL */

/* Calls work(arg, item, thread) once for each item from 0 to items-1; returns after the last. */
typedef void pool_work(void *arg, int item, int thread);
void pool_run(struct pool *p, int items, pool_work *work, void *arg);	/* p may be NULL */

/*
 * Measures how well loops are shared.  pool_measure() starts with a clock in seconds and stops
 * with NULL.  pool_times() returns the number of parallel loops, their total duration, and the
 * working time of all threads together, in seconds.
 */
struct pool_times { long loops; double seconds, worked; };
void pool_measure(struct pool *p, double (*clock)(void));
struct pool_times pool_times(const struct pool *p);

#endif
