/* assignment: pairs have the lowest cost of all, by brute force. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/rng.h"
#include "scores/assignment.h"

enum { MOST = 7 };

/* The lowest cost of pairs of rows i, i + 1, ... with columns that are not used yet. */
static double
lowest(int rows, int columns, const double *cost, int i, int left_out, unsigned used)
{
	double best = INFINITY;

	if (i == rows)
		return 0;
	if (left_out > 0)
		best = lowest(rows, columns, cost, i + 1, left_out - 1, used);
	for (int j = 0; j < columns; j++) {
		double sum;

		if (used & 1u << j)
			continue;
		sum = cost[i * columns + j] +
		      lowest(rows, columns, cost, i + 1, left_out, used | 1u << j);
		if (sum < best)
			best = sum;
	}
	return best;
}

/* Checks that pairs are unique and as many as possible, and returns their cost. */
static double
cost_of(int rows, int columns, const double *cost, const int *column)
{
	unsigned used = 0;
	double sum = 0;
	int n = 0;

	for (int i = 0; i < rows; i++) {
		if (column[i] < 0)
			continue;
		assert_true(column[i] < columns && !(used & 1u << column[i]));
		used |= 1u << column[i];
		sum += cost[i * columns + column[i]];
		n++;
	}
	assert_int_equal(n, rows < columns ? rows : columns);
	return sum;
}

/* levels: number of different costs, 0: all differ. */
static void
try_size(struct rng *r, int rows, int columns, uint32_t levels)
{
	double cost[MOST * MOST], found, expected;
	int column[MOST];

	for (int i = 0; i < rows * columns; i++)
		cost[i] = levels ? (double)rng_below(r, levels) : rng_normal(r);
	assignment_find(rows, columns, cost, column);
	found = cost_of(rows, columns, cost, column);
	expected = lowest(rows, columns, cost, 0, rows > columns ? rows - columns : 0, 0);
	if (!(fabs(found - expected) < 1e-12))
		fail_msg("%d x %d: cost %g, expected %g", rows, columns, found, expected);
}

static void
costs_are_the_lowest(void **state)
{
	struct rng r;

	(void)state;
	rng_init(&r, 1, rng_purpose("assignment"), 0);
	for (int rows = 0; rows <= 6; rows++)
		for (int columns = 0; columns <= 6; columns++)
			for (uint32_t levels = 0; levels < 4; levels++)
				for (int i = 0; i < 4; i++)
					try_size(&r, rows, columns, levels);
	try_size(&r, MOST, MOST, 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(costs_are_the_lowest),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
