/*
 * kernels-small: small matrix products, for attention of one sentence and one head, where packing
 * would cost more than the product.
 */
#include "tensor/kernels.h"

void
slow_small(const struct small *s)
{
	for (int i = 0; i < s->m; i++) {
		for (int j = 0; j < s->n; j++) {
			double sum = 0;
			real *c = s->c + i * s->ldc + j;

			for (int p = 0; p < s->k; p++)
				sum += (double)s->a[i * s->as + p * s->ap] * s->b[p * s->ldb + j];
			*c = (real)(s->alpha * sum + (s->beta != 0 ? s->beta * *c : 0));
		}
	}
}

void
slow_transpose(int m, int n, const real *from, ptrdiff_t ld, real *to, ptrdiff_t ldt, int pad)
{
	for (int j = 0; j < n; j++) {
		for (int i = 0; i < m; i++)
			to[j * ldt + i] = from[i * ld + j];
		for (int i = m; i < pad; i++)
			to[j * ldt + i] = 0;
	}
}
