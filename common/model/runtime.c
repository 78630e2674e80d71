/* runtime: see runtime.h. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "model/runtime.h"
#include "tensor/processor.h"

#define WHY sizeof(((struct runtime *)0)->why)

#ifdef REAL_DOUBLE
#define DEFAULT_BACKEND "reference"	/* the others compute in fp32 */
#else
#define DEFAULT_BACKEND "native"
#endif

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
		snprintf(why, WHY, "%s %s", name, p.avx512_bf16
			 ? "multiplies bf16 more slowly (AVX512_BF16 without AMX)"
			 : "has no fast bf16");
	else if (!processor_has_bf16(&p, unit))
		snprintf(why, WHY, "%s has AMX, but Linux does not permit it", name);
	else
		snprintf(why, WHY, "%s multiplies bf16 faster (%s)", name,
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
		snprintf(r->why, WHY, "back end %s is no faster in bf16", name);
	} else if (!training && processor_int16(&p)) {
		snprintf(r->why, WHY, "AVX-512 VNNI multiplies integers faster");
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
