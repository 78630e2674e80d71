/*
 * product: a matrix product shared by the threads of a pool.
 *
 * The result is cut by its shape alone, never a sum, so it has the same bits for
 * any number of threads.
 */
#ifndef PRODUCT_H
#define PRODUCT_H

#include "base/arena.h"
#include "base/pool.h"
#include "tensor/backend.h"

/*
 * Called for rows [from, to) of c as soon as they are done, by the thread that did them, once
 * for each row; NULL for nothing.
 */
typedef void product_finish(void *arg, int from, int to);

/*
 * What products and preparations took, if the back end has one; without what `finish` took, of which
 * each thread has an equal share.  flops: multiplications and additions.
 */
struct product_meter {
	double (*clock)(void);		/* in seconds */
	double seconds, flops;
};

void product(const struct backend *b, struct pool *pool, struct arena *scratch, const struct gemm *g,
	     product_finish *finish, void *arg);

/* finish, for back ends that could not call it while they multiplied: over all rows, by all threads. */
void product_finish_all(struct pool *pool, int rows, product_finish *finish, void *arg);

/*
 * Lays the second factor out once for many products that share it: the output layer for all
 * chunks of rows of a step, every weight while sentences are translated.  Of g only
 * n, k, trans_b, b and ldb are read.  What comes back is for the `prepared` of products with the
 * same five, of any m, by the same back end (and backend_open); it lives in mem, about
 * as large as b, and is of use as long as b's numbers do not change.  It may be NULL, which is as
 * good a value for `prepared` as any.  A result has the same bits with it and without.
 */
const struct prepared *product_prepare(const struct backend *b, struct pool *pool, struct arena *mem,
				       const struct gemm *g);

#endif
