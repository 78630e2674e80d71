/* fast-share: an output's relevance shared among its inputs, in vectors. */
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

void
LEVEL(k_share)(const struct share *s, int n, const real *w, const real *x, real bias, real r, real *rel)
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
