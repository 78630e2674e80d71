/* Error feedback: rounding against bf16.h, the identity of ranks.h with exact numbers. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/mem.h"
#include "train/ranks.h"

enum { N = 5000, RANKS = 3, ROOT = 1, UPDATES = 40 };

static float
value(bf16 y)
{
	return bf16_float((uint32_t)y << 16);
}

/* Multiples of 2^-12 below 2: sums of all of them are exact in fp32. */
static real
gradient(uint32_t seed, int update, int rank, int i)
{
	uint32_t h = seed;

	h = (h ^ (uint32_t)update) * 2654435761u;
	h = (h ^ (uint32_t)rank) * 2246822519u;
	h = (h ^ (uint32_t)i) * 3266489917u;
	h ^= h >> 15;
	return (real)((int)(h % 16384) - 8192) / 4096;
}

static void
rounds_to_the_nearest(void **state)
{
	static real x[N], rest[N];
	static bf16 y[N];

	(void)state;
	for (int i = 0; i < N; i++) {
		x[i] = gradient(1, 0, 0, i) / 3;
		rest[i] = gradient(2, 0, 0, i) / 700;
	}
	for (int i = 0; i < N; i++) {
		const float sum = x[i] + rest[i];
		real one = rest[i];

		error_feedback_round(1, x + i, &one, y + i);
		assert_int_equal((uint32_t)y[i] << 16, bf16_bits(sum));
		assert_true(one == sum - value(y[i]));
	}
	error_feedback_round(N, x, rest, y);
	for (int i = 0; i < N; i++)
		assert_true(fabsf(rest[i]) <= ldexpf(fabsf(value(y[i])), -8));
}

/* One update of all ranks; out becomes the sum as the ranks receive it. */
static void
exchange(int update, real rest[RANKS][N], bool feedback, float *out)
{
	static real x[RANKS][N];
	static bf16 all[RANKS][N];

	for (int r = 0; r < RANKS; r++)
		for (int i = 0; i < N; i++)
			x[r][i] = gradient(3, update, r, i);
	for (int r = 0; r < RANKS; r++)
		if (r != ROOT)
			error_feedback_round(N, x[r], rest[r], all[r]);
	error_feedback_sum(N, x[ROOT], rest[ROOT], all[0], RANKS, ROOT);
	for (int i = 0; i < N; i++)
		out[i] = value(all[ROOT][i]);
	if (!feedback)
		memset(rest, 0, RANKS * sizeof(rest[0]));
}

/* The number of elements for which the sum of all that was sent and of all rests is not exact. */
static int
inexact(bool feedback)
{
	static real rest[RANKS][N];
	static float sent[N];
	double *error = xcalloc(N, sizeof(*error));
	int n = 0;

	memset(rest, 0, sizeof(rest));
	for (int u = 0; u < UPDATES; u++) {
		exchange(u, rest, feedback, sent);
		for (int i = 0; i < N; i++)
			for (int r = 0; r < RANKS; r++)
				error[i] += gradient(3, u, r, i) - (r ? 0 : (double)sent[i]);
	}
	for (int i = 0; i < N; i++) {
		for (int r = 0; r < RANKS; r++)
			error[i] -= rest[r][i];
		n += error[i] != 0;
	}
	free(error);
	return n;
}

static void
nothing_is_lost(void **state)
{
	(void)state;
	assert_int_equal(inexact(true), 0);
	assert_true(inexact(false) > N / 2);	/* the test can fail */
}

/* 1 + 2^-10 always rounds down to 1, but the mean of what is sent approaches it. */
static void
small_differences_arrive(void **state)
{
	const real x = 1 + (real)1 / 1024;
	real rest = 0;
	double sum = 0;
	bf16 y;

	(void)state;
	for (int u = 0; u < 1024; u++) {
		error_feedback_round(1, &x, &rest, &y);
		sum += value(y);
	}
	assert_true(fabs(sum / 1024 - x) <= 1.0 / 128 / 1024);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rounds_to_the_nearest),
		cmocka_unit_test(nothing_is_lost),
		cmocka_unit_test(small_differences_arrive),
	};

	return cmocka_run_group_tests_name("error feedback", tests, NULL, NULL);
}
