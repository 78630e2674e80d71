/* fast-v2: vector kernels for any processor. */
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

#include "tensor/fast/fast-all.h"
