/*
 * bf16: conversion of all kinds of values, and packing, compared with arithmetic and plain loops.
 */
#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/mem.h"
#include "base/rng.h"
#include "tensor/kernels.h"

static float
from_bits(uint32_t u)
{
	float x;

	memcpy(&x, &u, sizeof(x));
	return x;
}

static uint32_t
to_bits(float x)
{
	uint32_t u;

	memcpy(&u, &x, sizeof(u));
	return u;
}

/* By hand: the tie 1 + 2^-8 is rounded to the even 1, and 1 + 3 2^-8 to 1 + 2^-6. */
static void
test_by_hand(void **state)
{
	static const struct { uint32_t x; bf16 y; } cases[] = {
		{ 0x00000000, 0x0000 }, { 0x80000000, 0x8000 }, { 0x3f800000, 0x3f80 },
		{ 0x3f808000, 0x3f80 },
		{ 0x3f808001, 0x3f81 }, { 0x3f807fff, 0x3f80 }, { 0x3f818000, 0x3f82 },
		{ 0xbf818000, 0xbf82 },
		{ 0x7f800000, 0x7f80 }, { 0xff800000, 0xff80 }, { 0x7f7fffff, 0x7f80 },
		{ 0x7f7f7fff, 0x7f7f },
		{ 0x7f7f8000, 0x7f80 }, { 0xff7fffff, 0xff80 }, { 0x7fc00000, 0x7fc0 },
		{ 0x7f800001, 0x7fc0 },
		{ 0xff800001, 0xffc0 }, { 0x7fffffff, 0x7fff }, { 0xffffffff, 0xffff },
		{ 0x00000001, 0x0000 },
		{ 0x00008000, 0x0000 }, { 0x00008001, 0x0001 }, { 0x00018000, 0x0002 },
		{ 0x007fffff, 0x0080 },
		{ 0x00800000, 0x0080 }, { 0x807f8000, 0x8080 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		real x = from_bits(cases[i].x), back;
		bf16 y;

		k_to_bf16(1, &x, &y);
		assert_int_equal(y, cases[i].y);
		k_round_bf16(1, &x, &back);
		assert_int_equal(to_bits(back), (uint32_t)cases[i].y << 16);
	}
}

/* All exponents and signs, and fractions near all rounding cases.  NaNs must remain NaN. */
static void
test_against_arithmetic(void **state)
{
	enum { N = 37 };
	real x[N], rounded[N], right[N];
	bf16 y[N], should[N];

	(void)state;
	for (uint32_t upper = 0; upper < 0x10000; upper++) {
		static const uint32_t lower[] = { 0, 1, 0x7fff, 0x8000, 0x8001, 0xffff };

		for (int i = 0; i < N; i++)
			x[i] = from_bits(upper << 16 |
					 (i < 6 ? lower[i] : ((uint32_t)i * 2654435761u >> 16)));
		k_to_bf16(N, x, y);
		k_round_bf16(N, x, rounded);
		slow_to_bf16(N, x, should);
		slow_round_bf16(N, x, right);
		for (int i = 0; i < N; i++) {
			if (isnan(x[i])) {
				assert_true(isnan(rounded[i]) && (y[i] & 0x7fff) > 0x7f80);
				assert_int_equal(y[i] >> 15, upper >> 15);
			} else {
				assert_int_equal(y[i], should[i]);
				assert_true(rounded[i] == right[i]);
			}
		}
	}
}

static void
test_back(void **state)
{
	bf16 all[0x10000];
	real *x = xcalloc(0x10000, sizeof(*x)), *right = xcalloc(0x10000, sizeof(*x));

	(void)state;
	for (int i = 0; i < 0x10000; i++)
		all[i] = (bf16)i;
	k_from_bf16(0x10000, all, x);
	slow_from_bf16(0x10000, all, right);
	for (int i = 0; i < 0x10000; i++)
		assert_true(x[i] == right[i] ? signbit(x[i]) == signbit(right[i])
					     : isnan(x[i]) && isnan(right[i]));
	free(x);
	free(right);
}

static real *
numbers(size_t n)
{
	struct rng r;
	real *x = xcalloc(n, sizeof(*x));

	rng_init(&r, 3, 1, 0);
	for (size_t i = 0; i < n; i++)
		x[i] = (real)rng_normal(&r);
	return x;
}

static bf16
one(real x)
{
	bf16 y;

	slow_to_bf16(1, &x, &y);
	return y;
}

static const int sizes[] = { 1, 2, 3, 15, 16, 17, 31, 32, 33, 48, 65, 100 };

#define EACH_SIZE(i) (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++)

static void
pairs_of(int m, int n, bool by_columns)
{
	int width = (n + 15) / 16 * 16, even = (m + 1) / 2 * 2;
	int row = by_columns ? 1 : n + 3, column = by_columns ? m + 3 : 1;
	real *x = numbers((size_t)(m + 3) * (size_t)(n + 3));
	bf16 *y = xmalloc((size_t)even * (size_t)width * sizeof(*y));

	memset(y, 0xff, (size_t)even * (size_t)width * sizeof(*y));
	k_pairs_bf16(m, n, x, row, column, y, width);
	for (int i = 0; i < even; i++)
		for (int j = 0; j < width; j++)
			assert_int_equal(y[i / 2 * 2 * width + 2 * j + i % 2],
					 i < m && j < n ? one(x[i * row + j * column]) : 0);
	free(x);
	free(y);
}

/* The same from a matrix that is rounded already. */
static void
pairs_of_rounded(int m, int n)
{
	const int width = (n + 15) / 16 * 16, even = (m + 1) / 2 * 2, row = n + 3;
	const size_t size = (size_t)m * (size_t)row;
	real *x = numbers(size);
	bf16 *from = xmalloc(size * sizeof(*from));
	uint32_t *y = xmalloc((size_t)(even / 2) * (size_t)width * sizeof(*y));

	slow_to_bf16(size, x, from);
	memset(y, 0xff, (size_t)(even / 2) * (size_t)width * sizeof(*y));
	k_pairs_of_bf16(m, n, from, row, y, width);
	for (int i = 0; i < even; i++)
		for (int j = 0; j < width; j++)
			assert_int_equal(y[i / 2 * width + j] >> (i % 2 ? 16 : 0) & 0xffff,
					 i < m && j < n ? one(x[i * row + j]) : 0);
	free(x);
	free(from);
	free(y);
}

static void
test_pairs(void **state)
{
	(void)state;
	for EACH_SIZE(a)
		for EACH_SIZE(b) {
			pairs_of(sizes[a], sizes[b], false);
			pairs_of(sizes[a], sizes[b], true);
			pairs_of_rounded(sizes[a], sizes[b]);
		}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_by_hand), cmocka_unit_test(test_against_arithmetic),
		cmocka_unit_test(test_back), cmocka_unit_test(test_pairs),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
