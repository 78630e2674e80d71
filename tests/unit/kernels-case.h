/* kernels-case: random values and comparisons, for the tests of kernels. */
#ifndef KERNELS_CASE_H
#define KERNELS_CASE_H

#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/mem.h"
#include "base/rng.h"
#include "tensor/fast/fast.h"
#include "tensor/relevance-kernels.h"

static const int sizes[] = { 1, 2, 3, 7, 8, 9, 15, 16, 17, 31, 32, 33, 64, 100, 127, 128, 129,
	300 };

#define N_SIZES ((int)(sizeof(sizes) / sizeof(sizes[0])))

enum { ROOM = 512 };

static inline void
fill(uint32_t what, size_t n, real *x)
{
	struct rng r;

	rng_init(&r, 99, what, 0);
	for (size_t i = 0; i < n; i++)
		x[i] = (real)rng_normal(&r);
}

static inline void
assert_close(size_t n, const real *a, const real *b, double tolerance)
{
	double largest = 1e-30;

	for (size_t i = 0; i < n; i++)
		if (fabs((double)b[i]) > largest)	/* gcc 12.2 for ARM fails with fmax() */
			largest = fabs((double)b[i]);
	for (size_t i = 0; i < n; i++)
		if (!(fabs((double)a[i] - b[i]) <= tolerance * largest))
			fail_msg("element %zu of %zu: %.9g, expected %.9g", i, n, (double)a[i],
				 (double)b[i]);
}

#endif
