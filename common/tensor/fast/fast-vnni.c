/* fast-vnni: integer products for AVX-512 VNNI, which multiplies and adds in one instruction. */
#include "base/compiler.h"

#if defined(X86_64) && !defined(REAL_DOUBLE)

#include <immintrin.h>

#ifdef __clang__
#pragma clang attribute push(__attribute__((target( \
	"avx2,fma,avx512f,avx512vl,avx512dq,avx512bw,avx512vnni,prfchw"))), apply_to = function)
#else
#pragma GCC target("avx2,fma,avx512f,avx512vl,avx512dq,avx512bw,avx512vnni,prfchw")
#endif

#define LEVEL(name) name##_vnni
#define SIMD_ROWS   12
#define SIMD_BYTES  64
#define SIMD_MASKS  1
#define MULTIPLY_PAIRS(sum, a, b) \
	(vec_words)_mm512_dpwssd_epi32((__m512i)(sum), (__m512i)(a), (__m512i)(b))
#define MULTIPLY_QUADS(sum, a, b) \
	(vec_words)_mm512_dpbusd_epi32((__m512i)(sum), (__m512i)(a), (__m512i)(b))

#include "tensor/fast/fast.h"
#include "tensor/simd.h"

#include "tensor/fast/fast-byte-dots.h"
#include "tensor/fast/fast-words.h"

#ifdef __clang__
#pragma clang attribute pop
#endif

#else
typedef int fast_vnni_is_empty;
#endif
