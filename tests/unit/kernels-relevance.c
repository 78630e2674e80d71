/* kernels-relevance: shares of many outputs and planes at once, and attention's core, against one input at a time. */
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

static real *
numbers(uint32_t what, size_t n)
{
	real *x = xcalloc(n, sizeof(*x));
	struct rng r;

	rng_init(&r, 99, what, 0);
	for (size_t i = 0; i < n; i++)
		x[i] = (real)rng_normal(&r);
	return x;
}

static void
assert_close(size_t n, const real *a, const real *b, double tolerance)
{
	double largest = 1e-30;

	for (size_t i = 0; i < n; i++)
		largest = fmax(largest, fabs((double)b[i]));
	for (size_t i = 0; i < n; i++)
		if (!(fabs((double)a[i] - b[i]) <= tolerance * largest))
			fail_msg("number %zu of %zu: %.9g, should be %.9g", i, n, (double)a[i], (double)b[i]);
}

static const struct share rules[] = {
	{ .eps = (real)1e-3 },
	{ .signs = true, .alpha = (real)0.5, .beta = (real)0.5 },
	{ .signs = true, .halves = true, .eps = (real)1e-5, .alpha = (real)0.75, .beta = (real)0.25 },
};
enum { RULES = sizeof(rules) / sizeof(*rules) };

/* z = 2, -1, 3 of weights 1 -1 1.5 and inputs 2 1 2; relevance 10. */
static void
shares_are_those_worked_out_by_hand(void **state)
{
	const real w[3] = { 1, -1, (real)1.5 }, x[3] = { 2, 1, 2 }, all_up[3] = { 1, 1, (real)1.5 };
	const struct share halves = { .signs = true, .halves = true, .alpha = (real)0.5, .beta = (real)0.5 };
	real rel[4][3] = { { 0 } };

	(void)state;
	k_share(&rules[1], 3, w, x, 0, 10, rel[0]);	/* 5 to 2 : 3, 5 to the negative one */
	assert_close(3, rel[0], (const real[]){ 2, 5, 3 }, 1e-6);
	k_share(&(struct share){ .eps = 0 }, 3, w, x, 0, 10, rel[1]);
	assert_close(3, rel[1], (const real[]){ 5, (real)-2.5, (real)7.5 }, 1e-6);
	k_share(&rules[1], 3, all_up, x, 0, 12, rel[2]);	/* one sign takes all: 2 1 3 */
	assert_close(3, rel[2], (const real[]){ 4, 2, 6 }, 1e-6);
	k_share(&halves, 3, all_up, x, 0, 12, rel[3]);		/* ... or its half */
	assert_close(3, rel[3], (const real[]){ 2, 1, 3 }, 1e-6);
}

/* A bias of 3 gives each of three inputs 1: z = 3, 0, 4. */
static void
a_bias_is_spread(void **state)
{
	const real w[3] = { 1, -1, (real)1.5 }, x[3] = { 2, 1, 2 };
	real rel[3] = { 0 };

	(void)state;
	k_share(&rules[1], 3, w, x, 3, 7, rel);
	assert_close(3, rel, (const real[]){ 3, 0, 4 }, 1e-6);
}

static void
pairs_are_units_of_two(void **state)
{
	real *x = numbers(1, 100), *y = numbers(2, 100), of_x[100], of_y[100];

	(void)state;
	x[7] = y[7] = 0;
	for (int k = 0; k < RULES; k++) {
		k_share_pairs(&rules[k], 100, x, y, of_x, of_y);
		for (int i = 0; i < 100; i++) {
			const real z[2] = { x[i], y[i] };
			real rel[2] = { 0 };

			slow_share(&rules[k], 2, NULL, z, 0, 1, rel);
			assert_close(2, (const real[]){ of_x[i], of_y[i] }, rel, 1e-6);
		}
	}
	free(x);
	free(y);
}

/* Tiles of all numbers of planes and of inputs against sums of T, and T against slow_share(). */
static void
check_tile(int outputs, int n, int planes, const struct share *s)
{
	struct share_tile t = { .n = n, .outputs = outputs, .planes = k_share_planes(planes) };
	real *w = numbers(1, (size_t)outputs * SHARE_TILE), *x = numbers(2, (size_t)n), *c = numbers(3, (size_t)outputs * SHARE_PLANES);
	real *bias = numbers(4, (size_t)outputs), fast[SHARE_PLANES][SHARE_TILE], slow[SHARE_PLANES][SHARE_TILE] = { { 0 } };
	struct unit *unit = xcalloc((size_t)outputs, sizeof(*unit));

	memset(fast, 0, sizeof(fast));
	for (int j = 0; j < outputs; j++) {
		const struct signs z = slow_signs(n, w + j * SHARE_TILE, x, bias[j] / (real)n);

		unit[j] = (struct unit){ bias[j] / (real)n, k_shares(s, n, z.positive, z.negative, 1) };
		for (int p = 0; p < planes; p++)
			slow_share(s, n, w + j * SHARE_TILE, x, bias[j], c[j * t.planes + p], slow[p]);
	}
	t.w = w;
	t.x = x;
	t.unit = unit;
	t.c = c;
	for (int p = 0; p < planes; p++)
		t.to[p] = fast[p];
	k_share_tile(&t);
	assert_close(sizeof(slow) / sizeof(real), fast[0], slow[0], 1e-4);
	memset(fast, 0, sizeof(fast));
	slow_share_tile(&t);
	assert_close(sizeof(slow) / sizeof(real), fast[0], slow[0], 1e-4);
	free(w);
	free(x);
	free(c);
	free(bias);
	free(unit);
}

static void
tiles_are_sums_of_shares(void **state)
{
	(void)state;
	for (int planes = 1; planes <= SHARE_PLANES; planes++)
		check_tile(7, SHARE_TILE, planes, &rules[1]);
	for (int n = 1; n <= SHARE_TILE; n++)
		check_tile(19, n, 1 + n % SHARE_PLANES, &rules[2]);
	check_tile(5, 13, 3, &rules[0]);
}

/* q, k, v of three tokens and a bit, more columns than a head has. */
static void
check_core(int T, int S, int d, bool causal, bool constant, const struct share *s)
{
	const int ld = d + 3, planes = 3;
	const size_t of_q = (size_t)(T * ld), of_k = (size_t)(S * ld);
	real *q = numbers(1, of_q), *k = numbers(2, of_k), *v = numbers(3, of_k), *rel = numbers(4, of_q * planes);
	real *a = numbers(5, (size_t)(T * S)), *fast = xcalloc(planes * (of_q + 2 * of_k), sizeof(real)),
	     *slow = xcalloc(planes * (of_q + 2 * of_k), sizeof(real));
	real *room = xcalloc(k_core_room(S, d, planes), sizeof(*room));
	struct core c = {
		.h = { .T = T, .S = S, .d = d, .d_v = d, .q = q, .k = k, .v = v, .ldq = ld, .ldk = ld, .ldv = ld,
		       .scale = (real)0.5, .causal = causal },
		.weights = a, .constant = constant, .planes = planes, .rel = rel, .ld = ld, .step = (ptrdiff_t)of_q,
		.q = fast, .k = fast + planes * of_q, .v = fast + planes * (of_q + of_k),
		.step_q = (ptrdiff_t)of_q, .step_k = (ptrdiff_t)of_k, .step_v = (ptrdiff_t)of_k,
	};

	if (causal)
		k_mask_future(T, S, a, S);
	for (int i = 0; i < T; i++)
		slow_softmax(S, a + i * S, a + i * S);
	for (size_t i = 0; i < of_q * planes; i++)
		rel[i] = i < of_q && i % 5 ? 0 : (real)fabs((double)rel[i]);
	k_core(&c, s, room);
	c.q = slow;
	c.k = slow + planes * of_q;
	c.v = slow + planes * (of_q + of_k);
	slow_core(&c, s, room);
	assert_close(planes * (of_q + 2 * of_k), fast, slow, 2e-3);
	free(q);
	free(k);
	free(v);
	free(rel);
	free(a);
	free(fast);
	free(slow);
	free(room);
}

static void
cores_share_jointly(void **state)
{
	static const int d[] = { 1, 4, 8, 16, 17, 64 };

	(void)state;
	for (size_t i = 0; i < sizeof(d) / sizeof(*d); i++)
		for (int k = 1; k < RULES; k++) {
			check_core(5, 7, d[i], false, false, &rules[k]);
			check_core(6, 6, d[i], true, false, &rules[k]);
			check_core(2, 9, d[i], true, true, &rules[k]);
			check_core(1, 1, d[i], false, true, &rules[k]);
		}
	check_core(4, 5, 8, false, true, &(struct share){ .eps = (real)0.1 });
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(shares_are_those_worked_out_by_hand),
		cmocka_unit_test(a_bias_is_spread),
		cmocka_unit_test(pairs_are_units_of_two),
		cmocka_unit_test(tiles_are_sums_of_shares),
		cmocka_unit_test(cores_share_jointly),
	};

	return cmocka_run_group_tests_name("kernels of relevance", tests, NULL, NULL);
}
