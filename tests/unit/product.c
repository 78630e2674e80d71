/* product: every back end compared with reference, with sizes on both sides of every split. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/arena.h"
#include "base/mem.h"
#include "base/pool.h"
#include "base/rng.h"
#include "tensor/product.h"
#include "open-backend.h"

struct shape { int m, n, k; };

static const struct shape shapes[] = {
	{ 1, 1, 1 }, { 5, 3, 2 }, { 13, 33, 17 }, { 100, 300, 70 }, { 400, 70, 33 },
	{ 1030, 40, 20 },
	{ 193, 31, 1100 }, { 37, 65, 1300 }, { 3, 700, 513 }, { 215, 530, 257 }, { 7, 5, 0 },
};

static real *
numbers(size_t n, uint32_t what)
{
	struct rng r;
	real *x = xcalloc(n + 1, sizeof(*x));

	rng_init(&r, 5, what, 0);
	for (size_t i = 0; i < n; i++)
		x[i] = (real)rng_uniform(&r) - (real)0.5;
	return x;
}

static void
finish(void *arg, int from, int to)
{
	int *seen = arg;

	for (int r = from; r < to; r++)
		seen[r]++;
}

/* c after the product; the initial values are always the same. */
static real *
run(const char *backend, int threads, const struct shape *s, bool ta, bool tb, bool prepare)
{
	struct backend b;
	struct arena scratch;
	struct err e;
	struct pool *pool = threads > 1 ? pool_new(threads) : NULL;
	int k = s->k ? s->k : 1, *seen = xcalloc((size_t)s->m, sizeof(*seen));
	real *a = numbers((size_t)(s->m + 1) * (size_t)(k + 1), 1);
	real *w = numbers((size_t)(s->n + 2) * (size_t)(k + 2), 2);
	real *c = numbers((size_t)s->m * (size_t)(s->n + 3), 3);
	struct gemm g = {
		.m = s->m, .n = s->n, .k = s->k, .trans_a = ta, .trans_b = tb,
		.alpha = (real)0.5, .beta = !ta ? 0 : tb ? (real)0.25 : 1,
		.a = a, .lda = 1 + (ta ? s->m : k), .b = w, .ldb = 2 + (tb ? k : s->n),
		.c = c, .ldc = s->n + 3,
	};

	arena_init(&scratch, 0);
	if (backend_open(&b, backend, &e))
		fail_msg("%s", e.text);
	if (prepare)
		g.prepared = product_prepare(&b, pool, &scratch, &g);
	product(&b, pool, &scratch, &g, finish, seen);
	for (int r = 0; r < s->m; r++)
		assert_int_equal(seen[r], 1);
	backend_close(&b);
	arena_release(&scratch);
	pool_free(pool);
	free(seen);
	free(a);
	free(w);
	return c;
}

/* The values of reference, and the same bits for any number of threads, prepared or not. */
static void
one_shape(const char *backend, const struct shape *s, bool ta, bool tb)
{
	size_t n = (size_t)s->m * (size_t)(s->n + 3);
	real *right = run("reference", 1, s, ta, tb, false),
	     *one = run(backend, 1, s, ta, tb, false);

	for (size_t i = 0; i < n; i++)
		if (!(fabs((double)(one[i] - right[i])) <= 2e-6 * sqrt(s->k + 1.0)))
			fail_msg("%s, %d x %d x %d: element %zu is %.8g, expected %.8g", backend,
				 s->m, s->n, s->k, i, (double)one[i], (double)right[i]);
	for (int threads = 1; threads <= 5; threads += threads == 3 ? 2 : 1) {
		for (int prepare = 0; prepare < 2; prepare++) {
			real *many = run(backend, threads, s, ta, tb, prepare);

			assert_memory_equal(one, many, n * sizeof(*one));
			free(many);
		}
	}
	free(right);
	free(one);
}

static void
all_shapes(const char *backend)
{
	for (size_t s = 0; s < sizeof(shapes) / sizeof(shapes[0]); s++)
		for (int t = 0; t < 4; t++)
			one_shape(backend, &shapes[s], t & 1, t & 2);
}

static void
test_backends(void **state)
{
	struct backend back;

	(void)state;
	for (int b = 0; backends[b]; b++) {
		if (!is_available(&back, backends[b]->name)) {
			print_message("skipped: %s is not available\n", backends[b]->name);
			continue;
		}
		backend_close(&back);
		all_shapes(backends[b]->name);
	}
}

/* The kernels that are not the default on this processor. */
static void
test_levels(void **state)
{
	static const char *const levels[] = { "native:v2", "native:v3", "native:v4" };
	struct backend b;
	struct err e;

	(void)state;
	for (int i = 0; i < 3; i++) {
		if (!is_available(&b, levels[i])) {
			assert_int_not_equal(i, 0);
			continue;
		}
		backend_close(&b);
		all_shapes(levels[i]);
	}
	assert_int_equal(backend_open(&b, "native:v1", &e), -1);
	assert_int_equal(e.status, EXIT_USAGE);
}

/* A row has the same bits in products of few and of many rows. */
static void
test_rows_alone(void **state)
{
	const struct shape many = { 700, 90, 600 };
	real *all = run("native", 2, &many, false, true, false);

	(void)state;
	for (int rows = 1; rows < 400; rows = rows * 3 + 2) {
		const struct shape few = { rows, 90, 600 };
		real *some = run("native", 1, &few, false, true, false);

		for (int r = 0; r < rows; r++)
			assert_memory_equal(some + r * 93, all + r * 93, 90 * sizeof(*all));
		free(some);
	}
	free(all);
}

/* A packed b serves products of any number of rows, and b is not read again. */
static void
test_prepared(void **state)
{
	const int rows[] = { 500, 7, 160 };
	struct gemm g = { .n = 90, .k = 600, .trans_b = true, .alpha = 1, .lda = 600, .ldb = 600,
		.ldc = 93 };
	real *w = numbers(90 * 600, 2), *a = numbers(500 * 600, 1),
	     *right = xcalloc(500 * 93, sizeof(*right));
	real *c = xcalloc(500 * 93, sizeof(*c));
	struct backend b;
	struct arena mem, scratch;
	struct err e;

	(void)state;
	arena_init(&mem, 0);
	arena_init(&scratch, 0);
	assert_int_equal(backend_open(&b, "native", &e), 0);
	g.a = a;
	g.b = w;
	g.c = right;
	g.m = rows[0];
	product(&b, NULL, &scratch, &g, NULL, NULL);
	g.prepared = product_prepare(&b, NULL, &mem, &g);
	assert_non_null(g.prepared);
	memset(w, 0xff, 90 * 600 * sizeof(*w));
	g.c = c;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		g.m = rows[i];
		memset(c, 0, 500 * 93 * sizeof(*c));
		product(&b, NULL, &scratch, &g, NULL, NULL);
		for (int r = 0; r < g.m; r++)
			assert_memory_equal(c + r * 93, right + r * 93, 90 * sizeof(*c));
	}
	backend_close(&b);
	arena_release(&mem);
	arena_release(&scratch);
	free(w);
	free(a);
	free(c);
	free(right);
}

/* A clock that advances only while rows are finished. */
static double fake_time;

static double
fake_clock(void)
{
	return fake_time;
}

static void
finish_slowly(void *arg, int from, int to)
{
	finish(arg, from, to);
	fake_time += to - from;
}

/* Operations are counted, the time of finish is not, and the result is the same. */
static void
test_meter(void **state)
{
	enum { M = 40, N = 300, K = 7 };
	struct product_meter meter = { .clock = fake_clock };
	real *a = numbers(M * K, 1), *w = numbers(N * K, 2), *c[2];
	const char *const names[] = { "reference", "native" };
	struct arena scratch;
	struct backend b;
	struct err e;

	(void)state;
	for (int i = 0; i < 2; i++) {
		int seen[M] = { 0 };
		struct gemm g = { .m = M, .n = N, .k = K, .alpha = 1, .a = a, .lda = K, .b = w,
			.ldb = N, .ldc = N };

		arena_init(&scratch, 0);
		assert_int_equal(backend_open(&b, names[i], &e), 0);
		for (int j = 0; j < 2; j++) {
			g.c = c[j] = xcalloc(M * N, sizeof(real));
			b.meter = j ? &meter : NULL;
			product(&b, NULL, &scratch, &g, finish_slowly, seen);
		}
		assert_memory_equal(c[0], c[1], M * N * sizeof(real));
		assert_true(fake_time == 2 * M * (i + 1) && seen[M - 1] == 2);
		assert_true(fabs(meter.seconds) < 1e-6 && meter.flops == 2.0 * M * N * K * (i + 1));
		backend_close(&b);
		arena_release(&scratch);
		free(c[0]);
		free(c[1]);
	}
	free(a);
	free(w);
}

static void
test_unknown(void **state)
{
	struct backend b;
	struct err e;

	(void)state;
	assert_int_equal(backend_open(&b, "abacus", &e), -1);
	assert_int_equal(e.status, EXIT_USAGE);
	assert_int_equal(backend_open(&b, "reference:fast", &e), -1);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_backends),   cmocka_unit_test(test_levels),
		cmocka_unit_test(test_rows_alone), cmocka_unit_test(test_prepared),
		cmocka_unit_test(test_meter),	   cmocka_unit_test(test_unknown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
