/* kernels-relevance: sharing an output's relevance among its inputs; see kernels.h. */
#include "tensor/kernels.h"
#include "tensor/fast.h"

struct shares
k_shares(const struct share *s, int n, real positive, real negative, real r)
{
	struct shares k = { 0, 0, 0 };
	real z = positive + negative;

	if (s->signs && positive > 0 && negative < 0) {
		k.positive = s->alpha * r / positive;
		k.negative = s->beta * r / negative;
	} else if (s->signs && (positive > 0 || negative < 0)) {
		k.positive = k.negative = r / z;
	} else if (!s->signs && z + (z < 0 ? -s->eps : s->eps) != 0) {
		k.positive = k.negative = r / (z + (z < 0 ? -s->eps : s->eps));
	} else {
		k.everyone = r / (real)n;
	}
	return k;
}

void
slow_share(const struct share *s, int n, const real *w, const real *x, real bias, real r, real *rel)
{
	double p = 0, m = 0;
	struct shares k;

	for (int i = 0; i < n; i++) {
		double z = (w ? (double)x[i] * w[i] : x[i]) + (double)bias / n;

		if (z > 0)
			p += z;
		else
			m += z;
	}
	k = k_shares(s, n, (real)p, (real)m, r);
	for (int i = 0; i < n; i++) {
		double z = (w ? (double)x[i] * w[i] : x[i]) + (double)bias / n;

		rel[i] += (real)(z * (z > 0 ? k.positive : k.negative) + k.everyone);
	}
}

void
k_share(const struct share *s, int n, const real *w, const real *x, real bias, real r, real *rel)
{
	FASTEST(k_share)(s, n, w, x, bias, r, rel);
}
