/*
 * gemm: GFLOP/s of back ends.
 *
 *	gemm [threads [back end ...]]		at the shapes of training: forward y = x w',
 *						data gradient dx = dy w, weight gradient dw = dy' x
 *	gemm decode [threads [back end ...]]	of translation: y = x w', few rows, w prepared;
 *						the back ends in turns, native and native:int16 if
 *						none is named
 *	gemm vocabulary [threads [back end ...]]	at the shapes of output layers
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/arena.h"
#include "base/mem.h"
#include "base/pool.h"
#include "tensor/peak.h"
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

static double
seconds_of(const struct backend *b, struct pool *pool, const struct gemm *g, int times)
{
	static struct arena scratch;
	double start = now(pool);

	if (!scratch.first)
		arena_init(&scratch, 0);
	for (int i = 0; i < times; i++) {
		product(b, pool, &scratch, g, NULL, NULL);
		arena_rewind(&scratch);
	}
	return (now(pool) - start) / times;
}

static double
median(double t[RUNS])
{
	qsort(t, RUNS, sizeof(*t), by_size);
	return t[RUNS / 2];
}

/* The median of a few runs. */
static double
gflops(const struct backend *b, struct pool *pool, const struct gemm *g)
{
	double t[RUNS];

	seconds_of(b, pool, g, 1);
	for (int i = 0; i < RUNS; i++)
		t[i] = seconds_of(b, pool, g, 1);
	return 2e-9 * g->m * g->n * g->k / median(t);
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
	real *x = numbers(mem, (size_t)rows * (size_t)in),
		*w = numbers(mem, (size_t)in * (size_t)out);
	real *y = numbers(mem, (size_t)rows * (size_t)out);
	const struct gemm f = { .m = rows, .n = out, .k = in, .trans_b = true, .alpha = 1, .a = x,
				.lda = in,
				.b = w, .ldb = in, .c = y, .ldc = out };
	const struct gemm d = { .m = rows, .n = in, .k = out, .alpha = 1, .a = y, .lda = out,
				.b = w, .ldb = in, .c = x, .ldc = in };
	const struct gemm g = { .m = out, .n = in, .k = rows, .trans_a = true, .alpha = 1,
				.beta = 1, .a = y, .lda = out,
				.b = x, .ldb = in, .c = w, .ldc = in };
	double r[3] = { gflops(b, pool, &f), gflops(b, pool, &d), gflops(b, pool, &g) };
	double work = 2e-9 * rows * in * out;

	printf("%-10s %5d %5d %5d %8.1f %8.1f %8.1f\n", b->name, rows, in, out, r[0], r[1], r[2]);
	*seconds += work / r[0] + work / r[1] + work / r[2];
	arena_rewind(mem);
	return 3 * work;
}

static void
open_or_die(struct backend *b, const char *spec)
{
	struct err e;

	if (backend_open(b, spec, &e))
		die(&e);
}

/* Back ends; weights of one shape, so that none stays in the cache. */
enum { MOST = 8, LAYERS = 6 };

/* One shape by all back ends in turns. */
static void
decode_shape(const struct backend *b, int n_b, struct pool *pool, int rows, int in, int out,
	     double *seconds)
{
	struct arena *mem = memory();
	double t[MOST][RUNS];
	const struct prepared *prepared[MOST][LAYERS];
	struct gemm g = {
		.m = rows, .n = out, .k = in, .trans_b = true, .alpha = 1,
		.a = numbers(mem, (size_t)rows * (size_t)in), .lda = in,
		.b = numbers(mem, (size_t)in * (size_t)out), .ldb = in,
		.c = numbers(mem, (size_t)rows * (size_t)out), .ldc = out,
	};

	for (int i = 0; i < n_b * LAYERS; i++)
		prepared[i / LAYERS][i % LAYERS] = product_prepare(&b[i / LAYERS], pool, mem, &g);
	for (int r = -1; r < RUNS; r++) {
		for (int i = 0; i < n_b; i++) {
			double sum = 0;

			for (int l = 0; l < LAYERS; l++) {
				g.prepared = prepared[i][l];
				sum += seconds_of(&b[i], pool, &g, 1) / LAYERS;
			}
			if (r >= 0)
				t[i][r] = sum;
		}
	}
	printf("%5d %5d %5d", rows, in, out);
	for (int i = 0; i < n_b; i++) {
		seconds[i] += median(t[i]);
		printf(" %13.1f", 2e-9 * rows * in * out / median(t[i]));
	}
	putchar('\n');
	arena_rewind(mem);
}

static void
bench_decode(int n_spec, char **spec, int threads)
{
	static const int shapes[][2] = {
		{ 256, 256 }, { 256, 768 }, { 256, 1024 }, { 1024, 256 }, { 256, 512 },
		{ 512, 512 }, { 512, 1536 }, { 512, 2048 }, { 2048, 512 }
	};
	static const int rows[] = { 100, 200, 320 };
	const int n_shapes = sizeof(shapes) / sizeof(*shapes);
	const int n_rows = sizeof(rows) / sizeof(*rows);
	struct pool *pool = pool_new(threads);
	struct backend b[MOST];
	double seconds[MOST] = { 0 }, work = 0;

	printf(" rows    in   out");
	for (int i = 0; i < n_spec; i++) {
		open_or_die(&b[i], spec[i]);
		printf(" %13s", spec[i]);
	}
	printf("   GFLOP/s\n");
	for (int i = 0; i < n_shapes * n_rows; i++) {
		const int *s = shapes[i % n_shapes], m = rows[i / n_shapes];

		decode_shape(b, n_spec, pool, m, s[0], s[1], seconds);
		work += 2e-9 * m * s[0] * s[1];
	}
	printf("%d threads, all  ", threads);
	for (int i = 0; i < n_spec; i++) {
		printf(" %13.1f", work / seconds[i]);
		backend_close(&b[i]);
	}
	putchar('\n');
	pool_free(pool);
}

static double
cpu_clock(void)
{
	return now(NULL);
}

static double
wall_clock(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* The shapes of a model's width: square, query with key and value, feed-forward, vocabulary. */
static double
bench_width(const struct backend *b, struct pool *pool, int width, int entries, double *seconds)
{
	const int rows = width < 256 ? 2048 : 4096;
	double work = 0;

	work += shape(b, pool, rows, width, width, seconds);
	work += shape(b, pool, rows, width, 3 * width, seconds);
	work += shape(b, pool, rows, width, 4 * width, seconds);
	work += shape(b, pool, rows, 4 * width, width, seconds);
	return work + shape(b, pool, 1024, width, entries, seconds);
}

static double
bench_vocabulary(const struct backend *b, struct pool *pool, int width, int entries,
		 double *seconds)
{
	return shape(b, pool, 1024, width, entries, seconds);
}

struct bench {
	double (*run)(const struct backend *b, struct pool *pool, int width, int entries,
		      double *seconds);
	struct { int width, entries; } size[6];
};

static const struct bench of_training = {
	bench_width, { { 128, 4000 }, { 256, 8000 }, { 512, 8000 } }
}, of_vocabularies = {
	bench_vocabulary, { { 128, 4000 }, { 128, 32000 }, { 128, 256000 }, { 512, 32000 } }
};

static void
bench(const struct bench *what, const char *spec, int threads)
{
	struct backend b;
	struct pool *pool = pool_new(threads);
	double peak;

	open_or_die(&b, spec);
	peak = 1e-9 * peak_flops(pool, b.caps,
				 threads == 1 ? cpu_clock : wall_clock);
	for (int i = 0; what->size[i].width; i++) {
		const int width = what->size[i].width;
		double seconds = 0;
		double work = what->run(&b, pool, width, what->size[i].entries, &seconds);

		printf("%-10s width %d, %d threads: %.1f GFLOP/s, %.0f %% of %.0f (%s)\n", b.name,
		       width, threads, work / seconds, 100 * work / seconds / peak, peak,
		       b.version(&b));
	}
	backend_close(&b);
	pool_free(pool);
}

static int
decode(int argc, char **argv)
{
	static char native[] = "native", int16[] = "native:int16";
	char *usual[] = { native, int16 };
	int n = argc < 3 ? 2 : argc - 2 < MOST ? argc - 2 : MOST;

	bench_decode(n, argc < 3 ? usual : argv + 2, argc > 1 ? atoi(argv[1]) : 1);
	return 0;
}

static int
train(const struct bench *what, int argc, char **argv)
{
	int threads = argc > 1 ? atoi(argv[1]) : 2;

	printf("back end    rows    in   out  forward     data   weight   GFLOP/s\n");
	for (int i = 2; i < argc; i++)
		bench(what, argv[i], threads);
	for (int i = 0; argc < 3 && backends[i]; i++)
		if (strcmp(backends[i]->name, "reference"))
			bench(what, backends[i]->name, threads);
	return 0;
}

int
main(int argc, char **argv)
{
	if (argc > 1 && !strcmp(argv[1], "decode"))
		return decode(argc - 1, argv + 1);
	if (argc > 1 && !strcmp(argv[1], "vocabulary"))
		return train(&of_vocabularies, argc - 1, argv + 1);
	return train(&of_training, argc, argv);
}
