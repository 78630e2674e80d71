/*
 * pool: threads that share a loop.
 *
 * The caller is thread 0 and works too.  Threads only decide who does a piece,
 * never how the pieces are cut: cut by shapes alone, write to separate places,
 * never split a sum, and the result has the same bits for any number of threads.
 * Pieces are dealt in contiguous runs (thread k of n gets pieces p*k/n to
 * p*(k+1)/n), so that the same rows stay with the same thread from op to op; who is
 * done takes pieces of those who are not, so that nobody waits for a slow one.
 */
#ifndef POOL_H
#define POOL_H

struct pool;

struct pool *pool_new(int n_threads);		/* 0: as many as there are processors for it */
void pool_free(struct pool *p);
int pool_threads(const struct pool *p);		/* 1 for NULL */

/* Calls work(arg, piece, thread) once for each piece 0 ... pieces-1; returns when all are done. */
typedef void pool_work(void *arg, int piece, int thread);
void pool_run(struct pool *p, int pieces, pool_work *work, void *arg);	/* p may be NULL */

/*
 * For measuring, from when a clock (in seconds) is given until it is taken away with NULL: loops that were
 * shared, the time from their beginning to their end, and what all threads together worked in it.
 */
struct pool_times { long loops; double seconds, worked; };
void pool_measure(struct pool *p, double (*clock)(void));
struct pool_times pool_times(const struct pool *p);

#endif
