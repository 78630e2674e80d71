/*
 * pool: a thread pool for parallel loops.
 *
 * The caller is thread 0 and works, too.  The number of threads decides only which thread does a
 * piece, never how work is divided into pieces.  Results are bit-identical for any number of
 * threads if the caller divides by shapes alone, writes each piece to its own place, and never
 * splits a sum.
 *
 * Thread k of n starts with the contiguous pieces p*k/n to p*(k+1)/n - 1, so that the same rows
 * stay with the same thread from op to op.  A thread that has finished takes pieces from others.
 */
#ifndef POOL_H
#define POOL_H

struct pool;

struct pool *pool_new(int n_threads);		/* 0: one per processor available to the process */
void pool_free(struct pool *p);			/* p may be NULL */
int pool_threads(const struct pool *p);		/* 1 for NULL */

/* Calls work(arg, piece, thread) once for each piece from 0 to pieces-1; returns after the last. */
typedef void pool_work(void *arg, int piece, int thread);
void pool_run(struct pool *p, int pieces, pool_work *work, void *arg);	/* p may be NULL */

/*
 * Measures how well loops are shared.  pool_measure() starts with a clock in seconds and stops
 * with NULL.  pool_times() returns the number of parallel loops, their total duration, and the
 * working time of all threads together, in seconds.
 */
struct pool_times { long loops; double seconds, worked; };
void pool_measure(struct pool *p, double (*clock)(void));
struct pool_times pool_times(const struct pool *p);

#endif
