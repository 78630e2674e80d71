/*
 * cold: times of matrix products whose factors and results are far from the core, as in a training:
 * in the last cache at most.
 *
 *	cold [rounds [back end ...]]	20 rounds; native and native:bf16
 *
 * The back ends compute all products in turns, on one thread.  The times are minima: neighbors on
 * the same machine make a product slower, never faster.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/mem.h"
#include "clock.h"
#include "tensor/kernels.h"
#include "tensor/product.h"

/*
 * Products of the small and base models: forward y = x w', data gradient dx = dy w, weight gradient
 * dw = dy' x; the last three are those of an output layer.  dy is in bf16, and so is the output of
 * ReLU, the factor with 1,024 columns.
 */
static const struct shape { int m, n, k; bool trans_a, trans_b, a16, b16; } shapes[] = {
	{ 2048, 256, 256, false, true, false, false },
	{ 2048, 768, 256, false, true, false, false },
	{ 2048, 1024, 256, false, true, false, false },
	{ 2048, 256, 1024, false, true, true, false },
	{ 2048, 256, 256, false, false, true, false },
	{ 2048, 256, 768, false, false, true, false },
	{ 2048, 256, 1024, false, false, true, false },
	{ 2048, 1024, 256, false, false, true, false },
	{ 256, 256, 2048, true, false, true, false },
	{ 768, 256, 2048, true, false, true, false },
	{ 1024, 256, 2048, true, false, true, false },
	{ 256, 1024, 2048, true, false, true, true },
	{ 1024, 512, 512, false, true, false, false },
	{ 1024, 2048, 512, false, true, false, false },
	{ 1024, 512, 2048, false, false, true, false },
	{ 2048, 512, 1024, true, false, true, false },
	{ 1024, 8087, 256, false, true, false, false },
	{ 1024, 256, 8087, false, false, true, false },
	{ 8087, 256, 1024, true, false, true, false },
};

enum {
	N_SHAPES = sizeof(shapes) / sizeof(shapes[0]), MOST = 8,
	LENGTH = 40 << 20,	/* elements of each of a, b and c, of which a product uses a part */
	STEP = 9 << 20		/* elements between successive parts; no product has more */
};

static struct arena mem, scratch;
static real *a, *b, *c;
static bf16 *a16, *b16;

static void
fill(void)
{
	a = ARENA_ARRAY(&mem, real, LENGTH);
	b = ARENA_ARRAY(&mem, real, LENGTH);
	c = ARENA_ARRAY(&mem, real, LENGTH);
	a16 = ARENA_ARRAY(&mem, bf16, LENGTH);
	b16 = ARENA_ARRAY(&mem, bf16, LENGTH);
	for (int i = 0; i < LENGTH; i++) {
		a[i] = (real)(i * (int64_t)7919 % 1000) / 1000 - (real)0.5;
		b[i] = c[i] = a[i];
	}
	k_to_bf16(LENGTH, a, a16);
	k_to_bf16(LENGTH, b, b16);
}

/* The product at this shape, with weights at the beginning of b. */
static struct gemm
gemm_of(const struct shape *s, size_t at)
{
	const bool weight = !s->trans_a;

	return (struct gemm){
		.m = s->m, .n = s->n, .k = s->k, .trans_a = s->trans_a, .trans_b = s->trans_b,
		.alpha = 1, .beta = s->trans_a, .lda = s->trans_a ? s->m : s->k,
		.ldb = s->trans_b ? s->k : s->n, .ldc = s->n,
		.a = s->a16 ? NULL : a + at, .a16 = s->a16 ? a16 + at : NULL,
		.b = s->b16 ? NULL : weight ? b : b + at, .b16 = s->b16 ? b16 + at : NULL,
		.c = c + at,
	};
}

/* A back end, its packed weights, and its shortest times in seconds. */
struct rival {
	const char *spec;
	struct backend b;
	const struct prepared *weights[N_SHAPES];
	double best[N_SHAPES];
};

static void
rival_open(struct rival *r, const char *spec)
{
	struct err e;

	r->spec = spec;
	if (backend_open(&r->b, spec, &e)) {
		fprintf(stderr, "cold: %s\n", e.text);
		exit(e.status);
	}
	for (int i = 0; i < N_SHAPES; i++) {
		const struct gemm g = gemm_of(&shapes[i], 0);

		r->best[i] = 1e9;
		if (!g.trans_a)
			r->weights[i] = product_prepare(&r->b, NULL, &mem, &g);
	}
}

static void
run(struct rival *r, int i)
{
	static size_t at;
	struct gemm g;
	double begin, seconds;

	at = (at + STEP) % (LENGTH / 2);	/* no shape has more than LENGTH / 2 elements */
	g = gemm_of(&shapes[i], at);
	g.prepared = r->weights[i];
	begin = now();
	product(&r->b, NULL, &scratch, &g, NULL, NULL);
	seconds = now() - begin;
	if (seconds < r->best[i])
		r->best[i] = seconds;
	arena_rewind(&scratch);
}

static void
report(const struct rival *r, int n)
{
	double sum[MOST] = { 0 };

	printf("microseconds, GFLOP/s\n    m     n     k");
	for (int j = 0; j < n; j++)
		printf("  %21s", r[j].spec);
	for (int i = 0; i < N_SHAPES; i++) {
		const struct shape *s = &shapes[i];

		printf("\n%5d %5d %5d", s->m, s->n, s->k);
		for (int j = 0; j < n; j++) {
			sum[j] += r[j].best[i];
			printf("  %13.0f %7.0f", 1e6 * r[j].best[i],
			       2e-9 * s->m * s->n * s->k / r[j].best[i]);
		}
	}
	printf("\nsum              ");
	for (int j = 0; j < n; j++)
		printf("  %13.0f        ", 1e6 * sum[j]);
	putchar('\n');
}

int
main(int argc, char **argv)
{
	static const char *const usual[] = { "native", "native:bf16" };
	static struct rival rivals[MOST];
	const int rounds = argc > 1 ? atoi(argv[1]) : 20;
	const int n = argc < 3 ? 2 : argc - 2 < MOST ? argc - 2 : MOST;

	arena_init(&mem, (size_t)64 << 20);
	arena_init(&scratch, 0);
	fill();
	for (int j = 0; j < n; j++)
		rival_open(&rivals[j], argc < 3 ? usual[j] : argv[j + 2]);
	for (int round = 0; round < rounds; round++)
		for (int i = 0; i < N_SHAPES; i++)
			for (int j = 0; j < n; j++)
				run(&rivals[j], i);
	report(rivals, n);
	return 0;
}
