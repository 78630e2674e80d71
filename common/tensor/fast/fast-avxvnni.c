/* fast-avxvnni: integer products for AVX-VNNI, the instructions of fast-vnni.c in 32 bytes. */
#include "base/compiler.h"

#if defined(X86_64) && !defined(REAL_DOUBLE)

#include <immintrin.h>

#ifdef __clang__
#pragma clang attribute push(__attribute__((target("avx2,fma,avxvnni"))), apply_to = function)
#else
#pragma GCC target("avx2,fma,avxvnni")
#endif

#define LEVEL(name) name##_avxvnni
#define SIMD_ROWS   2
#define SIMD_BYTES  32
#define MULTIPLY_PAIRS(sum, a, b) \
	(vec_words)_mm256_dpwssd_avx_epi32((__m256i)(sum), (__m256i)(a), (__m256i)(b))
#define MULTIPLY_QUADS(sum, a, b) \
	(vec_words)_mm256_dpbusd_avx_epi32((__m256i)(sum), (__m256i)(a), (__m256i)(b))

#include "tensor/fast/fast.h"
#include "tensor/simd.h"

#include "tensor/fast/fast-words.h"

#ifdef __clang__
#pragma clang attribute pop
#endif

#else
typedef int fast_avxvnni_is_empty;
#endif
