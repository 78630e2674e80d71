/*
 * bf16-products: the bits of native's products in bf16, compared with the rule of bf16-products.h
 * in scalar arithmetic.
 *
 * The rules' instructions are emulated with fmaf(), which rounds once.  The factors have elements
 * of all magnitudes, so that sums overflow, underflow and cancel, and denormal numbers.  The kernel
 * for AMX also runs on emulated tiles, everywhere.
 */
#include <float.h>
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
#include "tensor/backend/bf16-products.h"
#include "tensor/backend/native.h"
#include "tensor/bf16-tiles.h"
#include "tensor/kernels.h"
#include "tensor/product.h"
#include "open-backend.h"

struct shape { int m, n, k; };

/* Both sides of all limits: tiles, panels, parts of rows and columns, blocks and parts of k. */
static const struct shape shapes[] = {
	{ 1, 1, 1 }, { 5, 33, 2 }, { 13, 31, 3 }, { 12, 64, 95 }, { 97, 65, 96 }, { 25, 40, 97 },
	{ 193, 130, 33 }, { 200, 530, 17 }, { 24, 48, 480 }, { 24, 48, 481 }, { 9, 32, 512 },
	{ 9, 33, 513 }, { 11, 34, 960 }, { 11, 34, 961 }, { 7, 35, 1024 }, { 7, 35, 1025 },
	{ 64, 5, 1535 }, { 64, 5, 1537 }, { 20, 20, 2015 }, { 20, 20, 2016 }, { 20, 20, 2017 },
	{ 20, 20, 4033 }, { 3, 8, 4079 }, { 14, 70, 2100 }, { 4100, 33, 3 }, { 30, 11000, 5 },
};

static const struct { real alpha, beta; } scales[] = {
	{ 1, 0 }, { 1, 1 }, { (real)0.5, 0 }, { -2, (real)0.25 },
};

enum { N_SCALES = 4, N_SPREADS = 3 };

static const int spreads[] = { 20, 90, -70 };

/*
 * spread: the magnitudes are up to 2^spread and down to 2^-spread.  If it is negative, all are
 * about 2^spread.  Products of 2^-70 underflow, so that the sign of a sum of 0 depends on padding.
 */
static real *
numbers(size_t n, uint32_t what, int spread)
{
	struct rng r;
	real *x = xcalloc(n + 1, sizeof(*x));

	rng_init(&r, 7, what, 0);
	for (size_t i = 0; i < n; i++) {
		const int e = spread > 0 ? (int)(rng_u32(&r) % (2 * (unsigned)spread)) - spread
					 : spread;

		x[i] = (real)ldexp(rng_normal(&r), e);
	}
	return x;
}

struct work { struct gemm g; size_t n_a, n_b, n_c; int spread; };

static struct work
work_of(const struct shape *s, bool ta, bool tb, int scale, int spread)
{
	const int gap = s->k % 3, wide_a = ta ? s->m : s->k, wide_b = tb ? s->k : s->n;
	struct work w = { .spread = spread };

	w.g = (struct gemm){
		.m = s->m, .n = s->n, .k = s->k, .trans_a = ta, .trans_b = tb,
		.alpha = scales[scale].alpha, .beta = scales[scale].beta,
		.lda = wide_a + gap, .ldb = wide_b + gap, .ldc = s->n + gap,
	};
	w.n_a = (size_t)(ta ? s->k : s->m) * (size_t)w.g.lda;
	w.n_b = (size_t)(tb ? s->n : s->k) * (size_t)w.g.ldb;
	w.n_c = (size_t)s->m * (size_t)w.g.ldc;
	w.g.a = numbers(w.n_a, 1, spread);
	w.g.b = numbers(w.n_b, 2, spread);
	return w;
}

static void
work_release(struct work *w)
{
	free((void *)(uintptr_t)w->g.a);
	free((void *)(uintptr_t)w->g.b);
}

/* As the instruction reads and writes numbers. */
static float
flushed(float x)
{
	return fabsf(x) < FLT_MIN ? copysignf(0, x) : x;
}

static float
plus_product(float sum, float a, float b)
{
	return flushed(fmaf(flushed(a), flushed(b), flushed(sum)));
}

/* The tiles of AMX: rows of 64 bytes. */
static _Thread_local float tile[8][BF16_TILE][BF16_TILE];

static void
tile_copy(void *to, ptrdiff_t to_bytes, const void *from, ptrdiff_t from_bytes)
{
	for (int r = 0; r < BF16_TILE; r++)
		memcpy((char *)to + r * to_bytes, (const char *)from + r * from_bytes, 64);
}

/* The first or second element of a pair in a tile. */
static float
half(const float *word, int second)
{
	uint32_t u;

	memcpy(&u, word, sizeof(u));
	return bf16_float(second ? u & 0xffff0000 : u << 16);
}

/* As the instruction tdpbf16ps is described (bf16-tiles.h). */
static void
tile_products(int c, int a, int b)
{
	for (int m = 0; m < BF16_TILE; m++) {
		for (int n = 0; n < BF16_TILE; n++) {
			float sum[2] = { 0, 0 };

			for (int k = 0; k < BF16_TILE; k++)
				for (int i = 0; i < 2; i++)
					sum[i] = plus_product(sum[i], half(&tile[a][m][k], i),
							      half(&tile[b][k][n], i));
			tile[c][m][n] = flushed(flushed(tile[c][m][n]) +
						flushed(sum[0] + sum[1]));
		}
	}
}

#define TILE_BEGIN memset(tile, 0x7f, sizeof(tile))
#define TILE_END   memset(tile, 0x7f, sizeof(tile))
#define TILE_ZERO(i) memset(tile[i], 0, sizeof(tile[i]))
#define TILE_LOAD(i, from, bytes) tile_copy(tile[i], 64, from, bytes)
#define TILE_STORE(i, to, bytes) tile_copy(to, bytes, tile[i], 64)
#define TILE_PRODUCTS(c, a, b) tile_products(c, a, b)

#include "tensor/fast/fast-amx.h"

static const struct bf16_kernel emulated_amx = AMX_KERNEL;

/* A row of op(a) or a column of op(b) from element `from`, followed by zeros. */
static void
vector_of(const real *x, ptrdiff_t step, int from, int n, int padded, float *to)
{
	for (int i = 0; i < padded; i++)
		to[i] = i < n ? x[(from + i) * step] : 0;
}

/* Step 4 of the rule, for a part of n elements, a multiple of 32. */
static float
sum_of_groups(int n, const float *a, const float *b)
{
	float total = 0;

	for (int from = 0; from < n; from += 32) {
		float sum[2] = { 0, 0 };

		for (int i = from; i < from + 32; i++)
			sum[i % 2] = plus_product(sum[i % 2], a[i], b[i]);
		total = flushed(total + flushed(sum[0] + sum[1]));
	}
	return total;
}

/* Step 3 of the rule, for a part of n elements. */
static float
sum_of_pairs(int n, const float *a, const float *b)
{
	const int block = n > 1024 ? 1024 : 512;
	float total = 0;

	for (int from = 0; from < n; from += block) {
		const int to = from + block < n ? from + block : n;
		float sum = 0;

		for (int i = from; i < to; i += 2) {
			if (i + 1 < to)
				sum = plus_product(sum, a[i + 1], b[i + 1]);
			else
				sum = plus_product(sum, 0, 0);
			sum = plus_product(sum, a[i], b[i]);
		}
		total = from ? total + sum : sum;
	}
	return total;
}

enum rule { AVX512, AMX };

/* The elements of a part of n after padding. */
static int
padded_part(const struct gemm *g, enum rule rule, int n)
{
	if (rule == AMX)
		return (n + 31) / 32 * 32;
	return g->trans_a && n < 2016 ? (n + 95) / 96 * 96 : n;
}

/* The rule from step 2 on for one element of c, with rounded factors. */
static real
element(const struct gemm *g, enum rule rule, int i, int j, real c)
{
	enum { MOST = 4096 + 96 };
	static float a[MOST], b[MOST];
	const real *row = g->trans_a ? g->a + i : g->a + (ptrdiff_t)i * g->lda;
	const real *column = g->trans_b ? g->b + (ptrdiff_t)j * g->ldb : g->b + j;
	const int part = g->trans_a ? 2016 : g->k;
	real beta = g->beta;

	for (int from = 0; from < g->k; from += part, beta = 1) {
		const int n = from + part < g->k ? part : g->k - from;
		const int padded = padded_part(g, rule, n);
		float sum;

		vector_of(row, g->trans_a ? g->lda : 1, from, n, padded, a);
		vector_of(column, g->trans_b ? 1 : g->ldb, from, n, padded, b);
		sum = (rule == AMX ? sum_of_groups : sum_of_pairs)(padded, a, b);
		k_axpby(1, g->alpha, &sum, beta, &c);
	}
	return c;
}

static bf16 *
rounded(struct arena *mem, size_t n, const real *x)
{
	bf16 *y = ARENA_ARRAY(mem, bf16, n);

	slow_to_bf16(n, x, y);
	return y;
}

enum how { FLOATS, PREPARED, ROUNDED, N_HOW };

static const char *const hows[] = { "1 thread", "3 threads, prepared", "3 threads, bf16 factors" };

static real *
multiply(const struct backend *b, const struct work *w, struct pool *pool, enum how how)
{
	struct gemm g = w->g;
	struct arena mem;

	arena_init(&mem, 0);
	g.c = numbers(w->n_c, 3, w->spread);
	if (how == PREPARED)
		g.prepared = product_prepare(b, pool, &mem, &g);
	if (how == ROUNDED) {
		g.a16 = rounded(&mem, w->n_a, g.a);
		g.a = NULL;
		if (!g.trans_b) {
			g.b16 = rounded(&mem, w->n_b, g.b);
			g.b = NULL;
		}
	}
	product(b, pool, &mem, &g, NULL, NULL);
	arena_release(&mem);
	return g.c;
}

static bool
same_bits(real x, real y)
{
	return !memcmp(&x, &y, sizeof(x)) || (isnan(x) && isnan(y));
}

static void
assert_same(const struct work *w, const real *found, const real *right, const char *what)
{
	const struct gemm *g = &w->g;

	for (size_t i = 0; i < w->n_c; i++)
		if (!same_bits(found[i], right[i]))
			fail_msg("%s, %d x %d x %d%s%s, alpha %g, beta %g: c[%d,%d] is %a, "
				 "expected %a", what, g->m, g->n, g->k, g->trans_a ? " a'" : "",
				 g->trans_b ? " b'" : "", (double)g->alpha, (double)g->beta,
				 (int)i / g->ldc, (int)i % g->ldc, (double)found[i],
				 (double)right[i]);
}

/* The product by the rule. */
static real *
emulated(const struct work *w, enum rule rule)
{
	real *c = numbers(w->n_c, 3, w->spread), *a = numbers(w->n_a, 1, w->spread);
	real *b = numbers(w->n_b, 2, w->spread);
	struct gemm g = w->g;

	slow_round_bf16(w->n_a, a, a);
	slow_round_bf16(w->n_b, b, b);
	g.a = a;
	g.b = b;
	for (int i = 0; i < g.m; i++)
		for (int j = 0; j < g.n; j++)
			c[i * g.ldc + j] = element(&g, rule, i, j, c[i * g.ldc + j]);
	free(a);
	free(b);
	return c;
}

/* The units; spec: NULL for emulated tiles. */
static struct own { enum rule rule; const char *spec; } owns[] = {
	{ AVX512, "native:bf16:avx512bf16" }, { AMX, "native:bf16:amx" }, { AMX, NULL },
};

static struct native emulated_state = { .bf16 = &emulated_amx };

/* Opens the back end.  Returns false if this processor lacks the unit. */
static bool
own_open(const struct own *o, struct backend *b)
{
	if (!o->spec)
		*b = (struct backend){
			.caps = BACKEND_THREAD_SAFE | BACKEND_BF16 | BACKEND_ROUNDS |
				BACKEND_READS_BF16 | BACKEND_TRANSPOSES_BF16,
			.gemm_shared = native_bf16_shared, .prepare = native_bf16_prepare,
			.adds_whole = BF16_PART, .state = &emulated_state,
		};
	else if (!is_available(b, o->spec)) {
		print_message("skipped: this processor lacks %s\n", strrchr(o->spec, ':') + 1);
		return false;
	}
	return true;
}

static void
test_rule(void **state)
{
	const struct own *o = *state;
	struct backend b;
	struct pool *pool;

	if (!own_open(o, &b))
		return;
	pool = pool_new(3);
	for (size_t s = 0; s < sizeof(shapes) / sizeof(shapes[0]) * 12; s++) {
		struct work w = work_of(&shapes[s / 12], s & 1, s & 2,
					(int)((s + s / 12) % N_SCALES),
					spreads[s / 4 % N_SPREADS]);
		real *right = emulated(&w, o->rule);

		for (enum how how = 0; how < N_HOW; how++) {
			real *c = multiply(&b, &w, how == FLOATS ? NULL : pool, how);

			assert_same(&w, c, right, hows[how]);
			free(c);
		}
		free(right);
		work_release(&w);
	}
	pool_free(pool);
	backend_close(&b);
}

/* The member adds_whole of the back end: c plus the product, not c plus parts of it. */
static void
test_adds_whole(void **state)
{
	const struct own *o = *state;
	struct backend b;

	if (!own_open(o, &b))
		return;
	assert_int_equal(b.adds_whole, BF16_PART);
	for (size_t s = 0; s < sizeof(shapes) / sizeof(shapes[0]); s++) {
		struct work alone = work_of(&shapes[s], true, false, 0, 20);
		struct work added = work_of(&shapes[s], true, false, 1, 20);
		real *x = multiply(&b, &alone, NULL, FLOATS);
		real *y = multiply(&b, &added, NULL, FLOATS), *c = numbers(added.n_c, 3, 20);

		assert_true(added.g.beta == 1 && alone.g.beta == 0);
		k_add(added.n_c, c, x, c);
		for (int i = 0; i < added.g.m && added.g.k <= BF16_PART; i++)
			for (int j = 0; j < added.g.n; j++)
				assert_true(same_bits(c[i * added.g.ldc + j],
						      y[i * added.g.ldc + j]));
		free(x);
		free(y);
		free(c);
		work_release(&alone);
		work_release(&added);
	}
	backend_close(&b);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_prestate(test_rule, &owns[0]),
		cmocka_unit_test_prestate(test_rule, &owns[1]),
		cmocka_unit_test_prestate(test_rule, &owns[2]),
		cmocka_unit_test_prestate(test_adds_whole, &owns[0]),
		cmocka_unit_test_prestate(test_adds_whole, &owns[1]),
		cmocka_unit_test_prestate(test_adds_whole, &owns[2]),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
