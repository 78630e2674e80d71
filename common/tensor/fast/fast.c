/* fast: the level of this processor, and the functions that call the fastest kernel for it. */
#include "tensor/fast/fast.h"

#include <stdatomic.h>

int
fast_level(void)
{
#ifdef X86_64
	static atomic_int level = -1;

	if (level < 0) {
		__builtin_cpu_init();
		if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma"))
			level = 0;
		else
			level = 1 + (__builtin_cpu_supports("avx512f") &&
				     __builtin_cpu_supports("avx512vl") &&
				     __builtin_cpu_supports("avx512dq") &&
				     __builtin_cpu_supports("avx512bw"));
	}
	return level;
#else
	return 0;
#endif
}

bool
fast_bf16(void)
{
#ifdef X86_64
	static atomic_int has = -1;

	if (has < 0)
		has = fast_level() == 2 && __builtin_cpu_supports("avx512bf16");
	return has;
#else
	return false;
#endif
}

#define CALL_VOID(name, parameters, arguments) \
void \
name parameters \
{ \
	FASTEST(name) arguments; \
}

#define CALL_VALUE(result, name, parameters, arguments) \
result \
name parameters \
{ \
	return FASTEST(name) arguments; \
}

#define CALL_ACTIVATION(name) \
CALL_VOID(k_##name, (size_t n, const real *x, real *y), (n, x, y)) \
CALL_VOID(k_##name##_back, (size_t n, const real *x, const real *g, real beta, real *dx), \
	  (n, x, g, beta, dx))

KERNELS(CALL_VOID, CALL_VALUE)
ACTIVATIONS(CALL_ACTIVATION)
