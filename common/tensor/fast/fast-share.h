/* fast-share: distributes the relevance of outputs over their inputs, in vectors. */
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

/*
 * The most planes, each the relevance of one output (relevance-kernels.h), that are summed in
 * registers.
 */
enum { SHARE_MAX = SIMD_BYTES == 64 ? 13 : 6 };
#define UNROLL_PLANES _Pragma("GCC unroll 13")

/*
 * Sums of positive (p) and negative (m) contributions, two of each, so that an addition need not
 * wait for the one before.
 */
struct signs
LEVEL(k_signs)(int n, const real *w, const real *x, real add)
{
	vec p[2] = { {0} }, m[2] = { {0} }, zero = {0};
	real rest_p = 0, rest_m = 0;
	int i = 0;

	for (; i + 2 * LANES <= n; i += 2 * LANES) {
		UNROLL
		for (int k = 0; k < 2; k++) {
			const vec z = contribution(w, x, i + k * LANES, add), up = vec_max(z, zero);

			p[k] += up;
			m[k] += z - up;
		}
	}
	for (; i < n; i++) {
		real z = contribution_one(w, x, i, add);

		rest_p += z > 0 ? z : 0;
		rest_m += z > 0 ? 0 : z;
	}
	return (struct signs){ vec_sum(p[0] + p[1]) + rest_p, vec_sum(m[0] + m[1]) + rest_m };
}

void
LEVEL(k_share)(const struct share *s, int n, const real *w, const real *x, real bias, real r,
      real *rel)
{
	const real share = bias / (real)n;
	const struct signs sum = LEVEL(k_signs)(n, w, x, share);
	const struct shares k = k_shares(s, n, sum.positive, sum.negative, r);
	const vec zero = {0};
	int i = 0;

	k_count_flow(s, &k, sum.positive, sum.negative, 1, &(real){ 1 }, 0);
	for (; i + LANES <= n; i += LANES) {
		vec z = contribution(w, x, i, share), up = vec_max(z, zero);

		vec_store(rel + i,
			  vec_load(rel + i) + up * k.positive + (z - up) * k.negative + k.uniform);
	}
	for (; i < n; i++) {
		real z = contribution_one(w, x, i, share);

		rel[i] += z * (z > 0 ? k.positive : k.negative) + k.uniform;
	}
}

/* Several outputs together, so that their inputs are loaded once. */
void
LEVEL(k_signs_of)(int n, const real *const *w, const real *x, const real *add, struct signs *s)
{
	vec p[SHARE_SUMS] = { {0} }, m[SHARE_SUMS] = { {0} }, zero = {0};
	int i = 0;

	for (; i + LANES <= n; i += LANES) {
		const vec y = vec_load(x + i);

		UNROLL
		for (int k = 0; k < SHARE_SUMS; k++) {
			const vec z = y * vec_load(w[k] + i) + add[k], up = vec_max(z, zero);

			p[k] += up;
			m[k] += z - up;
		}
	}
	UNROLL
	for (int k = 0; k < SHARE_SUMS; k++) {
		real rest_p = 0, rest_m = 0;

		for (int e = i; e < n; e++) {
			const real z = x[e] * w[k][e] + add[k];

			rest_p += z > 0 ? z : 0;
			rest_m += z > 0 ? 0 : z;
		}
		s[k] = (struct signs){ vec_sum(p[k]) + rest_p, vec_sum(m[k]) + rest_m };
	}
}

/* z times the factor of its sign, plus the uniform part. */
INLINE vec
share_by_sign(vec z, const struct shares *k)
{
#if SIMD_MASKS && !defined(REAL_DOUBLE)
	const __mmask16 up = _mm512_cmp_ps_mask((__m512)z, _mm512_setzero_ps(), _CMP_GT_OQ);
	const vec by = (vec)_mm512_mask_blend_ps(up, _mm512_set1_ps(k->negative),
						 _mm512_set1_ps(k->positive));

	return z * by + k->uniform;
#else
	const vec up = vec_max(z, (vec){0});

	return up * k->positive + ((z - up) * k->negative + k->uniform);
#endif
}

/* The shares of relevance 1 of each output, then the sum of those of the alike outputs. */
INLINE void
share_terms(const struct share_tile *t, real *term)
{
	vec x[2], alike[2] = { {0} };

	UNROLL
	for (int v = 0; v < 2; v++)
		x[v] = vec_load_left(t->x + v * LANES, t->n - v * LANES);
	for (int k = 0; k < t->outputs + t->alike; k++) {
		const struct unit u = t->unit[t->output[k]];
		const real *w = t->w + t->output[k] * t->ldw;

		UNROLL
		for (int v = 0; v < 2; v++) {
			const vec z = share_by_sign(vec_load(w + v * LANES) * x[v] + u.add, &u.k);

			if (k < t->outputs)
				vec_store(term + k * SHARE_TILE + v * LANES, z);
			else
				alike[v] += z;
		}
	}
	if (!t->alike)
		return;
	UNROLL
	for (int v = 0; v < 2; v++)
		vec_store(term + t->outputs * SHARE_TILE + v * LANES, alike[v]);
}

/*
 * Sums `planes` planes from `first` on, of vecs vectors of inputs from element `at` of the tile on,
 * in registers.  planes and vecs are constants after inlining.
 */
INLINE void
share_planes(const int planes, const int vecs, const struct share_tile *t, const real *term,
	     int first, int at)
{
	const int rows = t->outputs + (t->alike > 0);
	vec acc[2 * SHARE_MAX];

	UNROLL_PLANES
	for (int i = 0; i < planes * vecs; i++)
		acc[i] = (vec){0};
	for (int k = 0; k < rows; k++) {
		const real *c = t->c + (ptrdiff_t)k * t->planes + first;
		vec x[2];

		UNROLL
		for (int v = 0; v < vecs; v++)
			x[v] = vec_load(term + k * SHARE_TILE + at + v * LANES);
		UNROLL_PLANES
		for (int p = 0; p < planes; p++)
			UNROLL
			for (int v = 0; v < vecs; v++)
				acc[p * vecs + v] += c[p] * x[v];
	}
	UNROLL_PLANES
	for (int p = 0; p < planes; p++)
		UNROLL
		for (int v = 0, i = at; v < vecs; v++, i += LANES)
			vec_add_left(t->to + (first + p) * t->step + i, t->n - i,
				     acc[p * vecs + v]);
}

#if SIMD_BYTES == 64
#define SHARE_CASE(planes) case planes: share_planes(planes, 2, t, term, first, 0); break
#else
#define SHARE_CASE(planes) case planes: share_planes(planes, 1, t, term, first, 0); \
	share_planes(planes, 1, t, term, first, LANES); break
#endif

INLINE void
share_some(const struct share_tile *t, const real *term, int first, int planes)
{
	switch (planes) {
	SHARE_CASE(1);
	SHARE_CASE(2);
	SHARE_CASE(3);
	SHARE_CASE(4);
	SHARE_CASE(5);
#if SIMD_BYTES == 64
	SHARE_CASE(6);
	SHARE_CASE(7);
	SHARE_CASE(8);
	SHARE_CASE(9);
	SHARE_CASE(10);
	SHARE_CASE(11);
	SHARE_CASE(12);
#endif
	default:
	SHARE_CASE(SHARE_MAX);
	}
}

void
LEVEL(k_share_tile)(const struct share_tile *t)
{
	_Alignas(64) real term[SHARE_OUTPUTS * SHARE_TILE];

	share_terms(t, term);
	for (int first = 0, left = (t->planes + SHARE_MAX - 1) / SHARE_MAX; left > 0; left--) {
		const int n = (t->planes - first + left - 1) / left;

		share_some(t, term, first, n);
		first += n;
	}
}

#if SIMD_MASKS && !defined(REAL_DOUBLE)
void
LEVEL(k_pick)(int rows, const int *row, const bool *kept, int n, const real *x, real *y,
	      ptrdiff_t ld)
{
	__mmask16 mask[SHARE_WIDE / LANES] = { 0 };
	const int vecs = (n + LANES - 1) / LANES;
	int count[SHARE_WIDE / LANES];

	for (int i = 0; i < n; i++)
		mask[i / LANES] |= (__mmask16)((unsigned)kept[i] << i % LANES);
	for (int v = 0; v < vecs; v++)
		count[v] = __builtin_popcount(mask[v]);
	for (int r = 0; r < rows; r++) {
		const real *a = x + row[r] * ld;
		real *b = y + row[r] * ld;

		for (int v = 0; v < vecs; v++) {
			vec_store(b,
				  (vec)_mm512_maskz_compress_ps(mask[v],
								(__m512)vec_load(a + v * LANES)));
			b += count[v];
		}
	}
}
#else
void
LEVEL(k_pick)(int rows, const int *row, const bool *kept, int n, const real *x, real *y,
	      ptrdiff_t ld)
{
	slow_pick(rows, row, kept, n, x, y, ld);
}
#endif
