/* runtime: see runtime.h. */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/mem.h"
#include "model/runtime.h"
#include "tensor/product.h"

#ifdef REAL_DOUBLE
#define DEFAULT_BACKEND "reference"	/* the others compute in fp32 */
#define REDUCED_BACKEND "reference"
#else
#define DEFAULT_BACKEND "native"
#define REDUCED_BACKEND "native"	/* of int16, and of bf16 where no units for it are */
#endif

const char *const precision_names[] = { "fp32", "bf16", "auto", "int16", NULL };
const char *const training_precisions[] = { "fp32", "bf16", "auto", NULL };

static int
open_reduced(struct backend *b, const char *name, int precision, struct err *e)
{
	char *spec = xasprintf("%s:%s", name, precision_names[precision]);
	int r = backend_open(b, spec, e);

	free(spec);
	return r;
}

/* The back end for bf16 when none is named. */
static int
open_usual_bf16(struct backend *b, struct err *e)
{
	struct err unused;

	if (!open_reduced(b, "onednn", PRECISION_BF16, &unused)) {
		if (b->caps & BACKEND_MATRIX_UNITS)
			return 0;
		backend_close(b);
	}
	return open_reduced(b, REDUCED_BACKEND, PRECISION_BF16, e);
}

static double
now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

enum { TRIED = 512, TRIES = 5 };

/* Seconds of one product; x has room for its three matrices. */
static double
try_one(const struct backend *b, real *x)
{
	const int n = TRIED;
	const struct gemm g = {
		.m = n, .n = n, .k = n, .alpha = 1, .a = x, .b = x + n * n, .c = x + 2 * n * n, .lda = n, .ldb = n, .ldc = n,
	};
	struct arena scratch;
	double start = now();

	arena_init(&scratch, 0);
	product(b, NULL, &scratch, &g, NULL, NULL);
	arena_release(&scratch);
	return now() - start;
}

/* By a tenth at least: what is lost in precision must gain something. */
static bool
is_faster(const struct backend *a, const struct backend *than)
{
	real *x = xcalloc(3 * TRIED * TRIED, sizeof(*x));
	double best[2] = { 1e9, 1e9 };

	for (int i = 0; i < 2 * TRIES; i++) {
		double t = try_one(i % 2 ? a : than, x);

		best[i % 2] = t < best[i % 2] ? t : best[i % 2];
	}
	free(x);
	return best[1] < 0.9 * best[0];
}

/* Takes the faster of both, closes the other; where bf16 cannot be had, fp32 it is. */
static int
open_faster(struct runtime *r, const char *name, struct err *e)
{
	struct backend reduced;
	struct err unused;

	if (backend_open(&r->backend, name ? name : DEFAULT_BACKEND, e))
		return -1;
	if (name ? open_reduced(&reduced, name, PRECISION_BF16, &unused) : open_usual_bf16(&reduced, &unused))
		return 0;
	if (is_faster(&reduced, &r->backend)) {
		struct backend slow = r->backend;

		r->backend = reduced;
		reduced = slow;
	}
	backend_close(&reduced);
	return 0;
}

static int
open_backend(struct runtime *r, const char *name, int precision, struct err *e)
{
	if (name && strchr(name, ':'))
		return err_set(e, EXIT_USAGE, "--backend takes a name, found '%s'; precision is --precision", name);
	if (precision == PRECISION_AUTO)
		return open_faster(r, name, e);
	if (precision == PRECISION_FP32)
		return backend_open(&r->backend, name ? name : DEFAULT_BACKEND, e);
	if (!name && precision == PRECISION_BF16)
		return open_usual_bf16(&r->backend, e);
	return open_reduced(&r->backend, name ? name : REDUCED_BACKEND, precision, e);
}

int
runtime_open(struct runtime *r, const char *backend, int precision, int64_t threads, struct err *e)
{
	memset(r, 0, sizeof(*r));
	if (open_backend(r, backend, precision, e))
		return -1;
	r->precision = r->backend.caps & BACKEND_BF16 ? PRECISION_BF16 :
		r->backend.caps & BACKEND_INT16 ? PRECISION_INT16 : PRECISION_FP32;
	r->pool = pool_new((int)threads);
	arena_init(&r->step, ARENA_LARGE);
	arena_init(&r->scratch, ARENA_LARGE);
	r->pass.scratch = &r->scratch;
	r->pass.backend = &r->backend;
	r->pass.pool = r->pool;
	r->tape = tape_new(&r->step, &r->pass);
	return 0;
}

void
runtime_close(struct runtime *r)
{
	tape_free(r->tape);
	arena_release(&r->step);
	arena_release(&r->scratch);
	pool_free(r->pool);
	backend_close(&r->backend);
}
