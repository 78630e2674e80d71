/* fast-int16: conversion of rows to integers; see int16.h and kernels-int.c. */
#ifdef REAL_DOUBLE
#define ROUNDER 6755399441055744.0	/* 1.5 2^52 */
#else
#define ROUNDER 12582912.0f		/* 1.5 2^23: adding it rounds to an integer */
#endif

enum { HALF = LANES / 2 };

typedef int16_t vec_short __attribute__((vector_size(2 * LANES)));
typedef real vec_some __attribute__((vector_size(HALF * sizeof(real))));
typedef double vec_wide __attribute__((vector_size(HALF * sizeof(double))));

#if SIMD_MASKS && !defined(REAL_DOUBLE)
#define WIDEN(some) (vec_wide)_mm512_cvtps_pd((__m256)(some))	/* gcc takes two steps */
#else
#define WIDEN(some) __builtin_convertvector(some, vec_wide)
#endif

/* Squares of floats are exact in double, so the result is the same with and without FMA. */
INLINE vec_wide
add_squares(vec_wide sum, const real *x)
{
	vec_some some;
	vec_wide w;

	memcpy(&some, x, sizeof(some));
	w = WIDEN(some);
	return sum + w * w;
}

INLINE vec
magnitude(vec v)
{
	return (vec)((vec_int)v & ~(vec_int)vec_all(-(real)0));
}

/* The sum of all lanes, in the same order on every processor. */
INLINE double
sum_of(vec_wide v)
{
	double sum[HALF];

	memcpy(sum, &v, sizeof(sum));
	for (int n = HALF / 2; n; n /= 2)
		for (int i = 0; i < n; i++)
			sum[i] += sum[i + n];
	return sum[0];
}

real
LEVEL(k_unit_int16)(int n, const real *x)
{
	vec_wide squares[4] = { {0} };
	vec max[2] = { {0} };
	int i = 0;

	for (; i + 2 * LANES <= n; i += 2 * LANES) {
		UNROLL
		for (int k = 0; k < 4; k++)
			squares[k] = add_squares(squares[k], x + i + k * HALF);
		UNROLL
		for (int k = 0; k < 2; k++)
			max[k] = vec_max(magnitude(vec_load(x + i + k * LANES)), max[k]);
	}
	for (; i < n; i += LANES) {
		vec some = vec_load_part(x + i, n - i < LANES ? n - i : LANES, 0);
		real copy[LANES];

		vec_store(copy, some);
		squares[0] = add_squares(squares[0], copy);
		squares[1] = add_squares(squares[1], copy + HALF);
		max[0] = vec_max(magnitude(some), max[0]);
	}
	return (real)int16_unit(n, sum_of((squares[0] + squares[1]) + (squares[2] + squares[3])),
				(double)vec_largest(vec_max(max[0], max[1])));
}

/*
 * The lower bits of each lane are the rounded integer.  The maximum keeps the compiler from
 * contracting to fma, which would not round the product.
 */
INLINE vec_int
rounded_bits(vec x, real per_unit)
{
	return (vec_int)(vec_max(x * per_unit, vec_all(-INT16_LARGEST)) + ROUNDER);
}

INLINE vec_short
rounded_to_even(vec x, real per_unit)
{
	return __builtin_convertvector(rounded_bits(x, per_unit), vec_short);
}

void
LEVEL(k_to_int16)(int n, const real *x, real unit, int shift, void *to)
{
	const real per_unit = 1 / unit;
	int16_t *q = to;
	vec_short v;
	int i = 0;

	(void)shift;
	if (unit != unit) {
		memset(q, 0, (size_t)n * sizeof(*q));
		return;
	}
	for (; i + LANES <= n; i += LANES) {
		v = rounded_to_even(vec_load(x + i), per_unit);
		memcpy(q + i, &v, sizeof(v));
	}
	if (i < n) {
		v = rounded_to_even(vec_load_part(x + i, n - i, 0), per_unit);
		memcpy(q + i, &v, (size_t)(n - i) * sizeof(*q));
	}
}
