/*
 * integer-products: products in int16 and int8 of all levels and back ends compared with sums in 64
 * bits.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/arena.h"
#include "base/mem.h"
#include "base/pool.h"
#include "tensor/product.h"
#include "integers.h"
#include "open-backend.h"

struct shape { int m, n, k, gap; float alpha, beta; };

static const struct shape shapes[] = {
	{ 1, 1, 1, 0, 1, 0 }, { 5, 3, 2, 1, 1, 1 }, { 13, 33, 17, 0, 1, 0 },
	{ 24, 64, 64, 0, 1, 1 }, { 100, 300, 70, 2, 0.5f, 0 }, { 193, 31, 1100, 0, 1, 0 },
	{ 400, 70, 33, 3, 1, 1 },
	{ 37, 65, 1301, 0, -2, 0 }, { 3, 700, 513, 0, 1, 0 },
};

#define N_SHAPES (sizeof(shapes) / sizeof(*shapes))

struct work { struct gemm g; float *a, *b, *before; size_t n_c; };

/* All kinds of rows of op(A) and columns of op(B) whose products a float can represent. */
static void
work_init(struct work *w, const struct shape *s, bool ta, bool tb)
{
	const int lda = (ta ? s->m : s->k) + s->gap, ldb = (tb ? s->k : s->n) + s->gap;
	float *row = xcalloc((size_t)s->k, sizeof(*row));

	w->n_c = (size_t)s->m * (size_t)(s->n + s->gap);
	w->a = xcalloc((size_t)(ta ? s->k : s->m) * (size_t)lda, sizeof(float));
	w->b = xcalloc((size_t)(tb ? s->n : s->k) * (size_t)ldb, sizeof(float));
	w->before = xcalloc(w->n_c, sizeof(float));
	fill(w->before, (int)w->n_c, NORMAL, 3);
	for (int i = 0; i < s->m; i++) {
		fill(row, s->k, i % 11 == 7 ? HUGE_ONES : i % 5, (uint32_t)i);
		for (int k = 0; k < s->k; k++)
			w->a[ta ? k * lda + i : i * lda + k] = row[k];
	}
	for (int j = 0; j < s->n; j++) {
		fill(row, s->k, j % 7 == 5 ? TINY : j % 4, (uint32_t)(j + 1000));
		for (int k = 0; k < s->k; k++)
			w->b[tb ? j * ldb + k : k * ldb + j] = row[k];
	}
	free(row);
	w->g = (struct gemm){
		.m = s->m, .n = s->n, .k = s->k, .trans_a = ta, .trans_b = tb,
		.alpha = s->alpha, .beta = s->beta,
		.a = w->a, .b = w->b, .lda = lda, .ldb = ldb, .ldc = s->n + s->gap,
	};
}

static void
work_release(struct work *w)
{
	free(w->a);
	free(w->b);
	free(w->before);
}

static float
a_of(const struct gemm *g, int i, int k)
{
	return g->a[g->trans_a ? k * g->lda + i : i * g->lda + k];
}

static float
b_of(const struct gemm *g, int k, int j)
{
	return g->b[g->trans_b ? j * g->ldb + k : k * g->ldb + j];
}

/* Converts all rows of a factor with the slow kernels. */
static int16_t *
integers(const struct format *f, const struct gemm *g, bool second, float *unit)
{
	const int rows = second ? g->n : g->m;
	float *row = xcalloc((size_t)g->k, sizeof(*row));
	int16_t *q = xcalloc((size_t)rows * (size_t)g->k, sizeof(*q));

	for (int i = 0; i < rows; i++) {
		for (int k = 0; k < g->k; k++)
			row[k] = second ? b_of(g, k, i) : a_of(g, i, k);
		unit[i] = f->slow_unit(g->k, row);
		slow_to_int16(g->k, row, unit[i], q + (ptrdiff_t)i * g->k);
	}
	free(row);
	return q;
}

/*
 * Computes every c from a sum in 64 bits, and checks the error bound in int16.h, with a margin for
 * the roundings when the sum is multiplied by units.
 */
static float *
expected(const struct format *f, const struct work *w)
{
	const struct gemm *g = &w->g;
	float *ua = xcalloc((size_t)g->m, sizeof(*ua)), *ub = xcalloc((size_t)g->n, sizeof(*ub));
	int16_t *qa = integers(f, g, false, ua), *qb = integers(f, g, true, ub);
	float *c = xcalloc(w->n_c, sizeof(*c));

	memcpy(c, w->before, w->n_c * sizeof(*c));
	for (int i = 0; i < g->m; i++) {
		for (int j = 0; j < g->n; j++) {
			const double u = (double)ua[i] * (double)ub[j], root = sqrt(g->k) / 2;
			const int at = i * g->ldc + j;
			double exact = 0, na = 0, nb = 0;
			int64_t sum = 0;
			float y;

			for (int k = 0; k < g->k; k++) {
				const double a = (double)a_of(g, i, k), b = (double)b_of(g, k, j);

				exact += a * b;
				na += a / (double)ua[i] * (a / (double)ua[i]);
				nb += b / (double)ub[j] * (b / (double)ub[j]);
				sum += (int64_t)qa[i * g->k + k] * qb[j * g->k + k];
			}
			assert_true(llabs(sum) <= INT32_MAX);
			assert_true(fabs((double)sum * u - exact) <=
				    1.001 * u * (root * (sqrt(na) + sqrt(nb)) + g->k / 4.0));
			y = g->alpha * times_units(sum, ua[i], ub[j]);
			c[at] = g->beta != 0 ? y + g->beta * w->before[at] : y;
		}
	}
	free(ua);
	free(ub);
	free(qa);
	free(qb);
	return c;
}

static void
mark(void *arg, int from, int to)
{
	int *seen = arg;

	for (int r = from; r < to; r++)
		seen[r]++;
}

static float *
multiply(const char *spec, const struct work *w, int threads, bool prepare)
{
	struct gemm g = w->g;
	struct pool *pool = pool_new(threads);
	int *seen = xcalloc((size_t)g.m, sizeof(*seen));
	struct backend b;
	struct arena scratch;

	if (!is_available(&b, spec)) {
		pool_free(pool);
		free(seen);
		return NULL;
	}
	arena_init(&scratch, 0);
	g.c = xcalloc(w->n_c, sizeof(*g.c));
	memcpy(g.c, w->before, w->n_c * sizeof(*g.c));
	if (prepare) {
		g.prepared = product_prepare(&b, pool, &scratch, &g);
		g.b = g.prepared ? NULL : g.b;
	}
	product(&b, pool, &scratch, &g, mark, seen);
	for (int r = 0; r < g.m; r++)
		assert_int_equal(seen[r], 1);
	backend_close(&b);
	arena_release(&scratch);
	pool_free(pool);
	free(seen);
	return g.c;
}

static void
same_bits(const char *spec, const struct work *w, const float *right, int threads, bool prepare)
{
	float *c = multiply(spec, w, threads, prepare);

	for (size_t i = 0; c && i < w->n_c; i++)
		if (memcmp(&c[i], &right[i], sizeof(*c)))
			fail_msg("%s, %d x %d x %d, %d threads: number %zu is %.9g, should be %.9g",
				 spec, w->g.m, w->g.n, w->g.k, threads, i, (double)c[i],
				 (double)right[i]);
	free(c);
}

/* Every level, 1 and 3 threads, prepared or not. */
static void
check_products(const struct format *f, const struct work *w, const float *right)
{
	char spec[64];

	for (int l = 0; l < N_LEVELS; l++) {
		snprintf(spec, sizeof(spec), "native:%s:%s", f->name, levels[l]);
		for (int i = 0; i < 4; i++)
			same_bits(spec, w, right, 1 + i / 2 * 2, i & 1);
	}
	snprintf(spec, sizeof(spec), "native:%s", f->name);
	same_bits(spec, w, right, 2, true);
}

/* The bits of sums in 64 bits, for any level, number of threads, other rows, prepared or not. */
static void
test_products(void **state)
{
	(void)state;
	for (size_t s = 0; s < 4 * N_SHAPES; s++) {
		struct work w;

		work_init(&w, &shapes[s / 4], s & 1, s & 2);
		for (int f = 0; f < N_FORMATS; f++) {
			float *right = expected(&formats[f], &w);

			check_products(&formats[f], &w, right);
			free(right);
		}
		work_release(&w);
	}
}

static void
near(const struct work *w, const float *c, const float *right)
{
	const struct gemm *g = &w->g;

	for (int i = 0; i < g->m; i++)
		for (int j = 0; j < g->n; j++) {
			const int at = i * g->ldc + j;
			double size = 0;

			for (int k = 0; k < g->k; k++)
				size += fabs((double)a_of(g, i, k) * (double)b_of(g, k, j));
			if (size < 1e38)	/* else partial sums may not be finite */
				assert_true(fabs((double)c[at] - (double)right[at]) <=
					    g->k * (ldexp(1, -23) * size + ldexp(1, -149)));
		}
}

/* Compares all back ends with the result; returns the number of those that are installed. */
static int
check_others(const struct format *f, const struct work *w, const float *right)
{
	int checked = 0;
	char spec[64];

	for (int b = 0; backends[b]; b++) {
		float *c;

		snprintf(spec, sizeof(spec), "%s:%s", backends[b]->name, f->name);
		c = multiply(spec, w, 2, true);
		if (c)
			near(w, c, right);
		checked += c != NULL;
		free(c);
	}
	return checked;
}

/* The other back ends multiply the rounded values; the sums of reference are the same in int16. */
static void
test_others(void **state)
{
	const struct shape s = { 70, 90, 130, 2, 1, 0 };

	(void)state;
	for (int t = 0; t < 4 * N_FORMATS; t++) {
		const struct format *f = &formats[t / 4];
		struct work w;
		float *right;

		work_init(&w, &s, t & 1, t & 2);
		right = expected(f, &w);
		if (f->largest == INT16_LARGEST)
			same_bits("reference:int16", &w, right, 2, false);
		assert_true(check_others(f, &w, right) >= 3);
		free(right);
		work_release(&w);
	}
}

/* NaN and infinity affect only their row or column. */
static void
check_not_finite(const struct format *f, const char *backend, const char *level)
{
	enum { M = 30, N = 40, K = 50 };
	struct shape s = { M, N, K, 0, 1, 0 };
	char spec[64];
	struct work w;
	float *right, *c;

	work_init(&w, &s, false, true);
	right = expected(f, &w);
	w.a[4 * K + 49] = NAN, w.a[5 * K] = INFINITY, w.b[7 * K + 17] = -INFINITY;
	memset(w.a + 6 * K, 0, K * sizeof(float));
	snprintf(spec, sizeof(spec), "%s:%s:%s", backend, f->name, level);
	c = multiply(spec, &w, 2, *level == 'v');
	for (int i = 0; c && i < M; i++)
		for (int j = 0; j < N; j++) {
			const float *x = &c[i * N + j], *y = &right[i * N + j];

			if (i == 4 || i == 5 || j == 7)
				assert_true(isnan(*x));
			else if (i == 6)
				assert_true(*x == 0);
			else if (*level)
				assert_memory_equal(x, y, sizeof(*x));
			else
				assert_true(*x == *y ||
					    fabsf(*x - *y) <= 1e-6f * fabsf(*y) + 1e-37f);
		}
	free(c);
	free(right);
	work_release(&w);
}

static void
test_not_finite(void **state)
{
	(void)state;
	for (int f = 0; f < N_FORMATS; f++) {
		for (int l = 0; l < N_LEVELS; l++)
			check_not_finite(&formats[f], "native", levels[l]);
		check_not_finite(&formats[f], "reference", "");
	}
}

static void
test_names(void **state)
{
	struct backend b;
	struct err e;

	(void)state;
	assert_int_equal(backend_open(&b, "native:int16:v1", &e), -1);
	assert_int_equal(e.status, EXIT_USAGE);
	assert_int_equal(backend_open(&b, "native:int161", &e), -1);
	assert_int_equal(backend_open(&b, "native:int16:v2", &e), 0);
	assert_true(b.caps & BACKEND_INT16 && b.caps & BACKEND_ROUNDS && !(b.caps & BACKEND_BF16));
	backend_close(&b);
	assert_int_equal(backend_open(&b, "native:int8:v2", &e), 0);
	assert_true(b.caps & BACKEND_INT8 && b.caps & BACKEND_ROUNDS && !(b.caps & BACKEND_INT16));
	backend_close(&b);
	assert_int_equal(backend_open(&b, "native:bf16:v2", &e), 0);
	assert_true(b.caps & BACKEND_BF16 && !(b.caps & (BACKEND_INT16 | BACKEND_ROUNDS)));
	backend_close(&b);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_products), cmocka_unit_test(test_others),
		cmocka_unit_test(test_not_finite), cmocka_unit_test(test_names),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
