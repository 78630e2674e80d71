/*
 * kernels-bf16: conversion to bfloat16 and back, and packing of matrices for products of pairs.
 *
 * The slow kernels round by arithmetic, the fast ones by operations on bits.
 */
#include <math.h>
#include <string.h>

#include "tensor/fast/fast.h"
#include "tensor/simd.h"

#if defined(X86_64) && !defined(REAL_DOUBLE)
#define FASTEST_BF16(name) (fast_bf16() ? name##_avx512bf16 : FASTEST(name))
#else
#define FASTEST_BF16 FASTEST
#endif

void
k_to_bf16(size_t n, const real *x, bf16 *y)
{
	FASTEST_BF16(k_to_bf16)(n, x, y);
}

#ifndef REAL_DOUBLE
void
k_pairs_bf16(int m, int n, const real *x, ptrdiff_t row, ptrdiff_t column, bf16 *y, int width)
{
	FASTEST_BF16(k_pairs_bf16)(m, n, x, row, column, y, width);
}
#endif

/* Interleaves two rows of at most 16 elements; b may be NULL: zeros. */
static inline void
pairs_of_rows(int n, const bf16 *restrict a, const bf16 *restrict b, uint32_t *restrict y)
{
	for (int j = 0; j < n; j++)
		y[j] = a[j] | (b ? (uint32_t)b[j] << 16 : 0);
}

CLONES void
k_pairs_of_bf16(int m, int n, const bf16 *x, ptrdiff_t row, uint32_t *y, int width)
{
	enum { AHEAD = 16 };	/* rows that are fetched early */

	for (int i = 0; i < m; i += 2, x += 2 * row, y += width) {
		const bf16 *next = i + 1 < m ? x + row : NULL;
		int j = 0;

		for (; next && j + 16 <= n; j += 16) {
			if (i + AHEAD + 1 < m && j % 32 == 0) {
				__builtin_prefetch(x + AHEAD * row + j, 0, 3);
				__builtin_prefetch(next + AHEAD * row + j, 0, 3);
			}
			pairs_of_rows(16, x + j, next + j, y + j);
		}
		pairs_of_rows(n - j, x + j, next ? next + j : NULL, y + j);
		memset(y + n, 0, (size_t)(width - n) * sizeof(*y));
	}
}

/* The distance of neighboring bfloat16 values near |x|; constant below 2^-126. */
static double
unit(double x)
{
	int e;

	frexp(x, &e);
	return ldexp(1, (e < -125 ? -125 : e) - 8);
}

static double
round_one(double x)
{
	double y, u;

	if (!isfinite(x))
		return x;
	u = unit(x);
	y = nearbyint(x / u) * u;
	return fabs(y) < ldexp(1, 128) ? y : copysign(INFINITY, x);
}

void
slow_round_bf16(size_t n, const real *x, real *y)
{
	for (size_t i = 0; i < n; i++)
		y[i] = (real)round_one((double)x[i]);
}

/* Assembles sign, exponent and fraction. */
static bf16
encode(double x)
{
	unsigned sign = signbit(x) ? 0x8000 : 0, biased, fraction;
	int e;

	if (isnan(x))
		return (bf16)(sign | 0x7fc0);
	if (isinf(x))
		return (bf16)(sign | 0x7f80);
	x = fabs(x);
	frexp(x, &e);
	biased = x < ldexp(1, -126) ? 0 : (unsigned)(e + 126);
	fraction = (unsigned)(x / ldexp(1, (biased ? (int)biased : 1) - 127 - 7));
	return (bf16)(sign | biased << 7 | (fraction & 0x7f));
}

void
slow_to_bf16(size_t n, const real *x, bf16 *y)
{
	for (size_t i = 0; i < n; i++)
		y[i] = encode(round_one((double)x[i]));
}

void
slow_from_bf16(size_t n, const bf16 *x, real *y)
{
	for (size_t i = 0; i < n; i++) {
		int biased = x[i] >> 7 & 0xff, fraction = x[i] & 0x7f;
		double v = biased ? ldexp(128 + fraction, biased - 127 - 7)
				  : ldexp(fraction, -126 - 7);

		if (biased == 0xff)
			v = fraction ? (double)NAN : INFINITY;
		y[i] = (real)(x[i] & 0x8000 ? -v : v);
	}
}
