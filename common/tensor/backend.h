/*
 * backend: who multiplies the matrices.
 *
 * Ops never loop over a matrix product themselves and never call a BLAS.  A
 * backend is one file, tensor/backend-NAME.c, that leaves one constant,
 * backend_NAME, found by wildcard.  Host backends (reference, OpenBLAS, oneDNN)
 * fill gemm and leave the device entries NULL: the CPU kernels stand in.
 */
#ifndef BACKEND_H
#define BACKEND_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "tensor/real.h"

/* op(B) in the layout that a back end multiplies with; what is in it only that back end knows. */
struct prepared;

/*
 * C = alpha op(A) op(B) + beta C, row-major; op(A) is m by k, op(B) is k by n.  prepared is what
 * product_prepare() made of this op(B), or NULL; a back end may use either it or b.
 */
struct gemm {
	int m, n, k;
	bool trans_a, trans_b;
	real alpha, beta;
	const real *a, *b;
	real *c;
	int lda, ldb, ldc;
	const struct prepared *prepared;
};

enum backend_caps {
	BACKEND_DEVICE      = 1,	/* its memory is not ours to touch */
	BACKEND_THREAD_SAFE = 2,	/* gemm may be called from many threads at once, each call on one thread */
	BACKEND_BF16        = 4,	/* set before open() if asked for: both factors are rounded to bf16 */
	BACKEND_ROUNDS      = 8,	/* set by open(): it does so itself; else product() gives it rounded factors */
	BACKEND_MATRIX_UNITS = 16,	/* set by open(): the processor has units made for these products */
	BACKEND_INT16       = 32	/* as BACKEND_BF16: rows of factors are rounded to int16 times a unit */
};

struct arena;
struct pool;
struct product_meter;

struct backend {
	const char *name;
	unsigned caps;
	int  (*open)(struct backend *b, const char *options, struct err *e);
	void (*close)(struct backend *b);
	const char *(*version)(const struct backend *b);
	void (*gemm)(const struct backend *b, const struct gemm *g);
	/*
	 * The same by all threads of a pool, cut by shape alone so that the bits do not depend on how many
	 * they are; finish(arg, from, to) is called once for each row of c when it is complete.  NULL:
	 * tensor/product.c cuts the product and calls gemm.
	 */
	void (*gemm_shared)(const struct backend *b, const struct gemm *g, struct pool *pool,
			    struct arena *scratch, void (*finish)(void *arg, int from, int to), void *arg);
	/*
	 * See product_prepare(); only beside gemm_shared, for product.c cannot cut what it does not know.
	 * NULL, here or returned: this back end multiplies b as it is.
	 */
	const struct prepared *(*prepare)(const struct backend *b, const struct gemm *g, struct pool *pool,
					  struct arena *mem);
	struct product_meter *meter;	/* filled by product() for whoever put it there, or NULL: product.h */
	void *state;
};

/*
 * "openblas", "reference", "NAME:options", "NAME:bf16", "NAME:int16", "NAME:int16:options"; refused if it
 * multiplies a small case wrongly.  With bf16 products are of factors rounded to bf16 (bf16.h), with int16
 * of factors whose rows, of the second one columns, are rounded as int16.h says; whatever the back end.
 */
int  backend_open(struct backend *b, const char *spec, struct err *e);
void backend_close(struct backend *b);
extern const struct backend backend_openblas;	/* each of them; the list is made by the Makefile */
extern const struct backend *const backends[];		/* NULL at the end */

#endif
