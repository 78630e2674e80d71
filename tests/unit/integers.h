/* integers: the integer formats of matrix products, and rows of elements to test them with. */
#ifndef INTEGERS_H
#define INTEGERS_H

#include <math.h>
#include <stddef.h>
#include <stdint.h>

#include "base/rng.h"
#include "tensor/int16.h"
#include "tensor/int8.h"
#include "tensor/kernels.h"
#include "tensor/tiles.h"

static const char *const levels[] = { "v2", "v3", "avxvnni", "v4", "vnni", "dotprod" };

enum { N_LEVELS = 6 };

struct format {
	const char *name;
	float (*unit)(int n, const float *x), (*slow_unit)(int n, const float *x);
	int largest;
	size_t at;			/* of its word_kernels */
};

static const struct format formats[] = {
	{ "int16", k_unit_int16, slow_unit_int16, INT16_LARGEST,
	  offsetof(struct tile_kernels, int16) },
	{ "int8", k_unit_int8, slow_unit_int8, INT8_LARGEST,
	  offsetof(struct tile_kernels, int8) },
};

enum { N_FORMATS = 2 };

enum { NORMAL, EQUAL, SPIKE, SIGNS, EDGE, TINY, SMALLEST, HUGE_ONES, MIXED, ZEROS, KINDS };

static inline void
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

/* The sum times both units, as in int8.h; for int16 units, which are powers of two, exact. */
static inline float
times_units(int64_t sum, float a, float b)
{
	float y = (float)sum * (a < 1 ? a : b);

	return y * (a < 1 ? b : a);
}

#endif
