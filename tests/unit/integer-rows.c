/*
 * integer-rows: rows of int16 and int8 compared with rounding in double and a search for their
 * unit; sums in 64 bits show that no sum of products overflows.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/mem.h"
#include "integers.h"

static const struct word_kernels *
words_of(const struct format *f, const struct tile_kernels *k)
{
	return (const struct word_kernels *)((const char *)k + f->at);
}

static const int lengths[] = { 1, 2, 3, 15, 16, 17, 31, 64, 255, 512, 1000, 2048, 100003 };

#define N_LENGTHS (sizeof(lengths) / sizeof(*lengths))

/* Converts a row with the kernels of a processor, with guards after it. */
static void
convert(const struct word_kernels *w, int n, const float *x, float unit, int16_t *q)
{
	unsigned char *byte = (unsigned char *)q;

	if (w->per_word == 2) {
		q[n] = 77;
		w->convert(n, x, unit, 0, q);
		assert_int_equal(q[n], 77);
		return;
	}
	byte[n] = 77;
	w->convert(n, x, unit, w->shift, q);
	assert_int_equal(byte[n], 77);
	for (int i = n - 1; i >= 0; i--)
		q[i] = (int16_t)(w->shift ? byte[i] - w->shift : (signed char)byte[i]);
}

static void
check_row(const struct format *f, int n, const float *x, const struct word_kernels *w, int16_t *q,
	  int16_t *right)
{
	const float unit = f->slow_unit(n, x);
	double squares = 0;

	assert_true(f->unit(n, x) == unit && w->unit(n, x) == unit);
	slow_to_int16(n, x, unit, right);
	convert(w, n, x, unit, q);
	assert_memory_equal(q, right, (size_t)n * sizeof(*q));
	for (int i = 0; i < n; i++) {
		assert_true(fabs((double)x[i] / (double)unit - q[i]) <= 0.50001);
		assert_true(abs(q[i]) <= f->largest);
		squares += (double)q[i] * q[i];
	}
	assert_true(squares < 2147483648.0);
	if (f->largest == INT16_LARGEST)
		assert_true(squares <= (double)INT16_NORM * INT16_NORM);
}

/* Fast and slow kernels agree at every level, and no element and no norm exceeds its bound. */
static void
test_rows(void **state)
{
	float *x = xcalloc(100004, sizeof(*x));
	int16_t *q = xcalloc(100004, sizeof(*q)), *right = xcalloc(100004, sizeof(*right));

	(void)state;
	for (int l = 0; l < N_LEVELS * N_FORMATS; l++) {
		const struct tile_kernels *kernels = tile_kernels_find(levels[l / N_FORMATS]);
		const struct format *f = &formats[l % N_FORMATS];

		for (size_t i = 0; kernels && i < N_LENGTHS; i++) {
			for (int kind = 0; kind < KINDS; kind++) {
				fill(x, lengths[i], kind, (uint32_t)i);
				check_row(f, lengths[i], x, words_of(f, kernels), q, right);
			}
		}
	}
	free(x);
	free(q);
	free(right);
}

/* A row times its unit has the same unit and the same integers; int8.h. */
static void
test_int8_twice(void **state)
{
	enum { N = 1000 };
	float x[N], y[N], z[N];

	(void)state;
	for (int kind = 0; kind < KINDS; kind++) {
		for (uint32_t i = 0; i < 100; i++) {
			const int n = 1 + (int)i * 9;

			fill(x, n, kind, i);
			k_round_int8(n, x, y);
			k_round_int8(n, y, z);
			assert_memory_equal(y, z, (size_t)n * sizeof(*y));
			assert_true(kind == ZEROS || kind == TINY || kind == SMALLEST ||
				    k_unit_int8(n, x) == k_unit_int8(n, y));
		}
	}
}

/* By hand: 254 / 127 = 2, truncated units, ties to even, limits of long rows, NaN. */
static void
test_int8_by_hand(void **state)
{
	float x[20] = { 254, 1, 3, -5, 253 };
	int16_t q[20];

	(void)state;
	assert_true(k_unit_int8(5, x) == 2);
	slow_to_int16(5, x, 2, q);
	assert_true(q[0] == 127 && q[1] == 0 && q[2] == 2 && q[3] == -2 && q[4] == 126);
	assert_true(int8_unit(3, 127 * 1.0009765625) == 1.0009765625);	/* 1 + 2^-10 */
	assert_true(int8_unit(3, 127 * 1.00146484375) == 1.0009765625);	/* 1 + 3 2^-11 */
	assert_true(int8_unit(INT8_LENGTH, 127) == 1);
	assert_true(int8_unit(INT8_LENGTH + 1, 126) == 1);
	assert_true(int8_unit(2147483647, 1) == 1);
	for (int i = 0; i < 20; i++) {
		const float before = x[i], not[] = { NAN, INFINITY, -INFINITY };

		x[i] = not[i % 3];
		assert_true(isnan(k_unit_int8(20, x)) && isnan(slow_unit_int8(20, x)));
		x[i] = before;
	}
}

/* By hand: 46340 - sqrt(65536) / 2 = 46212 >= |x| / u, 32767 >= max / u; ties to even; NaN. */
static void
test_by_hand(void **state)
{
	const float four[4] = { 1, -1, 1, 1 }, ties[4] = { 16383, 0.75f, 1.25f, -1.75f };
	const float zeros[3] = { 0 };
	float bad[20] = { 1, 2, 3 };
	int16_t q[20];

	(void)state;
	/* |x| = 2: 32768 units fit, 65536 do not; nor does a 1 of 32768 */
	assert_true(k_unit_int16(4, four) == 1 / 16384.0f);
	k_to_int16(4, four, 1 / 16384.0f, 0, q);
	assert_true(q[0] == 16384 && q[1] == -16384 && q[3] == 16384);
	assert_true(k_unit_int16(1, ties) == 0.5f);		/* 16383 / 0.5 = 32766 */
	k_to_int16(4, ties, 0.5f, 0, q);
	assert_true(q[0] == 32766 && q[1] == 2 && q[2] == 2 && q[3] == -4);
	assert_true(int16_unit(1, 32767.0 * 32767, 32767) == 1);
	assert_true(int16_unit(1, 32768.0 * 32768, 32768) == 2);
	assert_true(int16_unit(4, 46212.0 * 46212, 32767) == 1);
	assert_true(int16_unit(4, 46213.0 * 46213, 32767) == 2);
	assert_true(int16_unit(65536, 46212.0 * 46212, 32767) == 1);
	assert_true(int16_unit(1000000, 45840.0 * 45840, 32767) == 1);
	assert_true(int16_unit(1000000, 45841.0 * 45841, 32767) == 2);
	assert_true(k_unit_int16(3, zeros) == 0x1p-126f);
	for (int i = 0; i < 20; i++) {
		const float before = bad[i], not[] = { NAN, INFINITY, -INFINITY };

		bad[i] = not[i % 3];
		assert_true(isnan(k_unit_int16(20, bad)) && isnan(slow_unit_int16(20, bad)));
		k_to_int16(20, bad, NAN, 0, q);
		assert_true(q[i] == 0 && q[0] == 0);
		bad[i] = before;
	}
}

/* The largest possible sum of a row with any other, as large as any partial sum with any signs. */
static double
largest_sum(const struct format *f, int n, int kind, float *x, int16_t *q, int16_t *p)
{
	double largest = 0;

	fill(x, n, kind, 1);
	slow_to_int16(n, x, f->slow_unit(n, x), q);
	for (int other = 0; other < KINDS; other++) {
		int64_t sum = 0;

		fill(x, n, other, other == kind ? 1 : 2);
		slow_to_int16(n, x, f->slow_unit(n, x), p);
		for (int k = 0; k < n; k++)
			sum += llabs((int64_t)q[k] * p[k]);
		assert_true(sum <= INT32_MAX);
		largest = (double)sum > largest ? (double)sum : largest;
	}
	return largest;
}

/* The largest possible sums and all partial sums fit 32 bits: all signs agree. */
static void
test_no_overflow(void **state)
{
	enum { MOST = 140001 };		/* more than INT8_LENGTH */
	float *x = xcalloc(MOST, sizeof(*x));
	int16_t *q = xcalloc(MOST, sizeof(*q)), *p = xcalloc(MOST, sizeof(*p));

	(void)state;
	for (int f = 0; f < N_FORMATS; f++) {
		double largest = 0;

		for (size_t i = 0; i <= N_LENGTHS; i++)
			for (int a = 0; a < KINDS; a++) {
				const int n = i < N_LENGTHS ? lengths[i] : MOST;
				const double sum = largest_sum(&formats[f], n, a, x, q, p);

				largest = sum > largest ? sum : largest;
			}
		assert_true(largest > 0.9 * INT32_MAX);		/* the bound is nearly reached */
	}
	free(x);
	free(q);
	free(p);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rows), cmocka_unit_test(test_by_hand),
		cmocka_unit_test(test_int8_twice), cmocka_unit_test(test_int8_by_hand),
		cmocka_unit_test(test_no_overflow),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
