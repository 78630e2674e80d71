/*
 * int16: rows of integers compared with rounding in double and a search for their unit; sums in 64
 * bits show that no sum overflows; products of all levels and back ends compared with these sums.
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
#include "base/rng.h"
#include "tensor/int16.h"
#include "tensor/kernels.h"
#include "tensor/product.h"
#include "tensor/tiles.h"

static const char *const levels[] = { "v2", "v3", "v4", "vnni" };

enum { N_LEVELS = 4 };

/* --- rows */

enum { NORMAL, EQUAL, SPIKE, SIGNS, EDGE, TINY, SMALLEST, HUGE_ONES, MIXED, ZEROS, KINDS };

static void
fill(float *x, int n, int kind, uint32_t what)
{
	struct rng r;

	rng_init(&r, 16, what, 0);
	for (int i = 0; i < n; i++) {
		const float z = (float)rng_normal(&r);

		x[i] = kind == NORMAL ? z : kind == EQUAL ? 0.7f :
			kind == SPIKE ? (i == n / 2 ? -3.1f : 1e-3f * z) :
			kind == SIGNS ? (i % 2 ? -1.3f : 1.3f) :
			kind == EDGE ? 32767 - (float)(i % 3) / 2 :
			kind == TINY ? 1e-38f * z : kind == SMALLEST ? 1.5e-45f :
			kind == HUGE_ONES ? (i % 2 ? 3.4e38f : -3e38f) :
			kind == MIXED ? ldexpf(z, i % 60 - 30) : 0;
	}
}

static const int lengths[] = { 1, 2, 3, 15, 16, 17, 31, 64, 255, 512, 1000, 2048, 100003 };

#define N_LENGTHS (sizeof(lengths) / sizeof(*lengths))

static void
check_row(int n, const float *x, const struct tile_kernels *kernels, int16_t *q, int16_t *right)
{
	const float unit = slow_unit_int16(n, x);
	double squares = 0;

	assert_true(k_unit_int16(n, x) == unit && kernels->unit(n, x) == unit);
	slow_to_int16(n, x, unit, right);
	q[n] = 77;
	kernels->to_int16(n, x, unit, q);
	assert_memory_equal(q, right, (size_t)n * sizeof(*q));
	assert_int_equal(q[n], 77);
	for (int i = 0; i < n; i++) {
		assert_true(fabs((double)x[i] / (double)unit - q[i]) <= 0.5);
		assert_true(abs(q[i]) <= INT16_LARGEST);
		squares += (double)q[i] * q[i];
	}
	assert_true(squares <= (double)INT16_NORM * INT16_NORM && squares < 2147483648.0);
}

/* Fast and slow kernels agree at every level, and no element and no norm exceeds its bound. */
static void
test_rows(void **state)
{
	float *x = xcalloc(100004, sizeof(*x));
	int16_t *q = xcalloc(100004, sizeof(*q)), *right = xcalloc(100004, sizeof(*right));

	(void)state;
	for (int l = 0; l < N_LEVELS; l++) {
		const struct tile_kernels *kernels = tile_kernels_find(levels[l]);

		for (size_t i = 0; kernels && i < N_LENGTHS; i++) {
			for (int kind = 0; kind < KINDS; kind++) {
				fill(x, lengths[i], kind, (uint32_t)i);
				check_row(lengths[i], x, kernels, q, right);
			}
		}
	}
	free(x);
	free(q);
	free(right);
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
	k_to_int16(4, four, 1 / 16384.0f, q);
	assert_true(q[0] == 16384 && q[1] == -16384 && q[3] == 16384);
	assert_true(k_unit_int16(1, ties) == 0.5f);		/* 16383 / 0.5 = 32766 */
	k_to_int16(4, ties, 0.5f, q);
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
		k_to_int16(20, bad, NAN, q);
		assert_true(q[i] == 0 && q[0] == 0);
		bad[i] = before;
	}
}

/* The largest possible sums and all partial sums fit 32 bits: all signs agree. */
static void
test_no_overflow(void **state)
{
	float *x = xcalloc(100004, sizeof(*x));
	int16_t *q = xcalloc(100004, sizeof(*q)), *p = xcalloc(100004, sizeof(*p));
	double largest = 0;

	(void)state;
	for (size_t i = 0; i < N_LENGTHS; i++) {
		const int n = lengths[i];

		for (int a = 0; a < KINDS; a++) {
			fill(x, n, a, 1);
			slow_to_int16(n, x, slow_unit_int16(n, x), q);
			for (int b = 0; b < KINDS; b++) {
				int64_t sum = 0;

				fill(x, n, b, b == a ? 1 : 2);
				slow_to_int16(n, x, slow_unit_int16(n, x), p);
				/* as large as any partial sum with any signs */
				for (int k = 0; k < n; k++)
					sum += llabs((int64_t)q[k] * p[k]);
				assert_true(sum <= INT32_MAX);
				largest = (double)sum > largest ? (double)sum : largest;
			}
		}
	}
	assert_true(largest > 0.9 * INT32_MAX);		/* the bound is nearly reached */
	free(x);
	free(q);
	free(p);
}

/* --- products */

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
integers(const struct gemm *g, bool second, float *unit)
{
	const int rows = second ? g->n : g->m;
	float *row = xcalloc((size_t)g->k, sizeof(*row));
	int16_t *q = xcalloc((size_t)rows * (size_t)g->k, sizeof(*q));

	for (int i = 0; i < rows; i++) {
		for (int k = 0; k < g->k; k++)
			row[k] = second ? b_of(g, k, i) : a_of(g, i, k);
		unit[i] = slow_unit_int16(g->k, row);
		slow_to_int16(g->k, row, unit[i], q + (ptrdiff_t)i * g->k);
	}
	free(row);
	return q;
}

/*
 * Computes every c from a sum in 64 bits, and checks the error bound in int16.h.  It rounds once
 * when the sum is converted to a float, and once when c is added.
 */
static float *
expected(const struct work *w)
{
	const struct gemm *g = &w->g;
	float *ua = xcalloc((size_t)g->m, sizeof(*ua)), *ub = xcalloc((size_t)g->n, sizeof(*ub));
	int16_t *qa = integers(g, false, ua), *qb = integers(g, true, ub);
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
				    1.0001 * u * (root * (sqrt(na) + sqrt(nb)) + g->k / 4.0));
			y = g->alpha * (float)((double)(float)sum * u);
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
	struct err e;

	if (backend_open(&b, spec, &e)) {
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

/* The bits of sums in 64 bits, for any level, number of threads, other rows, prepared or not. */
static void
test_products(void **state)
{
	char spec[64];

	(void)state;
	for (size_t s = 0; s < 4 * N_SHAPES; s++) {
		struct work w;
		float *right;

		work_init(&w, &shapes[s / 4], s & 1, s & 2);
		right = expected(&w);
		for (int l = 0; l < N_LEVELS; l++) {
			snprintf(spec, sizeof(spec), "native:int16:%s", levels[l]);
			for (int i = 0; i < 4; i++)
				same_bits(spec, &w, right, 1 + i / 2 * 2, i & 1);
		}
		same_bits("native:int16", &w, right, 2, true);
		free(right);
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

/* The other back ends multiply the rounded values; the sums of reference are the same. */
static void
test_others(void **state)
{
	const struct shape s = { 70, 90, 130, 2, 1, 0 };
	char spec[64];
	int checked = 0;

	(void)state;
	for (int t = 0; t < 4; t++) {
		struct work w;
		float *right;

		work_init(&w, &s, t & 1, t & 2);
		right = expected(&w);
		same_bits("reference:int16", &w, right, 2, false);
		for (int b = 0; backends[b]; b++) {
			float *c;

			snprintf(spec, sizeof(spec), "%s:int16", backends[b]->name);
			c = multiply(spec, &w, 2, true);
			if (c)
				near(&w, c, right);
			checked += c != NULL;
			free(c);
		}
		free(right);
		work_release(&w);
	}
	assert_true(checked >= 3 * 4);
}

/* NaN and infinity affect only their row or column. */
static void
test_not_finite(void **state)
{
	enum { M = 30, N = 40, K = 50 };
	struct shape s = { M, N, K, 0, 1, 0 };

	(void)state;
	for (int l = 0; l < N_LEVELS + 1; l++) {
		char spec[64];
		struct work w;
		float *right, *c;

		work_init(&w, &s, false, true);
		right = expected(&w);
		w.a[4 * K + 49] = NAN, w.a[5 * K] = INFINITY, w.b[7 * K + 17] = -INFINITY;
		memset(w.a + 6 * K, 0, K * sizeof(float));
		snprintf(spec, sizeof(spec), "native:int16:%s", l < N_LEVELS ? levels[l] : "");
		c = multiply(l == N_LEVELS ? "reference:int16" : spec, &w, 2, l & 1);
		for (int i = 0; c && i < M; i++)
			for (int j = 0; j < N; j++) {
				if (i == 4 || i == 5 || j == 7)
					assert_true(isnan(c[i * N + j]));
				else if (i == 6)
					assert_true(c[i * N + j] == 0);
				else
					assert_memory_equal(&c[i * N + j], &right[i * N + j],
							    sizeof(float));
			}
		free(c);
		free(right);
		work_release(&w);
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
	assert_int_equal(backend_open(&b, "native:bf16:v2", &e), 0);
	assert_true(b.caps & BACKEND_BF16 && !(b.caps & (BACKEND_INT16 | BACKEND_ROUNDS)));
	backend_close(&b);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rows), cmocka_unit_test(test_by_hand),
		cmocka_unit_test(test_no_overflow), cmocka_unit_test(test_products),
		cmocka_unit_test(test_others), cmocka_unit_test(test_not_finite),
		cmocka_unit_test(test_names),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
