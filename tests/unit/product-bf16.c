/*
 * product-bf16: every back end in fp32 and bf16, compared with sums in double of factors that are
 * rounded by plain arithmetic; with and without gaps between rows, and sizes on both sides of
 * splits.  Of native also the products in bf16 that processors without units for bf16 get.
 *
 * The error of a sum of k products in fp32, in any order, is at most k 2^-24 times the sum of their
 * magnitudes (Higham 2002, 3.1).  Rounding a factor to 8 bits has a relative error of at most 2^-8;
 * that of a product of two is at most 2^-7 + 2^-16.
 */
#include <dirent.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "base/arena.h"
#include "base/mem.h"
#include "base/pool.h"
#include "base/rng.h"
#include "tensor/kernels.h"
#include "tensor/product.h"
#include "open-backend.h"

struct shape { int m, n, k, gap; real alpha, beta; };

static const struct shape shapes[] = {
	{ 1, 1, 1, 0, 1, 0 }, { 5, 3, 2, 0, 1, 1 }, { 64, 65, 17, 0, 1, 0 },
	{ 130, 300, 31, 0, 1, 1 }, { 3, 700, 40, 0, 1, 0 },
	{ 3, 700, 40, 5, 1, 0 }, { 200, 20, 33, 3, 1, 1 }, { 70, 9, 2113, 0, 1, 0 },
	{ 6, 70, 2016, 0, 1, 1 },
	{ 3075, 9, 5, 0, 1, 0 }, { 97, 64, 95, 0, 0.5, 1 }, { 97, 64, 95, 0, 1, 0.5 },
	{ 33, 7, 96, 1, -2, 0 }, { 4, 9, 0, 0, 1, 0.5 },
};

#define N_SHAPES (sizeof(shapes) / sizeof(shapes[0]))

static real *
numbers(size_t n, uint32_t what)
{
	struct rng r;
	real *x = xcalloc(n + 1, sizeof(*x));

	rng_init(&r, 6, what, 0);
	for (size_t i = 0; i < n; i++)
		x[i] = (real)rng_normal(&r);
	return x;
}

struct work { struct gemm g; real *a, *b, *c; size_t n_a, n_b, n_c; };

static void
work_init(struct work *w, const struct shape *s, bool ta, bool tb)
{
	int wide_a = ta ? s->m : s->k, wide_b = tb ? s->k : s->n;

	w->n_a = (size_t)(ta ? s->k : s->m) * (size_t)(wide_a + s->gap);
	w->n_b = (size_t)(tb ? s->n : s->k) * (size_t)(wide_b + s->gap);
	w->n_c = (size_t)s->m * (size_t)(s->n + s->gap);
	w->a = numbers(w->n_a, 1);
	w->b = numbers(w->n_b, 2);
	w->c = numbers(w->n_c, 3);
	w->g = (struct gemm){
		.m = s->m, .n = s->n, .k = s->k, .trans_a = ta, .trans_b = tb, .alpha = s->alpha,
		.beta = s->beta,
		.a = w->a, .b = w->b, .c = w->c, .lda = wide_a + s->gap, .ldb = wide_b + s->gap,
		.ldc = s->n + s->gap,
	};
}

static void
work_release(struct work *w)
{
	free(w->a);
	free(w->b);
	free(w->c);
}

/* The sum for c[i,j], and the sum of the magnitudes of its products. */
static double
sum_of(const struct gemm *g, const real *a, const real *b, int i, int j, double *size)
{
	double sum = 0;

	*size = 0;
	for (int p = 0; p < g->k; p++) {
		double x = (double)a[g->trans_a ? p * g->lda + i : i * g->lda + p] *
			   (double)b[g->trans_b ? j * g->ldb + p : p * g->ldb + j];

		sum += x;
		*size += fabs(x);
	}
	return sum;
}

static void
check(const char *spec, const struct work *w, const real *c, bool reduced)
{
	const struct gemm *g = &w->g;
	real *a = numbers(w->n_a, 1), *b = numbers(w->n_b, 2), *before = numbers(w->n_c, 3);

	if (reduced) {
		slow_round_bf16(w->n_a, a, a);
		slow_round_bf16(w->n_b, b, b);
	}
	for (int i = 0; i < g->m; i++) {
		for (int j = 0; j < g->ldc; j++) {
			int at = i * g->ldc + j;
			double size, exact, sum, part = (double)g->beta * (double)before[at], slack;

			if (j >= g->n) {
				assert_true(c[at] == before[at]);
				continue;
			}
			sum = g->alpha * sum_of(g, a, b, i, j, &size) + part;
			slack = (g->k + 4) * ldexp(1, -24) *
				(fabs((double)g->alpha) * size + fabs(part));
			if (!(fabs((double)c[at] - sum) <= slack))
				fail_msg("%s, %d x %d x %d%s%s: c[%d,%d] is %.9g, expected %.9g",
					 spec, g->m, g->n, g->k, g->trans_a ? " a'" : "",
					 g->trans_b ? " b'" : "", i, j, (double)c[at], sum);
			exact = g->alpha * sum_of(g, w->a, w->b, i, j, &size) + part;
			slack += (ldexp(1, -7) + ldexp(1, -16)) * fabs((double)g->alpha) * size;
			assert_true(fabs((double)c[at] - exact) <= slack);
		}
	}
	free(a);
	free(b);
	free(before);
}

static real *
multiply(const struct backend *back, struct pool *pool, const struct gemm *g, size_t n_c,
	 bool prepare)
{
	struct gemm h = *g;
	struct arena scratch;

	arena_init(&scratch, 0);
	h.c = numbers(n_c, 3);
	if (prepare)
		h.prepared = product_prepare(back, pool, &scratch, g);
	product(back, pool, &scratch, &h, NULL, NULL);
	arena_release(&scratch);
	return h.c;
}

/* With factors that are rounded to bf16 before. */
static real *
multiply_rounded(const struct backend *back, struct pool *pool, const struct work *w)
{
	bf16 *a = xmalloc((w->n_a + 1) * sizeof(*a)), *b = xmalloc((w->n_b + 1) * sizeof(*b));
	struct gemm g = w->g;
	real *c;

	slow_to_bf16(w->n_a, w->a, a);
	slow_to_bf16(w->n_b, w->b, b);
	g.a16 = a;
	g.a = NULL;
	if (!g.trans_b) {
		g.b16 = b;
		g.b = NULL;
	}
	c = multiply(back, pool, &g, w->n_c, false);
	free(a);
	free(b);
	return c;
}

static int
listed_threads(void)
{
	DIR *d = opendir("/proc/self/task");
	int n = 0;

	assert_non_null(d);
	for (struct dirent *t; (t = readdir(d)); )
		n += t->d_name[0] != '.';
	closedir(d);
	return n;
}

/* A joined thread is still listed for a moment: the minimum of several counts. */
static int
threads_of_this(void)
{
	const struct timespec moment = { .tv_nsec = 1000000 };
	int least = listed_threads();

	for (int look = 0; look < 20; look++) {
		int n;

		nanosleep(&moment, NULL);
		n = listed_threads();
		least = n < least ? n : least;
	}
	return least;
}

static void
one_backend(const char *spec, bool reduced)
{
	struct backend back;
	struct pool *pool = pool_new(3);
	const int before = threads_of_this();	/* those of the pool; a sanitizer has one too */

	if (!is_available(&back, spec)) {
		print_message("skipped: %s is not available\n", spec);
		pool_free(pool);
		return;
	}
	for (size_t s = 0; s < 4 * N_SHAPES; s++) {
		struct work w;
		real *one, *many;

		work_init(&w, &shapes[s / 4], s & 1, s & 2);
		one = multiply(&back, NULL, &w.g, w.n_c, false);
		check(spec, &w, one, reduced);
		many = multiply(&back, pool, &w.g, w.n_c, s % 3 == 0);
		assert_memory_equal(one, many, w.n_c * sizeof(*one));
		free(many);
		if (reduced) {
			many = multiply_rounded(&back, pool, &w);
			assert_memory_equal(one, many, w.n_c * sizeof(*one));
			free(many);
		}
		free(one);
		work_release(&w);
	}
	assert_int_equal(threads_of_this(), before);
	backend_close(&back);
	pool_free(pool);
}

static void
test_fp32(void **state)
{
	(void)state;
	for (int b = 0; backends[b]; b++)
		one_backend(backends[b]->name, false);
}

static void
test_bf16(void **state)
{
	char spec[64];

	(void)state;
	for (int b = 0; backends[b]; b++) {
		snprintf(spec, sizeof(spec), "%s:bf16", backends[b]->name);
		one_backend(spec, true);
	}
	one_backend("native:bf16:v2", true);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_fp32),
		cmocka_unit_test(test_bf16),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
