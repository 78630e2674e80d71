/* kernels-relevance: sharing an output's relevance among its inputs; see kernels.h. */
#include "tensor/kernels.h"
#include "tensor/simd.h"

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

INLINE vec
contribution(const real *w, const real *x, int i, real share)
{
	vec z = vec_load(x + i);

	return (w ? z * vec_load(w + i) : z) + share;
}

INLINE real
contribution_one(const real *w, const real *x, int i, real share)
{
	return (w ? x[i] * w[i] : x[i]) + share;
}

CLONES void
k_share(const struct share *s, int n, const real *w, const real *x, real bias, real r, real *rel)
{
	vec p = {0}, m = {0}, zero = {0};
	real share = bias / (real)n, rest_p = 0, rest_m = 0;
	struct shares k;
	int i = 0;

	for (; i + LANES <= n; i += LANES) {
		vec z = contribution(w, x, i, share), up = vec_max(z, zero);

		p += up;
		m += z - up;
	}
	for (; i < n; i++) {
		real z = contribution_one(w, x, i, share);

		rest_p += z > 0 ? z : 0;
		rest_m += z > 0 ? 0 : z;
	}
	k = k_shares(s, n, vec_sum(p) + rest_p, vec_sum(m) + rest_m, r);
	for (i = 0; i + LANES <= n; i += LANES) {
		vec z = contribution(w, x, i, share), up = vec_max(z, zero);

		vec_store(rel + i, vec_load(rel + i) + up * k.positive + (z - up) * k.negative + k.everyone);
	}
	for (; i < n; i++) {
		real z = contribution_one(w, x, i, share);

		rel[i] += z * (z > 0 ? k.positive : k.negative) + k.everyone;
	}
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
