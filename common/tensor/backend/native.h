/* native: declarations shared by the files of the back end native. */
#ifndef NATIVE_H
#define NATIVE_H

#include "tensor/backend/backend.h"
#include "tensor/bf16-tiles.h"
#include "tensor/tiles.h"

/* The state of the back end. */
struct native {
	const struct tile_kernels *kernels;
	const struct bf16_kernel *bf16;	/* NULL: factors are rounded, multiplied in fp32 */
	char version[64];
};

/*
 * The members gemm_shared and prepare of the back end (backend.h): native_int_* with BACKEND_INT16
 * or BACKEND_INT8, native_bf16_* with BACKEND_BF16 and a bf16 kernel.
 */
void native_int_shared(const struct backend *b, const struct gemm *g, struct pool *pool,
		       struct arena *scratch, void (*finish)(void *arg, int from, int to),
		       void *arg);
const struct prepared *native_int_prepare(const struct backend *b, const struct gemm *g,
					  struct pool *pool, struct arena *mem);
void native_bf16_shared(const struct backend *b, const struct gemm *g, struct pool *pool,
			struct arena *scratch, void (*finish)(void *arg, int from, int to),
			void *arg);
const struct prepared *native_bf16_prepare(const struct backend *b, const struct gemm *g,
					   struct pool *pool, struct arena *mem);

#endif
