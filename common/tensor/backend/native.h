/* native: declarations shared by backend-native.c and native-int.c. */
#ifndef NATIVE_H
#define NATIVE_H

#include "tensor/backend/backend.h"
#include "tensor/tiles.h"

/* The state of the back end. */
struct native { const struct tile_kernels *kernels; char version[64]; };

/* The members gemm_shared and prepare with BACKEND_INT16 or BACKEND_INT8. */
void native_int_shared(const struct backend *b, const struct gemm *g, struct pool *pool,
			 struct arena *scratch, void (*finish)(void *arg, int from, int to),
			 void *arg);
const struct prepared *native_int_prepare(const struct backend *b, const struct gemm *g,
					    struct pool *pool, struct arena *mem);

#endif
