/*
 * kernels-adam: Adam (Kingma and Ba 2015, algorithm 1) with decoupled weight decay (Loshchilov and
 * Hutter 2019).
 */
#include "tensor/kernels.h"

#include <math.h>

#include "tensor/simd.h"

#ifdef REAL_DOUBLE
#define SQRT sqrt
#else
#define SQRT sqrtf
#endif

CLONES void
k_adam(size_t n, const struct adam *a, const real *grad, real *x, real *m, real *v)
{
	const struct adam s = *a;

	for (size_t i = 0; i < n; i++) {
		real g = grad[i] * s.scale;

		m[i] = s.beta1 * m[i] + (1 - s.beta1) * g;
		v[i] = s.beta2 * v[i] + (1 - s.beta2) * g * g;
		x[i] -= s.lr *
			(s.decay * x[i] + m[i] * s.correct1 / (SQRT(v[i] * s.correct2) + s.eps));
	}
}

void
slow_adam(size_t n, const struct adam *a, const real *grad, real *x, real *m, real *v)
{
	for (size_t i = 0; i < n; i++) {
		double g = (double)grad[i] * a->scale;
		double m1 = (double)a->beta1 * m[i] + (1 - (double)a->beta1) * g;
		double v1 = (double)a->beta2 * v[i] + (1 - (double)a->beta2) * g * g;

		m[i] = (real)m1;
		v[i] = (real)v1;
		x[i] -= (real)(a->lr * ((double)a->decay * x[i] +
				    m1 * a->correct1 / (sqrt(v1 * a->correct2) + a->eps)));
	}
}
