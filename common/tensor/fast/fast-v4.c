/* fast-v4: vector kernels for processors with AVX-512. */
#include "base/compiler.h"

#ifdef X86_64

#include <immintrin.h>

#ifdef __clang__
#pragma clang attribute push(__attribute__((target( \
	"avx2,fma,avx512f,avx512vl,avx512dq,avx512bw,prfchw"))), apply_to = function)
#else
#pragma GCC target("avx2,fma,avx512f,avx512vl,avx512dq,avx512bw,prfchw")
#endif

#define LEVEL(name) name##_v4
#define SIMD_ROWS   12
#define SIMD_REAL_ROWS 12
#define SIMD_BYTES  64
#define SIMD_MASKS  1
#define MULTIPLY_LOW(a, b) (vec_word)_mm512_mul_epu32((__m512i)(a), (__m512i)(b))
#define MULTIPLY_PAIRS(sum, a, b) \
	((sum) + (vec_words)_mm512_madd_epi16((__m512i)(a), (__m512i)(b)))

#include "tensor/fast/fast-all.h"

#ifdef __clang__
#pragma clang attribute pop
#endif

#else
typedef int fast_v4_is_empty;
#endif
