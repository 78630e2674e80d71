/*
 * backend: matrix-product back ends; see backend(3).
 *
 * Ops never loop over a large matrix product themselves and never call a BLAS.  A back end is one
 * file, tensor/backend/backend-NAME.c, that defines one constant, backend_NAME; the Makefile finds
 * it by wildcard.
 */
#ifndef BACKEND_H
#define BACKEND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "tensor/bf16.h"
#include "tensor/real.h"

/* op(B) packed by a back end.  Its contents are private to the back end. */
struct prepared;

/*
 * C = alpha op(A) op(B) + beta C in row-major order.  op(A) is m by k, op(B) is k by n.  `prepared`
 * is the result of product_prepare() for this op(B), or NULL; a back end may use it instead of b.
 *
 * For product_prepare() of a back end with BACKEND_INT8, b8 and b_unit may replace b: row i of
 * op(B)', with the distance ldb, is b_unit[i] * b8, as int8.h rounds it, and op(B) = B'.
 *
 * A back end that rounds to bf16 also accepts rounded factors: if a16 or b16 is not NULL, it
 * replaces a or b, with the same layout, and op(B) = B.
 */
struct gemm {
	int m, n, k;
	bool trans_a, trans_b;
	real alpha, beta;
	const real *a, *b;
	const bf16 *a16, *b16;
	const int8_t *b8;
	const real *b_unit;
	real *c;
	int lda, ldb, ldc;
	const struct prepared *prepared;
};

enum backend_caps {
	BACKEND_DEVICE      = 1,	/* its memory is not accessible to the CPU */
	BACKEND_THREAD_SAFE = 2,	/* several threads may call gemm at the same time */
	BACKEND_BF16        = 4,	/* set before open(): round both factors to bf16 */
	BACKEND_ROUNDS      = 8,	/* set by open(): it rounds by itself; else product() */
	BACKEND_MATRIX_UNITS = 16,	/* set by open(): the processor has matrix units */
	BACKEND_INT16       = 32,	/* set before open(): round to int16, see int16.h */
	BACKEND_INT8        = 64,	/* set before open(): round to int8, see int8.h */
	BACKEND_READS_BF16  = 128,	/* set by open(): it reads a16 and b16; else product() */
	BACKEND_TRANSPOSES_BF16 = 256	/* set by open(): it reads a16 also if op(A) = A' */
};

struct arena;
struct pool;
struct product_meter;

struct backend {
	const char *name;
	unsigned caps;
	int  (*open)(struct backend *b, const char *options, struct err *e);
	void (*close)(struct backend *b);
	const char *(*version)(const struct backend *b);	/* a description for users */
	/* Computes a product on the calling thread; m, n and k are positive. */
	void (*gemm)(const struct backend *b, const struct gemm *g);
	/*
	 * Computes a product on all threads of a pool.  C is split by its shape only, so that the
	 * bits do not depend on the number of threads.  Calls finish(arg, from, to) once for each
	 * row of C when it is complete; `finish` may be NULL.  If gemm_shared is NULL,
	 * tensor/product.c splits C and calls gemm.
	 */
	void (*gemm_shared)(const struct backend *b, const struct gemm *g, struct pool *pool,
			    struct arena *scratch, void (*finish)(void *arg, int from, int to),
			    void *arg);
	/*
	 * Packs op(B); see product_prepare().  May be NULL or return NULL if the back end does not
	 * pack.  Requires gemm_shared, because product.c cannot split packed data.
	 */
	const struct prepared *(*prepare)(const struct backend *b, const struct gemm *g,
					  struct pool *pool, struct arena *mem);
	/*
	 * Products with op(A) = A', alpha = 1, beta = 1 and k up to this number have the bits of C
	 * plus the product with beta = 0.
	 */
	int adds_whole;
	struct product_meter *meter;	/* updated by product(); NULL unless a caller sets it */
	void *state;
};

/*
 * Opens the back end that spec names: "NAME", "NAME:options", "NAME:PRECISION" or
 * "NAME:PRECISION:options", where PRECISION is bf16, int16 or int8.  With bf16, both factors of all
 * products are rounded as in bf16.h.  With int16 and int8, the rows of op(A) and the columns of
 * op(B) are rounded as in int16.h and int8.h.  Returns -1 if the back end is unknown, is not
 * available, does not have the options, or computes a small product incorrectly.
 */
int  backend_open(struct backend *b, const char *spec, struct err *e);
void backend_close(struct backend *b);

extern const struct backend backend_openblas;	/* and so on; the Makefile makes the list */
extern const struct backend *const backends[];	/* all of them, NULL-terminated */

#endif
