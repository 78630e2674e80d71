/*
 * product: a matrix product computed by all threads of a pool.
 *
 * The work is divided by the shape of the result only, and sums are never divided.  The result
 * therefore has the same bits for any number of threads.
 */
#ifndef PRODUCT_H
#define PRODUCT_H

#include "base/arena.h"
#include "base/pool.h"
#include "tensor/backend/backend.h"

/*
 * A function that a product calls for each range of rows of its result, `from` to `to` - 1, once
 * they are complete: on the thread that computed them or, if the threads divide the columns, at the
 * end and on any thread.  Each row is in one range.
 */
typedef void product_finish(void *arg, int from, int to);

/*
 * The meter of a back end (member `meter`).  Products and preparations add their time to `seconds`,
 * without the time of product_finish functions, and the number of their multiplications and
 * additions to `flops`.
 */
struct product_meter {
	double (*clock)(void);		/* the time in seconds; set by the caller */
	double seconds, flops;
};

/*
 * Computes the product g (backend/backend.h) with back end b.  `finish`, which may be NULL, is
 * called with `arg`.  Temporary memory is taken from `scratch`.
 */
void product(const struct backend *b, struct pool *pool, struct arena *scratch,
	     const struct gemm *g, product_finish *finish, void *arg);

/*
 * Calls `finish` for `rows` rows, distributed over all threads, for back ends that do not call it
 * in a product.
 */
void product_finish_all(struct pool *pool, int rows, product_finish *finish, void *arg);

/*
 * For back ends with a function gemm_shared(): calls it without other threads.  It can be their
 * member gemm().
 */
void product_alone(const struct backend *b, const struct gemm *g);

/*
 * Packs the second factor of g, op(B), for many products in which it is the same, such as the
 * output layer in all steps of a translation.  Only n, k, trans_b, b and ldb of g are read, or b8
 * and b_unit in place of b.
 *
 * The result is the member `prepared` of later products by the same open back end that are the same
 * in these members.  It is in `mem`, is at most about as large as the factor, and is valid until
 * the elements of the factor change.  NULL if the back end does not pack, which is a valid value of
 * `prepared`.  The bits of a product do not depend on `prepared`.
 */
const struct prepared *product_prepare(const struct backend *b, struct pool *pool,
				       struct arena *mem, const struct gemm *g);

#endif
