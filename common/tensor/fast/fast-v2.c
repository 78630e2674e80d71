/* fast-v2: vector kernels for any processor, and the detection of the level. */
#define LEVEL(name) name##_v2
#define SIMD_ROWS   1
#ifdef __aarch64__		/* 32 registers; with 12 rows, gcc keeps sums in memory */
#define SIMD_REAL_ROWS 6
#else
#define SIMD_REAL_ROWS 4
#endif
#define SIMD_BYTES  16

#include "base/compiler.h"

#ifdef X86_64
#include <emmintrin.h>
#define MULTIPLY_LOW(a, b) (vec_word)_mm_mul_epu32((__m128i)(a), (__m128i)(b))
#define MULTIPLY_PAIRS(sum, a, b) ((sum) + (vec_words)_mm_madd_epi16((__m128i)(a), (__m128i)(b)))
#else
#define MULTIPLY_LOW(a, b) (((a) & 0xffffffffu) * (b))
#define LOW_OF(pairs) ((vec_words)((vec_lanes)(pairs) << 16) >> 16)
#define MULTIPLY_PAIRS(sum, a, b) ((sum) + LOW_OF(a) * LOW_OF(b) + ((a) >> 16) * ((b) >> 16))
#endif

#include <stdatomic.h>

#include "tensor/fast/fast-all.h"

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
