/* fast-v3: vector kernels for processors with AVX2 and FMA. */
#include "base/compiler.h"

#ifdef X86_64

#include <immintrin.h>

#ifdef __clang__
#pragma clang attribute push(__attribute__((target("avx2,fma"))), apply_to = function)
#else
#pragma GCC target("avx2,fma")
#endif

#define LEVEL(name) name##_v3
#define SIMD_ROWS   2
#define SIMD_REAL_ROWS 6
#define SIMD_BYTES  32
#define MULTIPLY_LOW(a, b) (vec_word)_mm256_mul_epu32((__m256i)(a), (__m256i)(b))
#define MULTIPLY_PAIRS(sum, a, b) ((sum) + (vec_words)_mm256_madd_epi16((__m256i)(a), (__m256i)(b)))

#include "tensor/fast/fast-all.h"

#ifdef __clang__
#pragma clang attribute pop
#endif

#else
typedef int fast_v3_is_empty;
#endif
