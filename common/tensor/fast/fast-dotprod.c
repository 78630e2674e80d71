/*
 * fast-dotprod: products of bytes for ARM's dot product instructions; both factors are signed.
 *
 * The instruction is written in assembly language: clang 14 has the intrinsic function only if the
 * whole file is compiled for such processors.
 */
#include "tensor/tiles.h"

#if defined(__aarch64__) && !defined(REAL_DOUBLE)

#ifdef __clang__
#pragma clang attribute push(__attribute__((target("dotprod"))), apply_to = function)
#else
#pragma GCC target("arch=armv8.2-a+dotprod")
#endif

#define LEVEL(name) name##_dotprod
#define SIMD_ROWS   2
#define SIMD_BYTES  16
#define NO_PAIRS
#define MULTIPLY_QUADS(sum, a, b) dot_product(sum, a, b)

#include "tensor/fast/fast.h"
#include "tensor/simd.h"

typedef int32_t vec_quads __attribute__((vector_size(SIMD_BYTES)));

INLINE vec_quads
dot_product(vec_quads sum, vec_quads a, vec_quads b)
{
	__asm__("sdot %0.4s, %1.16b, %2.16b" : "+w"(sum) : "w"(a), "w"(b));
	return sum;
}

#include "tensor/fast/fast-words.h"

#ifdef __clang__
#pragma clang attribute pop
#endif

#else
typedef int fast_dotprod_is_empty;
#endif
