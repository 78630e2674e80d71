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

/* Two vectors at a time, so that no sum waits for the one before. */
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
LEVEL(k_share)(const struct share *s, int n, const real *w, const real *x, real bias, real r, real *rel)
{
	const real share = bias / (real)n;
	const struct signs sum = LEVEL(k_signs)(n, w, x, share);
	const struct shares k = k_shares(s, n, sum.positive, sum.negative, r);
	const vec zero = {0};
	int i = 0;

	for (; i + LANES <= n; i += LANES) {
		vec z = contribution(w, x, i, share), up = vec_max(z, zero);

		vec_store(rel + i, vec_load(rel + i) + up * k.positive + (z - up) * k.negative + k.everyone);
	}
	for (; i < n; i++) {
		real z = contribution_one(w, x, i, share);

		rel[i] += z * (z > 0 ? k.positive : k.negative) + k.everyone;
	}
}

/* z by one factor where it is positive, by another where it is not, and something more. */
INLINE vec
share_by_sign(vec z, const struct shares *k)
{
#if SIMD_MASKS && !defined(REAL_DOUBLE)
	const __mmask16 up = _mm512_cmp_ps_mask((__m512)z, _mm512_setzero_ps(), _CMP_GT_OQ);
	const vec by = (vec)_mm512_mask_blend_ps(up, _mm512_set1_ps(k->negative), _mm512_set1_ps(k->positive));

	return z * by + k->everyone;
#else
	const vec up = vec_max(z, (vec){0});

	return up * k->positive + ((z - up) * k->negative + k->everyone);
#endif
}

/*
 * vecs vectors of inputs, from number `at` of the tile on, of `planes` planes, from `first` on, in registers.  The
 * first two are constants where this is inlined.
 */
#define UNROLL_PLANES _Pragma("GCC unroll 24")

INLINE void
share_planes(const int planes, const int vecs, const struct share_tile *t, int first, int at)
{
	vec acc[SHARE_PLANES], x[2] = { {0} };

	UNROLL_PLANES
	for (int i = 0; i < planes * vecs; i++)
		acc[i] = (vec){0};
	UNROLL
	for (int v = 0; v < vecs; v++) {
		const int left = t->n - at - v * LANES;

		x[v] = left >= LANES ? vec_load(t->x + at + v * LANES) :
			left > 0 ? vec_load_part(t->x + at + v * LANES, left, 0) : (vec){0};
	}
	for (int j = 0; j < t->outputs; j++) {
		const struct unit u = t->unit[j];
		const real *c = t->c + (ptrdiff_t)j * t->planes + first, *w = t->w + (ptrdiff_t)j * SHARE_TILE + at;

		UNROLL
		for (int v = 0; v < vecs; v++) {
			const vec share = share_by_sign(vec_load(w + v * LANES) * x[v] + u.add, &u.k);

			UNROLL_PLANES
			for (int p = 0; p < planes; p++)
				acc[p * vecs + v] += c[p] * share;
		}
	}
	UNROLL_PLANES
	for (int p = 0; p < planes; p++)
		UNROLL
		for (int v = 0; v < vecs; v++) {
			const int left = t->n - at - v * LANES, n = left < LANES ? left : LANES;
			real *to = t->to[first + p] + at + v * LANES;

			if (!t->to[first + p] || n <= 0)
				continue;
			if (n == LANES)
				vec_store(to, vec_load(to) + acc[p * vecs + v]);
			else
				vec_store_part(to, vec_load_part(to, n, 0) + acc[p * vecs + v], n);
		}
}

/* As many planes as registers take: of two vectors of inputs at once, or of one after the other. */
#define BOTH(planes) case planes: share_planes(planes, 2, t, first, 0); return planes
#define EACH(planes) case planes: share_planes(planes, 1, t, first, 0); share_planes(planes, 1, t, first, LANES); return planes

INLINE int
share_most(const struct share_tile *t, int first)
{
#if SIMD_BYTES == 64
	switch (t->planes - first) {
	BOTH(1);
	BOTH(2);
	BOTH(4);
	EACH(6);
	EACH(8);
	EACH(10);
	EACH(12);
	EACH(14);
	EACH(16);
	EACH(18);
	EACH(20);
	EACH(22);
	default:
	EACH(24);
	}
#else
	switch (t->planes - first) {
	EACH(1);
	EACH(2);
	EACH(4);
	default:
	EACH(6);
	}
#endif
}

void
LEVEL(k_share_tile)(const struct share_tile *t)
{
	for (int first = 0; first < t->planes;)
		first += share_most(t, first);
}

/* Of one query: what each number c of its output has as its inputs, and each key's part in them. */
struct core_query {
	real *u;		/* [S,d] scale A_j (v_jc - o_c): the Jacobian of output c by score j */
	real *w_up, *w_down;	/* [S,d] q_e k_je, split by sign; what number c gets through key j is u_jc w_je */
	real *of_up, *of_down;	/* [S,d] what number c, of 1, has for w_up and w_down of key j */
	real *of_v, *of_q;	/* [S,d]; [d,d] of number c (row) for number e of q */
	real *up, *down;	/* [S] sums of w_up and w_down */
	real *alpha, *beta;	/* [planes,S] of each plane for w_up and w_down */
	real *o, *sum_up, *sum_down, *k_up, *k_down, *k_everyone;	/* [d] */
};

INLINE void
core_key(const struct core *c, struct core_query *y, const real *q, int j, real a)
{
	const real *k = c->h.k + j * c->h.ldk, *v = c->h.v + j * c->h.ldv;
	const int d = c->h.d;
	const struct signs sum = LEVEL(k_signs)(d, q, k, 0);

	for (int e = 0; e < d; e++) {
		const real w = q[e] * k[e];

		y->w_up[j * d + e] = w > 0 ? w : 0;
		y->w_down[j * d + e] = w > 0 ? 0 : w;
		y->u[j * d + e] = c->h.scale * a * (v[e] - y->o[e]);
	}
	y->up[j] = sum.positive;
	y->down[j] = sum.negative;
}

/* Through key j: all e at once, by the signs of both factors; and its value. */
INLINE void
core_key_sums(const struct core *c, struct core_query *y, int j, real a)
{
	const real *v = c->h.v + j * c->h.ldv, *u = y->u + j * c->h.d;
	const real up = c->constant ? 0 : y->up[j], down = c->constant ? 0 : y->down[j];

	for (int e = 0; e < c->h.d; e++) {
		const real z = a * v[e], z_up = z > 0 ? z : 0, u_up = u[e] > 0 ? u[e] : 0, u_down = u[e] - u_up;

		y->sum_up[e] += z_up + u_up * up + u_down * down;
		y->sum_down[e] += z - z_up + u_up * down + u_down * up;
	}
}

/* Through q: its Jacobian, times what it is. */
INLINE void
core_q(const struct core *c, struct core_query *y, const real *q)
{
	const int d = c->h.d;

	LEVEL(k_small)(&(struct small){
		.m = d, .n = d, .k = c->h.S, .a = y->u, .as = 1, .ap = d, .b = c->h.k, .ldb = c->h.ldk,
		.c = y->of_q, .ldc = d, .alpha = 1,
	});
	for (int i = 0; i < d; i++) {
		real *z = y->of_q + i * d;
		struct signs sum;

		for (int e = 0; e < d; e++)
			z[e] *= q[e];
		sum = LEVEL(k_signs)(d, NULL, z, 0);
		y->sum_up[i] += sum.positive;
		y->sum_down[i] += sum.negative;
	}
}

/* What key j and its value get. */
INLINE void
core_of_key(const struct core *c, struct core_query *y, int j, real a)
{
	const real *v = c->h.v + j * c->h.ldv, *u = y->u + j * c->h.d;
	real *of_up = y->of_up + j * c->h.d, *of_down = y->of_down + j * c->h.d, *of_v = y->of_v + j * c->h.d;

	for (int i = 0; i < c->h.d; i++) {
		const real z = a * v[i], up = y->k_up[i], down = y->k_down[i];

		of_up[i] = u[i] * (u[i] > 0 ? up : down);
		of_down[i] = u[i] * (u[i] > 0 ? down : up);
		of_v[i] = z * (z > 0 ? up : down) + y->k_everyone[i];
	}
}

/* From sums to what each input gets of 1. */
INLINE void
core_shares(const struct core *c, struct core_query *y, const struct share *s, const real *a)
{
	const int d = c->h.d, S = c->h.S, n = c->constant ? S : S * d + S + d;

	for (int i = 0; i < d; i++) {
		const struct shares k = k_shares(s, n, y->sum_up[i], y->sum_down[i], 1);
		real *z = y->of_q + i * d;

		y->k_up[i] = k.positive;
		y->k_down[i] = k.negative;
		y->k_everyone[i] = k.everyone;
		for (int e = 0; e < d && !c->constant; e++)
			z[e] = z[e] * (z[e] > 0 ? k.positive : k.negative) + k.everyone;
	}
	for (int j = 0; j < S; j++)
		core_of_key(c, y, j, a[j]);
}

INLINE void
core_values(const struct core *c, const struct core_query *y, int plane, const real *rel)
{
	for (int j = 0; j < c->h.S; j++) {
		real *to = c->v + plane * c->step_v + j * c->h.ldv;
		const real *of = y->of_v + j * c->h.d;

		for (int e = 0; e < c->h.d; e++)
			to[e] += rel[e] * of[e];
	}
}

/* Where nothing contributed, keys get as much as all. */
INLINE real
core_everyone(const struct core *c, const struct core_query *y, const real *rel)
{
	real all = 0;

	for (int e = 0; e < c->h.d; e++)
		all += rel[e] * y->k_everyone[e];
	return all;
}

INLINE void
core_keys(const struct core *c, const struct core_query *y, int plane, const real *rel)
{
	const real everyone = core_everyone(c, y, rel);
	const int d = c->h.d;

	for (int j = 0; j < c->h.S; j++) {
		real *to = c->k + plane * c->step_k + j * c->h.ldk;
		const real a = y->alpha[plane * c->h.S + j], b = y->beta[plane * c->h.S + j];

		for (int e = 0; e < d; e++)
			to[e] += a * y->w_up[j * d + e] + b * y->w_down[j * d + e] + everyone;
	}
}

/* Relevance of a query, plane by plane, times shares: y [n] a plane is b' times it, or b times it. */
INLINE void
core_product(const struct core *c, const real *rel, int planes, const real *b, int n, real *y, ptrdiff_t ld, bool rows)
{
	const struct small s = {
		.m = planes, .n = n, .k = c->h.d, .a = rel, .as = c->step, .ap = 1, .b = b, .ldb = c->h.d,
		.c = y, .ldc = ld, .alpha = 1, .beta = rows ? 1 : 0,
	};

	if (rows)
		LEVEL(k_small)(&s);
	else
		LEVEL(k_small_dots)(&s);
}

INLINE bool
core_any(const real *x, int n)
{
	for (int i = 0; i < n; i++)
		if (x[i] != 0)
			return true;
	return false;
}

/* c->weights and c->h.S are those that query i has. */
INLINE void
core_one(const struct core *c, const struct share *s, int i, struct core_query *y)
{
	const real *q = c->h.q + i * c->h.ldq, *a = c->weights, *rel = c->rel + i * c->ld;
	const int d = c->h.d, S = c->h.S;
	int from = 0, to = c->planes;

	while (from < to && !core_any(rel + from * c->step, d))
		from++;
	while (to > from && !core_any(rel + (to - 1) * c->step, d))
		to--;
	if (from == to)
		return;
	LEVEL(k_small)(&(struct small){
		.m = 1, .n = d, .k = S, .a = a, .ap = 1, .b = c->h.v, .ldb = c->h.ldv, .c = y->o, .ldc = d, .alpha = 1,
	});
	memset(y->sum_up, 0, 2 * (size_t)d * sizeof(real));
	for (int j = 0; j < S; j++) {
		core_key(c, y, q, j, a[j]);
		core_key_sums(c, y, j, a[j]);
	}
	if (!c->constant)
		core_q(c, y, q);
	core_shares(c, y, s, a);
	if (!c->constant) {
		const real *first = rel + from * c->step;

		core_product(c, first, to - from, y->of_q, d, c->q + from * c->step_q + i * c->h.ldq, c->step_q, true);
		core_product(c, first, to - from, y->of_up, S, y->alpha + from * S, S, false);
		core_product(c, first, to - from, y->of_down, S, y->beta + from * S, S, false);
	}
	for (int p = from; p < to; p++) {
		core_values(c, y, p, rel + p * c->step);
		if (!c->constant)
			core_keys(c, y, p, rel + p * c->step);
	}
}

void
LEVEL(k_core)(const struct core *c, const struct share *s, real *room)
{
	const size_t d = (size_t)c->h.d, S = (size_t)c->h.S, planes = (size_t)c->planes;
	struct core_query y;
	const struct { real **to; size_t n; } part[] = {
		{ &y.u, S * d }, { &y.w_up, S * d }, { &y.w_down, S * d }, { &y.of_up, S * d }, { &y.of_down, S * d },
		{ &y.of_v, S * d }, { &y.of_q, d * d }, { &y.up, S }, { &y.down, S }, { &y.alpha, planes * S },
		{ &y.beta, planes * S }, { &y.o, d }, { &y.sum_up, d }, { &y.sum_down, d }, { &y.k_up, d },
		{ &y.k_down, d }, { &y.k_everyone, d },
	};

	for (size_t i = 0; i < sizeof(part) / sizeof(*part); room += part[i++].n)
		*part[i].to = room;
	for (int i = 0; i < c->h.T; i++) {
		struct core seen = *c;

		seen.weights = c->weights + (ptrdiff_t)i * c->h.S;
		seen.h.S = k_core_keys(&c->h, i);
		core_one(&seen, s, i, &y);
	}
}
