/* kernels: each fast kernel compared with its slow one, in single precision, at irregular sizes. */
#include "kernels-case.h"

/* The distance in units of the last place. */
static double
ulps(float x, double exact)
{
	int e;

	frexp(exact, &e);
	return fabs(x - exact) / ldexp(1, e - FLT_MANT_DIG);
}

/* The larger error; infinity if one is not a number. */
static double
larger(double worst, double error)
{
	return isnan(error) ? INFINITY : fmax(worst, error);
}

static void
test_exp(void **state)
{
	double worst = 0;

	(void)state;
	for (int i = 0; i <= 1750000; i += 16) {
		real x[16], y[16];

		for (int j = 0; j < 16; j++)
			x[j] = (real)((i + j) * 1e-4 - 87.3);
		k_exp(16, x, y);
		for (int j = 0; j < 16; j++)
			worst = larger(worst, ulps(y[j], exp((double)x[j])));
	}
	if (worst > 2)
		fail_msg("exp is %g ulp off", worst);
}

static void
test_exp_ends(void **state)
{
	real x[5] = { -INFINITY, -100, 0, 90, INFINITY }, y[5];

	(void)state;
	k_exp(5, x, y);
	assert_true(y[0] == 0 && y[1] == 0 && y[2] == 1 && isinf(y[3]) && isinf(y[4]));
}

/* The maximum error of an element-wise function in ulp, from -12 to 12 and near 0. */
static double
worst_of(void (*fast)(size_t, const real *, real *), void (*slow)(size_t, const real *, real *))
{
	double worst = 0;

	for (int i = -60000; i < 60000; i += 15) {
		real x[30], y[30], z[30];

		for (int j = 0; j < 15; j++) {
			x[j] = (real)((i + j) * 2e-4);
			x[15 + j] = (real)((i + j) * 1e-9);
		}
		fast(30, x, y);
		slow(30, x, z);
		for (int j = 0; j < 30; j++)
			worst = larger(worst, ulps(y[j], z[j]));
	}
	return worst;
}

struct activation {
	const char *name;
	void (*run)(size_t, const real *, real *), (*slow)(size_t, const real *, real *);
	void (*back)(size_t, const real *, const real *, real, real *);
	void (*slow_back)(size_t, const real *, const real *, real, real *);
};

static void
test_tanh_and_sigmoid(void **state)
{
	const real ends[4] = { -INFINITY, -50, 50, INFINITY };
	real y[4];

	(void)state;
	assert_true(worst_of(k_tanh, slow_tanh) <= 4);
	assert_true(worst_of(k_sigmoid, slow_sigmoid) <= 4);
	k_tanh(4, ends, y);
	assert_true(y[0] == -1 && y[1] == -1 && y[2] == 1 && y[3] == 1);
	k_sigmoid(4, ends, y);
	assert_true(y[0] == 0 && y[1] < 1e-20 && y[2] == 1 && y[3] == 1);
}

/*
 * The maximum error of an activation and of its derivative, relative to 1 + |x|; dx = g y' + beta
 * dx.  The length is not a multiple of the vector length.
 */
static void
check_activation(const struct activation *a)
{
	double worst = 0, worst_back = 0;

	for (int i = -60000; i < 60000; i += 29) {
		real x[29], g[29], y[29], z[29], dx[29], dz[29];

		for (int j = 0; j < 29; j++) {
			x[j] = (real)((i + j) * 2e-4);
			g[j] = (real)(j % 5 - 1.5);
			dx[j] = dz[j] = (real)(j % 7);
		}
		a->run(29, x, y);
		a->slow(29, x, z);
		a->back(29, x, g, i % 2 ? 0 : (real)0.5, dx);
		a->slow_back(29, x, g, i % 2 ? 0 : (real)0.5, dz);
		for (int j = 0; j < 29; j++) {
			worst = larger(worst, fabs((double)(y[j] - z[j])) /
					      (1 + fabs((double)x[j])));
			worst_back = larger(worst_back, fabs((double)(dx[j] - dz[j])) /
							(1 + fabs((double)x[j])));
		}
	}
	if (worst > 2e-7 || worst_back > 1e-6)
		fail_msg("%s is %g off, its derivative %g", a->name, worst, worst_back);
}

static void
test_activations(void **state)
{
#define ROW(name) { #name, k_##name, slow_##name, k_##name##_back, slow_##name##_back },
	static const struct activation all[] = { ACTIVATIONS(ROW) };
	/* By hand: 2 / (1 + e^-2), 2 Phi(2), 1 + tanh(0.79788456 (2 + 0.35772)). */
	static const double at_two[] = { 1.76159416, 1.95449974, 1.95459769 };
	const real ends[3] = { -100, 2, 100 };
	real y[3];

	(void)state;
	assert_int_equal(sizeof(all) / sizeof(all[0]), sizeof(at_two) / sizeof(at_two[0]));
	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
		check_activation(&all[i]);
		all[i].run(3, ends, y);
		assert_true(fabs((double)y[0]) < 1e-20 && y[2] == 100);
		assert_true(fabs((double)y[1] - at_two[i]) < 5e-7);
	}
}

static void
test_divergence(void **state)
{
	real x[4] = { 0, 0.25f, 0.5f, 1 }, g[4] = { 2, 2, 2, 2 }, y[4], dx[4] = { 0 };

	(void)state;
	k_divergence(4, 4, x, y);
	assert_true(y[0] == 0 && y[1] == 0 && fabs(y[2] - 0.5 * log(2)) < 1e-7 &&
		    fabs(y[3] - log(4)) < 1e-6);
	k_divergence_back(4, 4, x, g, 0, dx);
	assert_true(isfinite(dx[0]) && fabs(dx[1] - 2) < 1e-6 &&
		    fabs(dx[2] - 2 * (1 + log(2))) < 1e-6);
}

static void
test_softmax(void **state)
{
	real x[ROOM], y[ROOM], z[ROOM];

	(void)state;
	for (int s = 0; s < N_SIZES; s++) {
		fill(1, sizes[s], x);
		x[sizes[s] / 2] = s % 3 ? x[0] : -INFINITY;
		k_softmax(sizes[s], x, y);
		slow_softmax(sizes[s], x, z);
		assert_close(sizes[s], y, z, 1e-6);
		k_softmax(sizes[s], x, x);
		assert_memory_equal(x, y, (size_t)sizes[s] * sizeof(real));
	}
	x[0] = x[1] = x[2] = -INFINITY;
	k_softmax(3, x, y);
	assert_true(y[0] == 0 && y[1] == 0 && y[2] == 0);
}

static void
test_norm(void **state)
{
	real x[ROOM], gain[ROOM], bias[ROOM], y[ROOM], z[ROOM];

	(void)state;
	fill(2, ROOM, gain);
	fill(3, ROOM, bias);
	for (int s = 1; s < N_SIZES; s++) {
		int n = sizes[s];
		struct norm_row a, b;

		fill(4, n, x);
		a = k_norm(n, (real)1e-5, x, gain, bias, y);
		b = slow_norm(n, (real)1e-5, x, gain, bias, z);
		assert_close(n, y, z, 2e-6);
		assert_close(2, &a.mean, &b.mean, 1e-5);
	}
}

static void
test_norm_back(void **state)
{
	real x[ROOM], gain[ROOM], g[ROOM], fast[3][ROOM], slow[3][ROOM];

	(void)state;
	fill(2, ROOM, gain);
	fill(5, ROOM, g);
	for (int s = 1; s < N_SIZES; s++) {
		int n = sizes[s];
		struct norm_row r;

		fill(4, n, x);
		r = slow_norm(n, (real)1e-2, x, gain, g, fast[0]);
		for (int i = 0; i < 3; i++) {
			fill(6, n, fast[i]);
			fill(6, n, slow[i]);
		}
		k_norm_back(n, r, x, gain, g, 1, fast[0], fast[1], fast[2]);
		slow_norm_back(n, r, x, gain, g, 1, slow[0], slow[1], slow[2]);
		for (int i = 0; i < 3; i++)
			assert_close(n, fast[i], slow[i], 1e-5);
	}
}

static void
one_loss(int n, const struct smooth *s, int target, const real *b)
{
	real x[ROOM], y[ROOM];
	struct loss_row fast, slow;

	fill(7, n, x);
	memcpy(y, x, sizeof(x));
	fast = k_cross_entropy(n, s, target, b, true, x);
	slow = slow_cross_entropy(n, s, target, b, true, y);
	assert_close(1, &fast.loss, &slow.loss, 1e-5);
	assert_close(1, &fast.nll, &slow.nll, 1e-5);
	assert_close(n, x, y, 2e-6);
}

static void
test_cross_entropy(void **state)
{
	unsigned char valid[ROOM];
	real b[ROOM];

	(void)state;
	fill(8, ROOM, b);
	for (int i = 0; i < ROOM; i++)
		valid[i] = i % 5 != 3;
	for (int s = 3; s < N_SIZES; s++) {
		int n = sizes[s], counted = 0;
		struct smooth plain = { .low = (real)0.01, .gold = (real)0.9, .n_counted = n - 1,
			.skip = 0 };
		struct smooth masked = { .low = (real)0.02, .gold = (real)0.8, .skip = -1,
			.valid = valid };

		for (int i = 0; i < n; i++)
			counted += valid[i];
		masked.n_counted = counted;
		one_loss(n, &plain, n / 2, b);
		one_loss(n, &masked, 1, NULL);
	}
}

/* Logits whose difference overflows, as those of a diverged training, must not look like a loss. */
static void
test_overflow(void **state)
{
	const struct smooth s = {
		.skip = -1, .n_counted = 40, .low = (real)0.001, .gold = (real)0.961,
	};
	real x[40];

	(void)state;
	for (int i = 0; i < 40; i++)
		x[i] = i == 3 ? FLT_MAX : -FLT_MAX;
	assert_false(isfinite(k_cross_entropy(40, &s, 3, NULL, false, x).loss));
}

static void
test_small(void **state)
{
	real *a = xcalloc(40 * 40, sizeof(*a)), *b = xcalloc(40 * 80, sizeof(*b));
	real *c = xcalloc(40 * 80, sizeof(*c)), *d = xcalloc(40 * 80, sizeof(*d));

	(void)state;
	fill(1, 40 * 40, a);
	fill(2, 40 * 80, b);
	for (int m = 1; m <= 9; m++) {
		for (int n = 1; n <= 75; n += m == 4 ? 1 : 11) {
			struct small s = { .m = m, .n = n, .k = 1 + n % 19, .a = a, .b = b, .c = c,
				.as = n % 2 ? 40 : 1,
					   .ap = n % 2 ? 1 : 40, .ldb = 80, .ldc = 78,
					   .alpha = (real)0.7, .beta = (real)(m % 2) };

			fill(3, 40 * 80, c);
			memcpy(d, c, 40 * 80 * sizeof(*c));
			k_small(&s);
			s.c = d;
			slow_small(&s);
			assert_close(40 * 80, c, d, 2e-6);
		}
	}
	free(a);
	free(b);
	free(c);
	free(d);
}

static void
test_transpose(void **state)
{
	real *from = xcalloc(40 * 80, sizeof(*from)), *to[2];

	(void)state;
	fill(1, 40 * 80, from);
	for (int m = 1; m <= 40; m += 3) {
		for (int n = 1; n <= 70; n += 23) {
			int pad = (m + 15) / 16 * 16;

			to[0] = xcalloc(48 * 70, sizeof(real));
			to[1] = xcalloc(48 * 70, sizeof(real));
			k_transpose(m, n, from, 80, to[0], 48, pad);
			slow_transpose(m, n, from, 80, to[1], 48, pad);
			assert_memory_equal(to[0], to[1], 48 * 70 * sizeof(real));
			free(to[0]);
			free(to[1]);
		}
	}
	free(from);
}

static void
test_distance(void **state)
{
	real x[ROOM], score[ROOM], fast[ROOM], slow[ROOM];

	(void)state;
	fill(1, ROOM, x);
	fill(2, ROOM, score);
	for (int s = 0; s < N_SIZES; s++)
		for (int reach = 0; reach < 40; reach += 1 + reach / 2)
			for (int at = -3; at < sizes[s]; at += 1 + sizes[s] / 5) {
				k_add_by_distance(sizes[s], at, reach, score, x, fast);
				slow_add_by_distance(sizes[s], at, reach, score, x, slow);
				assert_memory_equal(fast, slow, (size_t)sizes[s] * sizeof(real));
				k_sum_by_distance(sizes[s], at, reach, x, fast);
				slow_sum_by_distance(sizes[s], at, reach, x, slow);
				assert_close(2 * reach + 1, fast, slow, 1e-6);
			}
}

static void
test_gaussian(void **state)
{
	real x[ROOM], g[ROOM], fast[ROOM], slow[ROOM];

	(void)state;
	fill(1, ROOM, x);
	fill(2, ROOM, g);
	for (int s = 0; s < N_SIZES; s++)
		for (int k = 0; k < 3; k++) {
			const real center = (real)(0.4 * sizes[s] * k),
				   width = (real)0.5 + (real)(sizes[s] * k);
			const struct gaussian_back a = k_gaussian_back(sizes[s], center, width, g);
			const struct gaussian_back b = slow_gaussian_back(sizes[s], center, width,
				g);

			k_gaussian(sizes[s], center, width, x, fast);
			slow_gaussian(sizes[s], center, width, x, slow);
			assert_close(sizes[s], fast, slow, 1e-6);
			assert_close(2, &a.center, &b.center, 2e-5);
		}
}

static void
test_finite(void **state)
{
	static const real bad[] = { (real)NAN, -(real)NAN, (real)INFINITY, -(real)INFINITY };
	real x[100];

	(void)state;
	for (size_t i = 0; i < 100; i++)
		x[i] = i % 3 ? i % 2 ? -FLT_MAX : FLT_MIN / 8 : -(real)0.0;
	for (size_t n = 0; n <= 100; n++) {
		assert_true(k_finite(n, x));
		for (size_t i = 0; i < n; i++) {
			const real was = x[i];

			x[i] = bad[i % 4];
			assert_false(k_finite(n, x));
			assert_true(k_finite(i, x) && k_finite(n - i - 1, x + i + 1));
			x[i] = was;
		}
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_finite),
		cmocka_unit_test(test_exp),
		cmocka_unit_test(test_exp_ends),
		cmocka_unit_test(test_softmax),
		cmocka_unit_test(test_tanh_and_sigmoid),
		cmocka_unit_test(test_activations),
		cmocka_unit_test(test_divergence),
		cmocka_unit_test(test_norm),
		cmocka_unit_test(test_norm_back),
		cmocka_unit_test(test_cross_entropy),
		cmocka_unit_test(test_overflow),
		cmocka_unit_test(test_small),
		cmocka_unit_test(test_transpose),
		cmocka_unit_test(test_distance),
		cmocka_unit_test(test_gaussian),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
