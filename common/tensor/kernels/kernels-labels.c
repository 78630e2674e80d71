/* kernels-labels: biases by label; see kernels.h. */
#include <math.h>
#include <string.h>

#include "base/compiler.h"
#include "tensor/kernels.h"

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
