/*
 * kernels-relevance: shares of many outputs and planes, and the core of attention, compared with
 * one input at a time.
 */
#include "kernels-case.h"

static real *
numbers(uint32_t what, size_t n)
{
	real *x = xcalloc(n, sizeof(*x));

	fill(what, n, x);
	return x;
}

static const struct share rules[] = {
	{ .eps = (real)1e-3 },
	{ .signs = true, .alpha = (real)0.5, .beta = (real)0.5 },
	{ .signs = true, .halves = true, .eps = (real)1e-5, .alpha = (real)0.75,
	.beta = (real)0.25 },
};
enum { RULES = sizeof(rules) / sizeof(*rules) };

/* z = 2, -1, 3 from weights 1 -1 1.5 and inputs 2 1 2; relevance 10. */
static void
shares_are_those_worked_out_by_hand(void **state)
{
	const real w[3] = { 1, -1, (real)1.5 }, x[3] = { 2, 1, 2 }, all_up[3] = { 1, 1, (real)1.5 };
	const struct share halves = { .signs = true, .halves = true, .alpha = (real)0.5,
		.beta = (real)0.5 };
	real rel[4][3] = { { 0 } };

	(void)state;
	/* 5 in the ratio 2 : 3, and 5 to the negative one */
	k_share(&rules[1], 3, w, x, 0, 10, rel[0]);
	assert_close(3, rel[0], (const real[]){ 2, 5, 3 }, 1e-6);
	k_share(&(struct share){ .eps = 0 }, 3, w, x, 0, 10, rel[1]);
	assert_close(3, rel[1], (const real[]){ 5, (real)-2.5, (real)7.5 }, 1e-6);
	k_share(&rules[1], 3, all_up, x, 0, 12, rel[2]);	/* the only sign gets all: 2 1 3 */
	assert_close(3, rel[2], (const real[]){ 4, 2, 6 }, 1e-6);
	k_share(&halves, 3, all_up, x, 0, 12, rel[3]);		/* ... or half */
	assert_close(3, rel[3], (const real[]){ 2, 1, 3 }, 1e-6);
}

/* The same z: eps = 1 changes the sum 4 to 5; then 4 and -10, whose sum -6 becomes -7. */
static void
what_eps_takes_is_counted(void **state)
{
	const real w[3] = { 1, -1, (real)1.5 }, x[3] = { 2, 1, 2 }, pair[2] = { 4, -10 },
		one[2] = { 7, 14 };
	real rel[3] = { 0 }, of_x[1], of_y[1];
	struct flow f[2] = { { 0 } };
	const struct share s = { .eps = 1, .flow = f }, second = k_share_from(&s, 1);

	(void)state;
	k_share(&s, 3, w, x, 0, 10, rel);
	assert_close(3, rel, (const real[]){ 4, -2, 6 }, 1e-5);
	slow_share(&second, 3, w, x, 0, -10, rel);
	assert_close(3, rel, (const real[]){ 0, 0, 0 }, 1e-5);
	assert_true(fabs(f[0].absorbed - 2) < 1e-6 && fabs(f[0].magnitude - 12) < 1e-5);
	assert_true(fabs(f[1].absorbed + 2) < 1e-6 && fabs(f[1].magnitude - 12) < 1e-5);
	k_share_pairs(&s, 1, pair, pair + 1, 2, one, 1, of_x, of_y);
	assert_true(fabs(f[0].absorbed - 3) < 1e-6 && fabs(f[0].magnitude - 26) < 1e-5);
	assert_true(fabs(f[1].absorbed - 0) < 1e-6 && fabs(f[1].magnitude - 40) < 1e-5);
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
		k_share_pairs(&rules[k], 100, x, y, 0, NULL, 0, of_x, of_y);
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

/*
 * Tiles of all numbers of planes and inputs, with outputs in any order of which the last are alike,
 * compared with slow_share() for each output and plane.
 */
enum { MAX_PLANES = 40 };

static void
check_tile(int outputs, int alike, int n, int planes, const struct share *s)
{
	const int all = outputs + alike, ld = SHARE_TILE + 5;
	struct share_tile t = {
		.n = n, .planes = planes, .outputs = outputs, .alike = alike, .ldw = ld,
		.step = SHARE_TILE
	};
	real *w = numbers(1, (size_t)(all * ld)), *x = numbers(2, (size_t)n);
	real *c = numbers(3, (size_t)((outputs + 1) * planes));
	real *bias = numbers(4, (size_t)all), fast[MAX_PLANES][SHARE_TILE],
		slow[MAX_PLANES][SHARE_TILE] = { { 0 } };
	struct unit *unit = xcalloc((size_t)all, sizeof(*unit));
	int *output = xcalloc((size_t)all, sizeof(*output));

	memset(fast, 0, sizeof(fast));
	for (int k = 0; k < all; k++) {
		const int j = output[k] = all - 1 - k;
		const struct signs z = slow_signs(n, w + j * ld, x, bias[j] / (real)n);

		unit[j] = (struct unit){ bias[j] / (real)n,
			k_shares(s, n, z.positive, z.negative, 1) };
		for (int p = 0; p < planes; p++)
			slow_share(s, n, w + j * ld, x, bias[j],
				   c[(k < outputs ? k : outputs) * planes + p], slow[p]);
	}
	t.output = output;
	t.w = w;
	t.x = x;
	t.unit = unit;
	t.c = c;
	t.to = fast[0];
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
	free(output);
}

static void
tiles_are_sums_of_shares(void **state)
{
	(void)state;
	for (int planes = 1; planes <= MAX_PLANES; planes++)
		check_tile(7, planes % 4, SHARE_TILE, planes, &rules[1]);
	for (int n = 1; n <= SHARE_TILE; n++)
		check_tile(n % 19, 1 + n % 7, n, n, &rules[2]);
	check_tile(SHARE_OUTPUTS - 3, 3, 13, 3, &rules[2]);
	check_tile(5, 0, 13, 3, &rules[0]);
}

static void
picked_columns_stand_side_by_side(void **state)
{
	enum { LD = SHARE_WIDE + 3 };
	static const int row[] = { 2, 0 };
	real *from = numbers(1, 3 * LD), *to = xcalloc(3 * LD, sizeof(*to));
	bool keep[SHARE_WIDE];

	(void)state;
	for (int n = 1; n <= SHARE_WIDE; n += 3) {
		int kept = 0;

		for (int i = 0; i < n; i++)
			keep[i] = (i * 7 + n) % 3 != 0 || i % 32 == 5;
		k_pick(2, row, keep, n, from, to, LD);
		for (int i = 0; i < n; i++) {
			if (!keep[i])
				continue;
			assert_true(to[kept] == from[i]);
			assert_true(to[2 * LD + kept] == from[2 * LD + i]);
			kept++;
		}
		assert_true(to[LD] == 0);
	}
	free(from);
	free(to);
}

static void
signs_of_several_outputs(void **state)
{
	real *x = numbers(1, 77), *w[SHARE_SUMS], add[SHARE_SUMS];
	struct signs s[SHARE_SUMS];

	(void)state;
	for (int k = 0; k < SHARE_SUMS; k++) {
		w[k] = numbers(2 + (uint32_t)k, 77);
		add[k] = (real)0.25 * (real)(k - 1);
	}
	for (int n = 1; n <= 77; n += 4) {
		k_signs_of(n, (const real *const *)w, x, add, s);
		for (int k = 0; k < SHARE_SUMS; k++) {
			const struct signs one = slow_signs(n, w[k], x, add[k]);

			assert_close(2, (const real[]){ s[k].positive, s[k].negative },
				     (const real[]){ one.positive, one.negative }, 1e-5);
		}
	}
	/* All of one sign, and all but one. */
	for (int i = 0; i < 77; i++)
		x[i] = (real)fabs((double)x[i]);
	for (int k = 0; k < SHARE_SUMS; k++) {
		for (int i = 0; i < 77; i++)
			w[k][i] = (real)(fabs((double)w[k][i]) * (k % 2 ? -1 : 1));
		add[k] = 0;
	}
	w[2][40] = (real)-1e-6;
	w[3][40] = (real)1e-6;
	k_signs_of(77, (const real *const *)w, x, add, s);
	assert_true(s[0].positive > 0 && s[0].negative == 0);
	assert_true(s[1].positive == 0 && s[1].negative < 0);
	assert_close(1, &s[2].negative, &(real){ x[40] * w[2][40] }, 1e-6);
	assert_close(1, &s[3].positive, &(real){ x[40] * w[3][40] }, 1e-6);
	for (int k = 0; k < SHARE_SUMS; k++)
		free(w[k]);
	free(x);
}

/* Compared with each output's row of the Jacobian. */
static void
check_norm(int n, int planes, bool frozen, bool bias, const struct share *s, real *x)
{
	const size_t size = (size_t)(n * planes);
	real *gain = numbers(2, (size_t)n), *b = numbers(3, (size_t)n), *rel = numbers(4, size);
	real *y = xcalloc((size_t)n, sizeof(*y)), *fast = numbers(5, size),
	     *slow = numbers(5, size), *w = xcalloc((size_t)n, sizeof(*w));
	struct norm_share k = {
		.n = n, .planes = planes, .frozen = frozen, .x = x, .gain = gain,
		.bias = bias ? b : NULL, .rel = rel,
		.to = fast, .step = n,
	};
	void *room = xmalloc(k_norm_share_room(n, planes));

	gain[n / 2] = 0;
	k.row = slow_norm(n, (real)1e-5, x, gain, b, y);
	for (int j = 0; j < n; j++) {
		const double c = (double)gain[j] * k.row.rstd,
			     own = ((double)x[j] - k.row.mean) * k.row.rstd;

		for (int i = 0; i < n; i++) {
			const double u = ((double)x[i] - k.row.mean) * k.row.rstd;

			w[i] = (real)(c * ((i == j) - 1.0 / n - (frozen ? 0 : own * u / n)));
		}
		for (int p = 0; p < planes; p++)
			slow_share(s, n, w, x, bias ? b[j] : 0, rel[p * n + j], slow + p * n);
	}
	k_norm_share(&k, s, room);
	assert_close(size, fast, slow, 2e-4);
	free(gain);
	free(b);
	free(rel);
	free(y);
	free(fast);
	free(slow);
	free(w);
	free(room);
}

static void
norms_share_by_their_jacobian(void **state)
{
	static const int width[] = { 1, 2, 3, 17, 64, 300 };
	enum { WIDEST = 300 };
	real x[WIDEST];

	(void)state;
	for (size_t k = 0; k < sizeof(width) / sizeof(*width); k++)
		for (int variant = 0; variant < 16; variant++) {
			real *some = numbers(100 + (uint32_t)variant, WIDEST);

			/* Far from 0, on both sides, many equal, one outlier. */
			for (int i = 0; i < WIDEST; i++)
				x[i] = variant & 4   ? some[i % 5]
				       : variant & 8 ? 2 * some[i] + 3
						     : some[i];
			x[width[k] / 3] *= variant & 1 ? 20 : 1;
			/*
			 * Without a bias the contributions of a row sum to 0, by which epsilon
			 * cannot divide.
			 */
			for (int r = variant & 3 ? 0 : 1; r < RULES; r++)
				check_norm(width[k], 1 + (variant * 5 + r) % 19, variant & 1,
					   variant & 2, &rules[r], x);
			free(some);
		}
}

static void
assert_same_flow(const struct flow *fast, const struct flow *slow)
{
	assert_true(fabs(fast->absorbed - slow->absorbed) <= 1e-4 * slow->magnitude);
	assert_true(fabs(fast->magnitude - slow->magnitude) <= 1e-4 * slow->magnitude);
}

/* q, k, v with more columns than a head has. */
static void
check_core(int T, int S, int d, bool causal, bool constant, const struct share *rule)
{
	const int ld = d + 3, planes = 3;
	const size_t of_q = (size_t)(T * ld), of_k = (size_t)(S * ld);
	real *q = numbers(1, of_q), *k = numbers(2, of_k), *v = numbers(3, of_k),
	     *rel = numbers(4, of_q * planes);
	real *a = numbers(5, (size_t)(T * S)),
	     *fast = xcalloc(planes * (of_q + 2 * of_k), sizeof(real)),
	     *slow = xcalloc(planes * (of_q + 2 * of_k), sizeof(real));
	struct flow flow[2][3] = { { { 0 } } };
	struct share s = *rule;
	real *room = xcalloc(k_core_room(S, d, planes), sizeof(*room));
	struct core c = {
		.h = { .T = T, .S = S, .d = d, .d_v = d, .q = q, .k = k, .v = v, .ldq = ld,
		.ldk = ld, .ldv = ld,
		       .scale = (real)0.5, .causal = causal },
		.weights = a, .constant = constant, .planes = planes, .rel = rel, .ld = ld,
		.step = (ptrdiff_t)of_q,
		.q = fast, .k = fast + planes * of_q, .v = fast + planes * (of_q + of_k),
		.step_q = (ptrdiff_t)of_q, .step_k = (ptrdiff_t)of_k, .step_v = (ptrdiff_t)of_k,
	};

	if (causal)
		k_mask_future(T, S, a, S);
	for (int i = 0; i < T; i++)
		slow_softmax(S, a + i * S, a + i * S);
	for (size_t i = 0; i < of_q * planes; i++)
		rel[i] = i < of_q && i % 5 ? 0 : (real)fabs((double)rel[i]);
	s.flow = flow[0];
	k_core(&c, &s, room);
	c.q = slow;
	c.k = slow + planes * of_q;
	c.v = slow + planes * (of_q + of_k);
	s.flow = flow[1];
	slow_core(&c, &s, room);
	for (int p = 0; p < planes; p++)
		assert_same_flow(&flow[0][p], &flow[1][p]);
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
		cmocka_unit_test(what_eps_takes_is_counted),
		cmocka_unit_test(pairs_are_units_of_two),
		cmocka_unit_test(tiles_are_sums_of_shares),
		cmocka_unit_test(picked_columns_stand_side_by_side),
		cmocka_unit_test(signs_of_several_outputs),
		cmocka_unit_test(norms_share_by_their_jacobian),
		cmocka_unit_test(cores_share_jointly),
	};

	return cmocka_run_group_tests_name("kernels of relevance", tests, NULL, NULL);
}
