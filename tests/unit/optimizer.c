/* optimizer: against Adam written out in double, number by number. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/pool.h"
#include "train/optimizer.h"

#define N 40000		/* more than one block, and not a multiple of it */

static void
make(struct params *p)
{
	const int big[] = { N }, small[] = { 3 };

	params_init(p);
	params_add(p, "small", INIT_NORMAL, 1, 1, small);
	params_add(p, "big", INIT_NORMAL, 1, 1, big);
	params_add(p, "still", INIT_NORMAL, 1, 1, small);
	params_allocate(p, true);
	params_randomize(p, 7);
}

/* Some gradient of update t; the same for every optimizer. */
static double
slope(int t, size_t i)
{
	return sin(0.1 * (double)(i % 1000) + t) * (i % 3 ? 1e-3 : 10);
}

static void
fill(struct params *p, int t)
{
	for (size_t k = 0; k < p->n; k++)
		for (size_t i = 0; i < p->list[k]->n; i++)
			p->list[k]->grad[i] = (real)slope(t, i);
}

struct naive { double x, m, v; };

static void
naive_step(struct naive *a, double g, int t, double lr, double decay)
{
	a->m = 0.9 * a->m + 0.1 * g;
	a->v = 0.98 * a->v + 0.02 * g * g;
	a->x -= lr * decay * a->x;
	a->x -= lr * (a->m / (1 - pow(0.9, t))) / (sqrt(a->v / (1 - pow(0.98, t))) + 1e-8);
}

static void
steps_are_adams(void **state)
{
	struct naive *want = calloc(N, sizeof(*want));
	struct optimizer o;
	struct params p;

	(void)state;
	make(&p);
	for (size_t i = 0; i < N; i++)
		want[i].x = (double)params_find(&p, "big")->x[i];
	optimizer_init(&o, &p, 0.9, 0.98, 1e-8, 0.01);
	for (int t = 1; t <= 20; t++) {
		fill(&p, t);
		optimizer_step(&o, NULL, t, 0.01, 0.5);
		for (size_t i = 0; i < N; i++)
			naive_step(&want[i], (double)(real)slope(t, i) * 0.5, t, 0.01, 0.01);
	}
	for (size_t i = 0; i < N; i++)
		if (!(fabs((double)params_find(&p, "big")->x[i] - want[i].x) <= 2e-5))
			fail_msg("number %zu is %g, not %g", i,
				 (double)params_find(&p, "big")->x[i], want[i].x);
	optimizer_release(&o);
	params_release(&p);
	free(want);
}

/* Kingma and Ba: the first step is lr in the gradient's direction, whatever its size. */
static void
first_step_is_the_rate(void **state)
{
	struct optimizer o;
	struct params p;
	real before, before_faster;

	(void)state;
	make(&p);
	before = params_find(&p, "small")->x[0];
	before_faster = params_find(&p, "still")->x[0];
	params_find(&p, "still")->rate = 4;
	fill(&p, 1);
	optimizer_init(&o, &p, 0.9, 0.98, 1e-8, 0);
	optimizer_step(&o, NULL, 1, 0.25, 1);
	assert_true(fabs((double)(before - params_find(&p, "small")->x[0]) - 0.25) < 1e-5);
	assert_true(fabs((double)(before_faster - params_find(&p, "still")->x[0]) -
			 4 * 0.25) < 1e-5);
	optimizer_release(&o);
	params_release(&p);
}

/* A negative rate ascends, as descent along the negated gradient does, but nothing decays. */
static void
negative_rate_ascends(void **state)
{
	struct naive want[3] = { { 0 } };
	struct optimizer o;
	struct params p;

	(void)state;
	make(&p);
	for (size_t i = 0; i < 3; i++)
		want[i].x = (double)params_find(&p, "still")->x[i];
	params_find(&p, "still")->rate = -3;
	optimizer_init(&o, &p, 0.9, 0.98, 1e-8, 0.1);
	for (int t = 1; t <= 20; t++) {
		fill(&p, t);
		optimizer_step(&o, NULL, t, 0.01, 1);
		for (size_t i = 0; i < 3; i++)
			naive_step(&want[i], -(double)(real)slope(t, i), t, 3 * 0.01, 0);
	}
	for (size_t i = 0; i < 3; i++)
		assert_true(fabs((double)params_find(&p, "still")->x[i] - want[i].x) < 2e-5);
	optimizer_release(&o);
	params_release(&p);
}

static void
frozen_stays(void **state)
{
	struct optimizer o;
	struct params p;
	real before[3];

	(void)state;
	make(&p);
	assert_int_equal(params_freeze(&p, "st*"), 1);
	memcpy(before, params_find(&p, "still")->x, sizeof(before));
	optimizer_init(&o, &p, 0.9, 0.98, 1e-8, 0.1);
	fill(&p, 1);
	optimizer_step(&o, NULL, 1, 0.1, 1);
	assert_memory_equal(before, params_find(&p, "still")->x, sizeof(before));
	optimizer_release(&o);
	params_release(&p);
}

static void
norm_and_clamp(void **state)
{
	struct optimizer o;
	struct params p;
	double sum = 0;

	(void)state;
	make(&p);
	params_freeze(&p, "still");
	optimizer_init(&o, &p, 0.9, 0.98, 1e-8, 0);
	fill(&p, 3);
	for (size_t k = 0; k < 2; k++)
		for (size_t i = 0; i < p.list[k]->n; i++)
			sum += (double)p.list[k]->grad[i] * (double)p.list[k]->grad[i];
	assert_true(fabs(optimizer_norm(&o, NULL) - sqrt(sum)) < 1e-6 * sqrt(sum));
	optimizer_clamp(&o, NULL, 2);
	for (size_t i = 0; i < N; i++)
		assert_true(params_find(&p, "big")->grad[i] ==
			    (real)fmin(fmax(slope(3, i), -2), 2));
	params_find(&p, "big")->grad[N - 1] = NAN;
	optimizer_clamp(&o, NULL, 2);
	assert_true(isnan(optimizer_norm(&o, NULL)));
	optimizer_release(&o);
	params_release(&p);
}

static void
threads_change_no_bit(void **state)
{
	struct params p[3];
	double norm[3];

	(void)state;
	for (int k = 0; k < 3; k++) {
		struct pool *pool = pool_new(k + 1);
		struct optimizer o;

		make(&p[k]);
		optimizer_init(&o, &p[k], 0.9, 0.98, 1e-8, 0.01);
		for (int t = 1; t <= 3; t++) {
			fill(&p[k], t);
			norm[k] = optimizer_norm(&o, pool);
			optimizer_step(&o, pool, t, 0.01, 1 / norm[k]);
		}
		assert_memory_equal(p[0].x, p[k].x, p[0].total * sizeof(real));
		assert_true(norm[k] == norm[0]);
		optimizer_release(&o);
		pool_free(pool);
	}
	for (int k = 0; k < 3; k++)
		params_release(&p[k]);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(steps_are_adams),
		cmocka_unit_test(first_step_is_the_rate),
		cmocka_unit_test(negative_rate_ascends),
		cmocka_unit_test(frozen_stays),
		cmocka_unit_test(norm_and_clamp),
		cmocka_unit_test(threads_change_no_bit),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
