/* kernels-softmax: exponential, softmax of a row, and cross-entropy. */
#include "tensor/kernels.h"

#include <math.h>

void
slow_exp(size_t n, const real *x, real *y)
{
	for (size_t i = 0; i < n; i++)
		y[i] = (real)exp((double)x[i]);
}

void
slow_softmax(int n, const real *x, real *y)
{
	double max = -INFINITY, sum = 0;

	for (int i = 0; i < n; i++)
		max = x[i] > max ? x[i] : max;
	for (int i = 0; i < n; i++)
		sum += max == -INFINITY ? 0 : exp(x[i] - max);
	for (int i = 0; i < n; i++)
		y[i] = max == -INFINITY ? 0 : (real)(exp(x[i] - max) / sum);
}

struct loss_row
slow_cross_entropy(int n, const struct smooth *s, int target, const real *b, bool grad, real *x)
{
	double max = -INFINITY, sum = 0, loss = 0, nll = 0;

	for (int i = 0; i < n; i++) {
		x[i] = s->valid && !s->valid[i] ? -INFINITY : x[i] + (b ? b[i] : 0);
		max = x[i] > max ? x[i] : max;
	}
	for (int i = 0; i < n; i++)
		sum += exp(x[i] - max);
	for (int i = 0; i < n; i++) {
		bool counts = !s->valid || s->valid[i];
		double log_p = x[i] - max - log(sum);
		double q = i == target ? s->gold : !counts || i == s->skip ? 0 : s->low;

		if (q != 0)
			loss -= q * log_p;
		if (i == target)
			nll = -log_p;
		if (grad)
			x[i] = (real)(counts ? exp(log_p) - q : 0);
	}
	return (struct loss_row){ (real)(loss - s->constant), (real)nll };
}
