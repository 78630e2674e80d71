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

void product(const struct backend *b, struct pool *pool, struct arena *scratch, const struct gemm *g,
	     product_finish *finish, void *arg);

#endif
