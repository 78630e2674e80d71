/* fast-core: relevance through the core of attention, in vectors; included after fast-share.h. */

/* The shares of a query, kept until the relevance of keys and values is computed. */
struct core_query {
	const real *q, *rel;		/* [d]; rel: the first plane */
	int S;				/* keys that it attends to */
	struct planes planes;
	real *of_v;			/* [S,d] shares of the values */
	real *alpha, *beta;		/* [planes,S] factors for positive and negative q_e k_je */
	real *uniform;			/* [planes] relevance of each key if no input contributes */
};

/* Scratch memory for one query.  c is an element of its output. */
struct core_room {
	real *u;			/* [S,d] scale A_j (v_jc - o_c): d output c / d score j */
	real *of_up, *of_down;		/* [S,d] shares of c for positive and negative q_e k_je */
	real *of_q;			/* [d,d] shares of c (row) for element e of q */
	real *o, *sum_up, *sum_down, *k_up, *k_down, *k_uniform;	/* [d] */
	struct core_query query[CORE_QUERIES];
	real *gathered;			/* [S,planes] alternately LANES elements of key, value */
};

/* Adds the contributions of key j, by the signs of both factors, and of its value. */
INLINE void
core_key_sums(const struct core *c, struct core_room *y, const real *q, int j, real a)
{
	const int d = c->h.d;
	const real *restrict v = c->h.v + j * c->h.ldv, *restrict o = y->o;
	real *restrict u = y->u + j * d, *restrict sum_up = y->sum_up,
		       *restrict sum_down = y->sum_down;
	const struct signs w = c->constant ? (struct signs){ 0, 0 } :
		LEVEL(k_signs)(d, q, c->h.k + j * c->h.ldk, 0);
	const real by = c->h.scale * a;

	for (int e = 0; e < d; e++) {
		const real z = a * v[e], z_up = z > 0 ? z : 0;
		const real x = by * (v[e] - o[e]), x_up = x > 0 ? x : 0, x_down = x - x_up;

		u[e] = x;
		sum_up[e] += z_up + x_up * w.positive + x_down * w.negative;
		sum_down[e] += z - z_up + x_up * w.negative + x_down * w.positive;
	}
}

/* Adds the contributions of q: its Jacobian times q. */
INLINE void
core_q(const struct core *c, struct core_room *y, const real *q)
{
	const int d = c->h.d;

	LEVEL(k_small)(&(struct small){
		.m = d, .n = d, .k = c->h.S, .a = y->u, .as = 1, .ap = d,
		.b = c->h.k, .ldb = c->h.ldk, .c = y->of_q, .ldc = d, .alpha = 1,
	});
	for (int i = 0; i < d; i++) {
		real *restrict z = y->of_q + i * d;
		struct signs sum;

		for (int e = 0; e < d; e++)
			z[e] *= q[e];
		sum = LEVEL(k_signs)(d, NULL, z, 0);
		y->sum_up[i] += sum.positive;
		y->sum_down[i] += sum.negative;
	}
}

/* Computes the shares of key j and its value. */
INLINE void
core_of_key(const struct core *c, const struct core_room *y, struct core_query *query, int j,
	    real a)
{
	const int d = c->h.d;
	const real *restrict v = c->h.v + j * c->h.ldv, *restrict u = y->u + j * d;
	const real *restrict up = y->k_up;
	const real *restrict down = y->k_down, *restrict uniform = y->k_uniform;
	real *restrict of_up = y->of_up + j * d, *restrict of_down = y->of_down + j * d;
	real *restrict of_v = query->of_v + j * d;

	for (int i = 0; i < d; i++) {
		const real z = a * v[i], by_up = up[i], by_down = down[i];

		of_up[i] = u[i] * (u[i] > 0 ? by_up : by_down);
		of_down[i] = u[i] * (u[i] > 0 ? by_down : by_up);
		of_v[i] = z * (z > 0 ? by_up : by_down) + uniform[i];
	}
}

/* Computes the shares of relevance 1 of each input from the sums. */
INLINE void
core_shares(const struct core *c, struct core_room *y, struct core_query *query,
	    const struct share *s, const real *a)
{
	const int d = c->h.d, S = c->h.S, n = c->constant ? S : S * d + S + d;

	for (int i = 0; i < d; i++) {
		const struct shares k = k_shares(s, n, y->sum_up[i], y->sum_down[i], 1);
		real *restrict z = y->of_q + i * d;

		k_count_flow(s, &k, y->sum_up[i], y->sum_down[i], c->planes, query->rel + i,
			     c->step);
		y->k_up[i] = k.positive;
		y->k_down[i] = k.negative;
		y->k_uniform[i] = k.uniform;
		for (int e = 0; e < d && !c->constant; e++)
			z[e] = z[e] * (z[e] > 0 ? k.positive : k.negative) + k.uniform;
	}
	for (int j = 0; j < S; j++)
		core_of_key(c, y, query, j, a[j]);
}

/* y[planes,n] = relevance of a query times shares: += rel b if rows is true, otherwise rel b'. */
INLINE void
core_product(const struct core *c, const real *rel, int planes, const real *b, int n, real *y,
	     ptrdiff_t ld, bool rows)
{
	const struct small s = {
		.m = planes, .n = n, .k = c->h.d, .a = rel, .as = c->step, .ap = 1,
		.b = b, .ldb = c->h.d, .c = y, .ldc = ld, .alpha = 1, .beta = rows ? 1 : 0,
	};

	if (rows)
		LEVEL(k_small)(&s);
	else
		LEVEL(k_small_dots)(&s);
}

/* Multiplies the relevance of a query by the shares of q and of the keys. */
INLINE void
core_products(const struct core *c, const struct core_room *y, const struct core_query *query,
	      int i)
{
	const int S = c->h.S, from = query->planes.from, planes = query->planes.to - from;
	const real *first = query->rel + from * c->step;

	core_product(c, first, planes, y->of_q, c->h.d, c->q + from * c->step_q + i * c->h.ldq,
		     c->step_q, true);
	core_product(c, first, planes, y->of_up, S, query->alpha + from * S, S, false);
	core_product(c, first, planes, y->of_down, S, query->beta + from * S, S, false);
	memset(query->uniform, 0, (size_t)c->planes * sizeof(real));
	if (k_planes(1, c->h.d, y->k_uniform, 0).to)
		for (int p = 0; p < planes; p++)
			for (int e = 0; e < c->h.d; e++)
				query->uniform[from + p] +=
					first[p * c->step + e] * y->k_uniform[e];
}

/* Processes query i; c->weights and c->h.S are those of this query. */
INLINE void
core_one(const struct core *c, const struct share *s, int i, struct core_room *y,
	 struct core_query *query)
{
	const real *a = c->weights;
	const int d = c->h.d, S = c->h.S;

	query->q = c->h.q + i * c->h.ldq;
	query->rel = c->rel + i * c->ld;
	query->S = S;
	query->planes = k_planes(c->planes, d, query->rel, c->step);
	if (query->planes.from == query->planes.to)
		return;
	LEVEL(k_small)(&(struct small){
		.m = 1, .n = d, .k = S, .a = a, .ap = 1, .b = c->h.v, .ldb = c->h.ldv,
		.c = y->o, .ldc = d, .alpha = 1,
	});
	memset(y->sum_up, 0, 2 * (size_t)d * sizeof(real));
	for (int j = 0; j < S; j++)
		core_key_sums(c, y, query->q, j, a[j]);
	if (!c->constant)
		core_q(c, y, query->q);
	core_shares(c, y, query, s, a);
	if (!c->constant)
		core_products(c, y, query, i);
}

/* Adds the relevance of LANES elements from e on of a key and its value, from n queries. */
INLINE void
core_lanes(const struct core *c, const struct core_query *const *query, int n, int j, int p, int e,
	   vec *k, vec *v)
{
	const int left = c->h.d - e;
	const vec zero = {0}, key = vec_load_left(c->h.k + j * c->h.ldk + e, left);

	for (int i = 0; i < n; i++) {
		const struct core_query *y = query[i];

		*v += vec_load_left(y->rel + p * c->step + e, left) *
		      vec_load_left(y->of_v + j * c->h.d + e, left);
		if (!c->constant) {
			const vec z = key * vec_load_left(y->q + e, left), up = vec_max(z, zero);

			*k += y->alpha[p * y->S + j] * up +
			      (y->beta[p * y->S + j] * (z - up) + y->uniform[p]);
		}
	}
}

/* Adds the relevance from n queries to all keys and their values. */
INLINE void
core_keys(const struct core *c, const struct core_query *query, int n, real *y)
{
	for (int j = 0; j < c->h.S; j++)
		for (int p = 0; p < c->planes; p++) {
			const struct core_query *some[CORE_QUERIES];
			int have = 0;

			for (int i = 0; i < n; i++)
				if (j < query[i].S && p >= query[i].planes.from &&
				    p < query[i].planes.to)
					some[have++] = &query[i];
			for (int e = 0; e < c->h.d; e += LANES, y += 2 * LANES) {
				vec k = vec_load(y), v = vec_load(y + LANES);

				core_lanes(c, some, have, j, p, e, &k, &v);
				vec_store(y, k);
				vec_store(y + LANES, v);
			}
		}
}

/* Adds the gathered relevance to the output. */
INLINE void
core_spread(const struct core *c, const real *x)
{
	for (int j = 0; j < c->h.S; j++)
		for (int p = 0; p < c->planes; p++)
			for (int e = 0; e < c->h.d; e += LANES, x += 2 * LANES) {
				if (!c->constant)
					vec_add_left(c->k + p * c->step_k + j * c->h.ldk + e,
						     c->h.d - e, vec_load(x));
				vec_add_left(c->v + p * c->step_v + j * c->h.ldv + e, c->h.d - e,
					     vec_load(x + LANES));
			}
}

INLINE void
core_room(const struct core *c, struct core_room *y, real *room)
{
	const size_t d = (size_t)c->h.d, S = (size_t)c->h.S, planes = (size_t)c->planes;
	const struct { real **to; size_t n; } part[] = {
		{ &y->u, S * d }, { &y->of_up, S * d }, { &y->of_down, S * d },
		{ &y->of_q, d * d }, { &y->o, d }, { &y->sum_up, d }, { &y->sum_down, d },
		{ &y->k_up, d }, { &y->k_down, d }, { &y->k_uniform, d },
	};

	for (size_t i = 0; i < sizeof(part) / sizeof(*part); room += part[i++].n)
		*part[i].to = room;
	for (int i = 0; i < CORE_QUERIES; i++, room += S * d + 2 * planes * S + planes) {
		y->query[i].of_v = room;
		y->query[i].alpha = room + S * d;
		y->query[i].beta = room + S * d + planes * S;
		y->query[i].uniform = room + S * d + 2 * planes * S;
	}
	y->gathered = room;
	memset(room, 0, 2 * S * planes * ((d + LANES - 1) / LANES * LANES) * sizeof(*room));
}

void
LEVEL(k_core)(const struct core *c, const struct share *s, real *room)
{
	struct core_room y;

	core_room(c, &y, room);
	for (int i = 0; i < c->h.T; i++) {
		struct core one = *c;

		one.weights = c->weights + (ptrdiff_t)i * c->h.S;
		one.h.S = k_core_keys(&c->h, i);
		core_one(&one, s, i, &y, &y.query[i % CORE_QUERIES]);
		if (i % CORE_QUERIES == CORE_QUERIES - 1 || i == c->h.T - 1)
			core_keys(c, y.query, i % CORE_QUERIES + 1, y.gathered);
	}
	core_spread(c, y.gathered);
}
