/*
 * simd: vectors of 64 bytes in plain C.
 *
 * Vectors have the vector types of gcc and clang.  A vector has 16 floats or, in double precision,
 * 8 doubles.  The compiler keeps it in one, two or four registers, depending on the processor.
 */
#ifndef SIMD_H
#define SIMD_H

#include <stdint.h>
#include <string.h>

#include "base/compiler.h"
#include "tensor/real.h"

/*
 * Files that are compiled for AVX-512, which has masked vectors of 64 bytes, define SIMD_MASKS as
 * 1.
 */
#ifndef SIMD_MASKS
#define SIMD_MASKS 0
#endif

#define INLINE static inline __attribute__((always_inline))

/*
 * To be put before a loop with a small, constant number of iterations, so that its arrays are kept
 * in registers.
 */
#ifdef __clang__
#define UNROLL _Pragma("clang loop unroll(full)")
#else
#define UNROLL _Pragma("GCC unroll 16")
#endif

#define LANES ((int)(64 / sizeof(real)))

typedef real vec __attribute__((vector_size(64)));

#ifdef REAL_DOUBLE
typedef int64_t lane_int;
#else
typedef int32_t lane_int;
#endif
typedef lane_int vec_int __attribute__((vector_size(64)));
/*
 * A vector in memory that begins at any element.  With memcpy() in place of this type,
 * _FORTIFY_SOURCE would call a function where the size of an array is known only at run time.
 */
typedef real vec_memory __attribute__((vector_size(64), aligned(sizeof(real)), may_alias));

/* A vector with the index of each lane, from 0. */
#ifdef REAL_DOUBLE
#define vec_index ((vec_int){ 0, 1, 2, 3, 4, 5, 6, 7 })
#else
#define vec_index ((vec_int){ 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15 })
#endif

INLINE vec
vec_load(const real *p)
{
	return *(const vec_memory *)p;
}

INLINE void
vec_store(real *p, vec v)
{
	*(vec_memory *)p = v;
}

/* Converts LANES bytes to real numbers, in steps for which gcc 12 uses vector instructions. */
INLINE vec
vec_of_bytes(const int8_t *p)
{
#if SIMD_MASKS && defined(REAL_DOUBLE)
	return (vec)_mm512_cvtepi32_pd(_mm256_cvtepi8_epi32(_mm_loadl_epi64((const void *)p)));
#elif SIMD_MASKS
	return (vec)_mm512_cvtepi32_ps(_mm512_cvtepi8_epi32(_mm_loadu_si128((const void *)p)));
#else
	int8_t x __attribute__((vector_size(LANES)));
	int16_t wide __attribute__((vector_size(2 * LANES)));

	memcpy(&x, p, sizeof(x));
	wide = __builtin_convertvector(x, __typeof__(wide));
	return __builtin_convertvector(__builtin_convertvector(wide, vec_int), vec);
#endif
}

INLINE vec
vec_all(real x)
{
	return x - (vec){0};
}

/*
 * Takes each lane from `yes` if the bits of this lane in `mask` are set, and from `no` if they are
 * not.  In a lane of `mask`, all bits are set or none.
 */
INLINE vec
vec_select(vec_int mask, vec yes, vec no)
{
	return (vec)(((vec_int)yes & mask) | ((vec_int)no & ~mask));
}

/*
 * In each lane, a if it is larger than b, otherwise b.  The intrinsics are needed because the
 * compiler does not use the instruction by itself.
 */
INLINE vec
vec_max(vec a, vec b)
{
#if SIMD_MASKS && defined(REAL_DOUBLE)
	return (vec)_mm512_max_pd((__m512d)a, (__m512d)b);
#elif SIMD_MASKS
	return (vec)_mm512_max_ps((__m512)a, (__m512)b);
#else
	return vec_select(a > b, a, b);
#endif
}

/*
 * VEC_FOLD() combines all lanes in lane 0 with the function `with`: the upper half with the lower
 * half, repeatedly.
 */
#define LANES_OF(v, ...) __builtin_shufflevector(v, v, __VA_ARGS__)
#ifdef REAL_DOUBLE
#define VEC_FOLD(with, v) do { \
	v = with(v, LANES_OF(v, 4, 5, 6, 7, 4, 5, 6, 7)); \
	v = with(v, LANES_OF(v, 2, 3, 2, 3, 2, 3, 2, 3)); \
	v = with(v, LANES_OF(v, 1, 1, 1, 1, 1, 1, 1, 1)); \
} while (0)
#else
#define VEC_FOLD(with, v) do { \
	v = with(v, LANES_OF(v, 8, 9, 10, 11, 12, 13, 14, 15, 8, 9, 10, 11, 12, 13, 14, 15)); \
	v = with(v, LANES_OF(v, 4, 5, 6, 7, 4, 5, 6, 7, 4, 5, 6, 7, 4, 5, 6, 7)); \
	v = with(v, LANES_OF(v, 2, 3, 2, 3, 2, 3, 2, 3, 2, 3, 2, 3, 2, 3, 2, 3)); \
	v = with(v, LANES_OF(v, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1)); \
} while (0)
#endif

INLINE vec
vec_add(vec a, vec b)
{
	return a + b;
}

/* The sum of all lanes, added in the same order on every processor. */
INLINE real
vec_sum(vec v)
{
	VEC_FOLD(vec_add, v);
	return v[0];
}

/*
 * vec_sums() returns a vector whose lane i is vec_sum(v[i % 4]), with the same order of additions.
 */
#define OF_TWO(a, b, ...) __builtin_shufflevector(a, b, __VA_ARGS__)
#ifdef REAL_DOUBLE
INLINE vec
vec_sums(const vec *v)
{
	const vec a = OF_TWO(v[0], v[1], 0, 1, 2, 3, 8, 9, 10, 11) +
		      OF_TWO(v[0], v[1], 4, 5, 6, 7, 12, 13, 14, 15);
	const vec b = OF_TWO(v[2], v[3], 0, 1, 2, 3, 8, 9, 10, 11) +
		      OF_TWO(v[2], v[3], 4, 5, 6, 7, 12, 13, 14, 15);
	const vec c = OF_TWO(a, b, 0, 1, 4, 5, 8, 9, 12, 13) +
		      OF_TWO(a, b, 2, 3, 6, 7, 10, 11, 14, 15);

	return LANES_OF(c, 0, 2, 4, 6, 0, 2, 4, 6) + LANES_OF(c, 1, 3, 5, 7, 1, 3, 5, 7);
}
#else
#define HALVES(a, b) (OF_TWO(a, b, 0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23) + \
		      OF_TWO(a, b, 8, 9, 10, 11, 12, 13, 14, 15, 24, 25, 26, 27, 28, 29, 30, 31))

INLINE vec
vec_sums(const vec *v)
{
	const vec a = HALVES(v[0], v[1]), b = HALVES(v[2], v[3]);
	vec c = OF_TWO(a, b, 0, 1, 2, 3, 8, 9, 10, 11, 16, 17, 18, 19, 24, 25, 26, 27) +
		OF_TWO(a, b, 4, 5, 6, 7, 12, 13, 14, 15, 20, 21, 22, 23, 28, 29, 30, 31);

	c += LANES_OF(c, 2, 3, 2, 3, 6, 7, 6, 7, 10, 11, 10, 11, 14, 15, 14, 15);
	return LANES_OF(c, 0, 4, 8, 12, 0, 4, 8, 12, 0, 4, 8, 12, 0, 4, 8, 12) +
	       LANES_OF(c, 1, 5, 9, 13, 1, 5, 9, 13, 1, 5, 9, 13, 1, 5, 9, 13);
}
#undef HALVES
#endif
#undef OF_TWO

INLINE real
vec_largest(vec v)
{
	VEC_FOLD(vec_max, v);
	return v[0];
}

/*
 * vec_load_part() loads the first n lanes, and sets the others to `fill`.  vec_store_part() stores
 * only the first n lanes.
 */
#if SIMD_MASKS && defined(REAL_DOUBLE)
#define vec_load_part(p, n, fill) \
	(vec)_mm512_mask_loadu_pd((__m512d)vec_all(fill), (__mmask8)((1u << (n)) - 1), p)
#define vec_store_part(p, v, n) \
	_mm512_mask_storeu_pd(p, (__mmask8)((1u << (n)) - 1), (__m512d)(v))
#elif SIMD_MASKS
#define vec_load_part(p, n, fill) \
	(vec)_mm512_mask_loadu_ps((__m512)vec_all(fill), (__mmask16)((1u << (n)) - 1), p)
#define vec_store_part(p, v, n) \
	_mm512_mask_storeu_ps(p, (__mmask16)((1u << (n)) - 1), (__m512)(v))
#else
INLINE vec
vec_load_part(const real *p, int n, real fill)
{
	vec v = vec_all(fill);

	memcpy(&v, p, (size_t)n * sizeof(*p));
	return v;
}

INLINE void
vec_store_part(real *p, vec v, int n)
{
	memcpy(p, &v, (size_t)n * sizeof(*p));
}
#endif

/*
 * vec_load_left() loads the `left` elements that are left of an array, at most LANES of them, and
 * sets the other lanes to 0.  vec_add_left() adds x to these elements.  `left` may be 0 or
 * negative, or larger than LANES.
 */
INLINE vec
vec_load_left(const real *p, int left)
{
	return left >= LANES ? vec_load(p) : left > 0 ? vec_load_part(p, left, 0) : (vec){0};
}

INLINE void
vec_add_left(real *p, int left, vec x)
{
	if (left >= LANES)
		vec_store(p, vec_load(p) + x);
	else if (left > 0)
		vec_store_part(p, vec_load_part(p, left, 0) + x, left);
}

#endif
