/* kernels-rows: kernels of a row: layer normalization, softmax, biases by label, embeddings. */
#include <math.h>
#include <string.h>

#include "base/compiler.h"
#include "tensor/kernels.h"
#include "tensor/simd.h"

/* --- layer normalization --- */

struct norm_row
slow_norm(int n, real eps, const real *x, const real *gain, const real *bias, real *y)
{
	struct norm_row s;
	double mean = 0, var = 0;

	for (int i = 0; i < n; i++)
		mean += x[i];
	mean /= n;
	for (int i = 0; i < n; i++)
		var += (x[i] - mean) * (x[i] - mean);
	s.mean = (real)mean;
	s.rstd = (real)(1 / sqrt(var / n + eps));
	for (int i = 0; i < n; i++)
		y[i] = (real)((x[i] - mean) * s.rstd * gain[i] + bias[i]);
	return s;
}

void
slow_norm_back(int n, struct norm_row s, const real *x, const real *gain, const real *g, real beta,
	       real *dx, real *dgain, real *dbias)
{
	double a = 0, b = 0;

	for (int i = 0; i < n; i++) {
		a += (double)g[i] * gain[i];
		b += (double)g[i] * gain[i] * (x[i] - s.mean) * s.rstd;
	}
	for (int i = 0; i < n; i++) {
		double xhat = (x[i] - s.mean) * s.rstd;

		if (dgain)
			dgain[i] += (real)(g[i] * xhat);
		if (dbias)
			dbias[i] += g[i];
		if (dx)
			dx[i] = (real)(s.rstd * (g[i] * gain[i] - a / n - xhat * b / n) +
				       (beta != 0 ? beta * dx[i] : 0));
	}
}

real
k_rms_norm(int n, real eps, const real *x, const real *gain, real *y)
{
	double squares = 0;
	real rstd;

	for (int i = 0; i < n; i++)
		squares += (double)x[i] * (double)x[i];
	rstd = (real)(1 / sqrt(squares / n + (double)eps));
	for (int i = 0; i < n; i++)
		y[i] = x[i] * rstd * gain[i];
	return rstd;
}

void
k_rms_norm_back(int n, real rstd, const real *x, const real *gain, const real *g, real beta,
		real *dx, real *dgain)
{
	double sum = 0;
	real mean;

	for (int i = 0; i < n; i++)
		sum += (double)g[i] * (double)gain[i] * (double)x[i];
	mean = (real)(sum / n * (double)rstd);
	for (int i = 0; dgain && i < n; i++)
		dgain[i] += g[i] * x[i] * rstd;
	for (int i = 0; dx && i < n; i++)
		dx[i] = rstd * (g[i] * gain[i] - x[i] * rstd * mean) +
			(beta != 0 ? beta * dx[i] : 0);
}

/* --- exponential, softmax, and cross-entropy --- */

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

/* --- biases by label --- */

/* Labels of n and more have index n, whose value is -inf. */
CLONES static void
add_biases(size_t cells, const unsigned char *label, const real *table, int n, const real *x,
	   real *y)
{
	for (size_t i = 0; i < cells; i++)
		y[i] = x[i] + table[label[i] < n ? label[i] : n];
}

void
k_labels(size_t cells, const unsigned char *label, const real *table, int n, const real *x, real *y)
{
	real row[256];

	if (table)
		memcpy(row, table, (size_t)n * sizeof(*row));
	else
		memset(row, 0, (size_t)n * sizeof(*row));
	row[n] = -(real)INFINITY;
	add_biases(cells, label, row, n, x, y);
}

void
k_labels_back(size_t cells, const unsigned char *label, int n, const real *g, real *sum)
{
	/* Two sums per label, so that repeated labels need not wait for each other. */
	double even[256] = { 0 }, odd[256] = { 0 };
	size_t i = 0;

	for (; i + 1 < cells; i += 2) {
		even[label[i]] += (double)g[i];
		odd[label[i + 1]] += (double)g[i + 1];
	}
	if (i < cells)
		even[label[i]] += (double)g[i];
	for (int k = 0; k < n; k++)
		sum[k] += (real)(even[k] + odd[k]);
}

/* --- embeddings --- */

CLONES void
k_embed(int n, real scale, const real *row, const real *bias, const real *position, real *y)
{
	for (int i = 0; i < n; i++) {
		real v = row ? scale * row[i] : 0;

		if (row && bias)
			v += bias[i];
		if (position)
			v += position[i];
		y[i] = v;
	}
}
