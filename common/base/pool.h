/*
 * pool: a thread pool for parallel loops.
 *
 * The caller is thread 0 and works, too.  The number of threads decides only which thread does an
 * item of work, never how work is divided into items.  Results are bit-identical for any number of
 * threads if the caller divides work into items by shapes alone, stores the result of each item
 * separately, and never splits a sum.
 *
 * Of `items` items, thread k of n starts with the items from items*k/n to items*(k+1)/n - 1.  In
 * successive loops over the same rows, a row is therefore mostly with the same thread.  A thread
 * that has finished its items takes items of other threads.
 */
#ifndef POOL_H
#define POOL_H

struct pool;

struct pool *pool_new(int n_threads);		/* 0: one per processor available to the process */
void pool_free(struct pool *p);			/* p may be NULL */
int pool_threads(const struct pool *p);		/* 1 for NULL */

/*
 * Calls work(arg, item, thread) once for each item from 0 to items - 1, in parallel; returns when
 * all are done.  `p` NULL means one thread.  work() must not call pool_run() of the same pool.
 */
typedef void pool_work(void *arg, int item, int thread);
void pool_run(struct pool *p, int items, pool_work *work, void *arg);

/*
 * Measure how well the threads are used.  pool_measure() starts measuring with `clock`, which
 * returns a time in seconds, or stops if `clock` is NULL.  pool_times() returns the number of
 * parallel loops, their total duration, and the working time of all threads together, both in
 * seconds.  Loops that one thread does alone do not count.
 */
struct pool_times { long loops; double seconds, worked; };
void pool_measure(struct pool *p, double (*clock)(void));
struct pool_times pool_times(const struct pool *p);

#endif
