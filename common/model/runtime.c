/* runtime: see runtime.h. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "model/runtime.h"
#include "tensor/processor.h"

#ifdef REAL_DOUBLE
#define DEFAULT_BACKEND "reference"	/* the others compute in fp32 */
#else
#define DEFAULT_BACKEND "native"
#endif

/*
 * In narrower models, rounding takes most of the time that the products save.  Measured, greedy and
 * with a beam of 5: int8 is 2.0 and 1.7 times as fast with a width of 128, 1.3 and 1.2 times with
 * 64, as fast with 32, and slower with 16.
 */
enum { INT8_WIDTH = 128 };

#define FOR_FP32 "; for fp32: --precision fp32"

const char *const precision_names[] = { "fp32", "bf16", "auto", "int16", "int8", NULL };
const char *const training_precisions[] = { "fp32", "bf16", "auto", NULL };

static int
open_reduced(struct backend *b, const char *name, int precision, struct err *e)
{
	char *spec = xasprintf("%s:%s", name, precision_names[precision]);
	int r = backend_open(b, spec, e);

	free(spec);
	return r;
}

/* Does native multiply bf16 faster than fp32 here?  why becomes the reason in both cases. */
static bool
bf16_is_faster(char *why)
{
	struct processor p;
	char name[64];
	enum bf16_unit unit;

	processor_read(&p);
	processor_name(&p, name, sizeof(name));
	unit = processor_bf16(&p);
	if (unit == BF16_NONE)
		snprintf(why, RUNTIME_WHY, "%s %s", name, p.avx512_bf16
			 ? "multiplies bf16 more slowly (AVX512_BF16 without AMX)"
			 : "has no fast bf16");
	else if (!processor_has_bf16(&p, unit))
		snprintf(why, RUNTIME_WHY, "%s has AMX, but Linux does not permit it", name);
	else
		snprintf(why, RUNTIME_WHY, "%s multiplies bf16 faster (%s)", name,
			 unit == BF16_AMX ? "AMX" : "AVX512_BF16");
	return unit != BF16_NONE && processor_has_bf16(&p, unit);
}

/* Opens the fastest precision, with the back end of that name; see runtime.h. */
static int
open_fastest(struct runtime *r, const char *name, bool training, struct err *e)
{
	struct processor p;

	processor_read(&p);
	if (strcmp(name, "native")) {
		snprintf(r->why, RUNTIME_WHY, "back end %s is no faster in bf16", name);
	} else if (!training && processor_int16(&p)) {
		snprintf(r->why, RUNTIME_WHY, "AVX-512 VNNI multiplies integers faster");
		return open_reduced(&r->backend, name, PRECISION_INT16, e);
	} else if (bf16_is_faster(r->why)) {
		return open_reduced(&r->backend, name, PRECISION_BF16, e);
	}
	return backend_open(&r->backend, name, e);
}

static int
open_backend(struct runtime *r, const char *name, int precision, bool training, struct err *e)
{
	if (name && strchr(name, ':'))
		return err_set(e, EXIT_USAGE, "--backend: '%s', expected a name; --precision sets "
			       "the precision", name);
	name = name ? name : DEFAULT_BACKEND;
	if (precision == PRECISION_AUTO)
		return open_fastest(r, name, training, e);
	if (precision == PRECISION_FP32)
		return backend_open(&r->backend, name, e);
	if (precision == PRECISION_BF16 && !strcmp(name, "native"))
		bf16_is_faster(r->why);
	return open_reduced(&r->backend, name, precision, e);
}

static int
open_runtime(struct runtime *r, const char *backend, int precision, bool training, int64_t threads,
	     struct err *e)
{
	memset(r, 0, sizeof(*r));
	if (open_backend(r, backend, precision, training, e))
		return -1;
	r->precision = r->backend.caps & BACKEND_BF16 ? PRECISION_BF16 :
		r->backend.caps & BACKEND_INT16 ? PRECISION_INT16 :
		r->backend.caps & BACKEND_INT8 ? PRECISION_INT8 : PRECISION_FP32;
	r->pool = pool_new((int)threads);
	arena_init(&r->step, ARENA_LARGE);
	arena_init(&r->scratch, ARENA_LARGE);
	r->pass.scratch = &r->scratch;
	r->pass.backend = &r->backend;
	r->pass.pool = r->pool;
	r->tape = tape_new(&r->step, &r->pass);
	return 0;
}

int
runtime_open(struct runtime *r, const char *backend, int precision, int64_t threads, struct err *e)
{
	return open_runtime(r, backend, precision, false, threads, e);
}

int
runtime_open_training(struct runtime *r, const char *backend, int precision, int64_t threads,
		      struct err *e)
{
	return open_runtime(r, backend, precision, true, threads, e);
}

int
precision_for(const struct model *m, int option)
{
	return option >= 0 ? option : m->int8 ? PRECISION_INT8 : PRECISION_FP32;
}

/* Is int8 faster than fp32 for all models here?  why becomes the reason in both cases. */
static bool
int8_is_faster(struct model *const *m, int n, const char *backend, char *why)
{
	struct processor p;
	const char *unit;
	char name[64];

	processor_read(&p);
	unit = processor_int8(&p);
	if (strcmp(backend, "native")) {
		snprintf(why, RUNTIME_WHY, "back end %s is no faster in int8", backend);
		return false;
	}
	if (!unit) {
		processor_name(&p, name, sizeof(name));
		snprintf(why, RUNTIME_WHY, "%s has no fast int8", name);
		return false;
	}
	for (int i = 0; i < n; i++)
		if (m[i]->config.width < INT8_WIDTH) {
			snprintf(why, RUNTIME_WHY, "int8 is hardly faster with a width of %lld",
				 (long long)m[i]->config.width);
			return false;
		}
	snprintf(why, RUNTIME_WHY, "%s multiplies 8-bit integers faster" FOR_FP32, unit);
	return true;
}

int
precision_to_translate(struct model *const *m, int n, const char *backend, char why[RUNTIME_WHY])
{
	for (int i = 0; i < n; i++)
		if (m[i]->int8) {
			snprintf(why, RUNTIME_WHY, "%s model is stored as 8-bit integers" FOR_FP32,
				 n > 1 ? "a" : "the");
			return PRECISION_INT8;
		}
	return int8_is_faster(m, n, backend ? backend : DEFAULT_BACKEND, why) ? PRECISION_INT8
									      : PRECISION_FP32;
}

void
runtime_print(const struct runtime *r)
{
	fprintf(stderr, "%s: precision %s, back end %s%s%s\n", err_program_name(),
		precision_names[r->precision], r->backend.name, *r->why ? ": " : "", r->why);
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
