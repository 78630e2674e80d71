/* native: declarations shared by backend-native.c and native-int16.c. */
#ifndef NATIVE_H
#define NATIVE_H

#include "tensor/backend/backend.h"
#include "tensor/tiles.h"

/* The state of the back end. */
struct native { const struct tile_kernels *kernels; char version[64]; };

/* The members gemm_shared and prepare with BACKEND_INT16. */
void native_int16_shared(const struct backend *b, const struct gemm *g, struct pool *pool,
			 struct arena *scratch, void (*finish)(void *arg, int from, int to),
			 void *arg);
const struct prepared *native_int16_prepare(const struct backend *b, const struct gemm *g,
					    struct pool *pool, struct arena *mem);

#endif
