/*
 * gemm: GFLOP/s of every back end at the shapes of training: forward y = x w', data gradient
 * dx = dy w, weight gradient dw = dy' x.  gemm [threads [back end ...]]
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/arena.h"
#include "base/mem.h"
#include "base/pool.h"
#include "tensor/product.h"

/* One thread is timed by the processor's clock, which others on the machine do not move much. */
static double
now(const struct pool *pool)
{
	struct timespec t;

	clock_gettime(pool_threads(pool) == 1 ? CLOCK_PROCESS_CPUTIME_ID : CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int
by_size(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

enum { RUNS = 5 };

/* The median of a few runs. */
static double
gflops(const struct backend *b, struct pool *pool, const struct gemm *g)
{
	static struct arena scratch;
	double t[RUNS];

	if (!scratch.first)
		arena_init(&scratch, 0);
	for (int i = -1; i < RUNS; i++) {
		double start = now(pool);

		product(b, pool, &scratch, g, NULL, NULL);
		arena_rewind(&scratch);
		if (i >= 0)
			t[i] = now(pool) - start;
	}
	qsort(t, RUNS, sizeof(*t), by_size);
	return 2e-9 * g->m * g->n * g->k / t[RUNS / 2];
}

static real *
numbers(struct arena *mem, size_t n)
{
	real *x = ARENA_ARRAY(mem, real, n);

	for (size_t i = 0; i < n; i++)
		x[i] = (real)(i * 7919 % 1000) / 1000 - (real)0.5;
	return x;
}

/* As training has it: an arena, with huge pages. */
static struct arena *
memory(void)
{
	static struct arena mem;

	if (!mem.first)
		arena_init(&mem, (size_t)64 << 20);
	return &mem;
}

static double
shape(const struct backend *b, struct pool *pool, int rows, int in, int out, double *seconds)
{
	struct arena *mem = memory();
	real *x = numbers(mem, (size_t)rows * (size_t)in), *w = numbers(mem, (size_t)in * (size_t)out);
	real *y = numbers(mem, (size_t)rows * (size_t)out);
	const struct gemm f = { .m = rows, .n = out, .k = in, .trans_b = true, .alpha = 1, .a = x, .lda = in,
				.b = w, .ldb = in, .c = y, .ldc = out };
	const struct gemm d = { .m = rows, .n = in, .k = out, .alpha = 1, .a = y, .lda = out,
				.b = w, .ldb = in, .c = x, .ldc = in };
	const struct gemm g = { .m = out, .n = in, .k = rows, .trans_a = true, .alpha = 1, .beta = 1, .a = y, .lda = out,
				.b = x, .ldb = in, .c = w, .ldc = in };
	double r[3] = { gflops(b, pool, &f), gflops(b, pool, &d), gflops(b, pool, &g) };
	double work = 2e-9 * rows * in * out;

	printf("%-10s %5d %5d %5d %8.1f %8.1f %8.1f\n", b->name, rows, in, out, r[0], r[1], r[2]);
	*seconds += work / r[0] + work / r[1] + work / r[2];
	arena_rewind(mem);
	return 3 * work;
}

static void
bench(const char *spec, int threads)
{
	static const int shapes[][3] = {
		{ 4096, 256, 256 }, { 4096, 256, 768 }, { 4096, 256, 1024 }, { 4096, 1024, 256 }, { 1024, 256, 8000 },
		{ 4096, 512, 512 }, { 4096, 512, 1536 }, { 4096, 512, 2048 }, { 4096, 2048, 512 }, { 1024, 512, 8000 },
	};
	struct backend b;
	struct err e;
	struct pool *pool = pool_new(threads);
	double work = 0, seconds = 0;

	if (backend_open(&b, spec, &e))
		die(&e);
	for (size_t i = 0; i < sizeof(shapes) / sizeof(shapes[0]); i++)
		work += shape(&b, pool, shapes[i][0], shapes[i][1], shapes[i][2], &seconds);
	printf("%-10s %d threads, all: %.1f GFLOP/s (%s)\n", b.name, threads, work / seconds, b.version(&b));
	backend_close(&b);
	pool_free(pool);
}

int
main(int argc, char **argv)
{
	int threads = argc > 1 ? atoi(argv[1]) : 2;

	printf("back end    rows    in   out  forward     data   weight   GFLOP/s\n");
	for (int i = 2; i < argc; i++)
		bench(argv[i], threads);
	for (int i = 0; argc < 3 && backends[i]; i++)
		if (strcmp(backends[i]->name, "reference"))
			bench(backends[i]->name, threads);
	return 0;
}
