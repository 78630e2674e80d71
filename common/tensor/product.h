/*
 * product: a matrix product computed by all threads of a pool.
 *
 * The result is split by its shape only and sums are never split, so it has the same bits for any
 * number of threads.
 */
#ifndef PRODUCT_H
#define PRODUCT_H

#include "base/arena.h"
#include "base/pool.h"
#include "tensor/backend/backend.h"

/*
 * A function that is called once for each row of c: for rows `from` to `to` - 1, as soon as they
 * are complete, by the thread that computed them.
 */
typedef void product_finish(void *arg, int from, int to);

/*
 * Accumulates the time of products and preparations, without the time of `finish`, and the number
 * of multiplications and additions.
 */
struct product_meter {
	double (*clock)(void);		/* in seconds */
	double seconds, flops;
};

/* Computes g.  `finish` may be NULL. */
void product(const struct backend *b, struct pool *pool, struct arena *scratch,
	     const struct gemm *g, product_finish *finish, void *arg);

/* Calls `finish` for all rows on all threads, for back ends that did not call it in a product. */
void product_finish_all(struct pool *pool, int rows, product_finish *finish, void *arg);

/* The member gemm of back ends that have gemm_shared: that function, on the calling thread. */
void product_alone(const struct backend *b, const struct gemm *g);

/*
 * Packs the second factor once for many products that share it: the output layer for all chunks
 * of rows of a step, and every weight during translation.  Only n, k, trans_b, b and ldb of g are
 * read.
 *
 * The result is for the member `prepared` of products that have the same five members, with any m,
 * by the same open back end.  It is in `mem`, is about as large as b, and is valid until the
 * elements of b change.  It may be NULL, which is a valid value of `prepared`.  The bits of a
 * product do not depend on it.
 */
const struct prepared *product_prepare(const struct backend *b, struct pool *pool,
				       struct arena *mem, const struct gemm *g);

#endif
