/* fast-attention: scores, softmax, dropout and context vectors of one sentence and one head. */
#ifdef REAL_DOUBLE
#define LANE_NUMBERS (vec_int){ 0, 1, 2, 3, 4, 5, 6, 7 }
#else
#define LANE_NUMBERS (vec_int){ 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15 }
#endif

/*
 * Scratch memory with rows of pad elements: keys or values transposed; the scores or their
 * gradients; the weights after dropout.
 */
struct attend_room { int pad; real *columns, *scores, *dropped; };

INLINE struct attend_room
attend_room(const struct head *h, real *room)
{
	int pad = (h->S + LANES - 1) / LANES * LANES, d = h->d > h->d_v ? h->d : h->d_v;
	real *scores = room + (ptrdiff_t)d * pad;

	return (struct attend_room){ pad, room, scores, scores + (ptrdiff_t)h->T * pad };
}

/*
 * Prefetches row t of n rows of `width` elements; at the last t, which is T - 1, all remaining
 * rows.
 */
INLINE void
fetch(const real *x, ptrdiff_t ld, int n, int width, int t, int T, bool to_write)
{
	const int to = t + 1 < T && t < n ? t + 1 : n;

	for (int r = t; x && r < to; r++)
		for (int c = 0; c < width; c += LANES) {
			if (to_write)
				__builtin_prefetch(x + r * ld + c, 1);
			else
				__builtin_prefetch(x + r * ld + c, 0);
		}
}

/* The same for the matrices of the next head. */
INLINE void
fetch_ahead(const struct ahead *a, int t, int T)
{
	for (int i = 0; a && i < a->n; i++) {
		const struct ahead_rows *r = &a->rows[i];

		fetch(r->x, r->ld, r->n, r->width, t, T, false);
	}
}

/* y += x */
INLINE void
vec_add_row(int n, const real *x, real *y)
{
	for (int i = 0; i < n; i += LANES)
		vec_add_left(y + i, n - i, vec_load_left(x + i, n - i));
}

/* Loads scores; those of masked keys, from limit on, are -inf. */
INLINE vec
load_scores(const real *x, int i, int limit)
{
	return vec_select(LANE_NUMBERS + i < limit, vec_load(x + i), vec_all(-INFINITY));
}

/* w[S] = softmax(x) over the first limit keys; x = w mask.  mask may be NULL: all 1. */
INLINE void
weights_row(int S, int limit, const real *mask, real *x, real *w)
{
	vec max = vec_all(-INFINITY), sum = {0}, all;
	real largest, scale;

	for (int i = 0; i < S; i += LANES)
		max = vec_max(load_scores(x, i, limit), max);
	largest = vec_largest(max);
	all = vec_all(largest > -INFINITY ? largest : 0);
	for (int i = 0; i < S; i += LANES) {
		vec e = vec_exp_negative(load_scores(x, i, limit) - all);

		vec_store(x + i, e);
		sum += e;
	}
	scale = vec_sum(sum);
	scale = scale > 0 ? 1 / scale : 0;
	for (int i = 0; i < S; i += LANES) {
		int n = S - i < LANES ? S - i : LANES;
		vec y = vec_load(x + i) * scale;

		vec_store_part(w + i, y, n);
		if (mask)
			vec_store(x + i, y * vec_load_part(mask + i, n, 0));
		else
			vec_store(x + i, y);
	}
}

/* scores[T,pad] = alpha a b' with a [T,d] and b [S,d] */
INLINE void
rows_times_rows(const struct head *h, const struct attend_room *r, int d, real alpha, const real *a,
		ptrdiff_t lda, const real *b, ptrdiff_t ldb)
{
	const struct small s = {
		.m = h->T, .n = r->pad, .k = d, .alpha = alpha, .a = a, .as = lda, .ap = 1,
		.b = r->columns, .ldb = r->pad, .c = r->scores, .ldc = r->pad,
	};

	transpose(h->S, d, b, ldb, r->columns, r->pad, r->pad);
	small(&s);
}

void
LEVEL(k_attend)(const struct head *h, struct head_mask mask, real *weights, real *out, ptrdiff_t ld,
      real *room)
{
	struct attend_room r = attend_room(h, room);
	const struct small context = {
		.m = h->T, .n = h->d_v, .k = h->S, .alpha = 1, .a = r.scores, .as = r.pad, .ap = 1,
		.b = h->v, .ldb = h->ldv, .c = out, .ldc = ld,
	};

	rows_times_rows(h, &r, h->d, h->scale, h->q, h->ldq, h->k, h->ldk);
	for (int t = 0; t < h->T; t++) {
		fetch_ahead(h->ahead, t, h->T);
		fetch(out, ld, h->T, h->d_v, t, h->T, true);
		if (h->bias)
			vec_add_row(h->S, k_head_bias(h, t), r.scores + (ptrdiff_t)t * r.pad);
		weights_row(h->S, h->causal ? t + 1 + h->S - h->T : h->S,
			    mask.m ? mask.m + t * mask.ld : NULL, r.scores + (ptrdiff_t)t * r.pad,
			    weights + (ptrdiff_t)t * h->S);
	}
	small(&context);
}

/*
 * Replaces g, the gradient of the weights after dropout, by that of the scores; dropped = w mask.
 */
INLINE void
scores_row(int S, const real *mask, const real *w, real *g, real *dropped)
{
	vec sum = {0}, all;

	for (int i = 0; i < S; i += LANES) {
		int n = S - i < LANES ? S - i : LANES;
		vec y = vec_load_part(w + i, n, 0);
		vec m = mask ? vec_load_part(mask + i, n, 0) : vec_all(1);
		vec back = vec_load(g + i) * m;

		vec_store(dropped + i, y * m);
		vec_store(g + i, back);
		sum += y * back;
	}
	all = vec_all(vec_sum(sum));
	for (int i = 0; i < S; i += LANES) {
		int n = S - i < LANES ? S - i : LANES;

		vec_store(g + i, vec_load_part(w + i, n, 0) * (vec_load(g + i) - all));
	}
}

/* c[T,d] = alpha x[T,S] b + beta c */
INLINE void
sums_over_keys(const struct head *h, int pad, const real *x, const real *b, ptrdiff_t ldb, int d,
	       real alpha, real beta, real *c, ptrdiff_t ldc)
{
	const struct small s = {
		.m = h->T, .n = d, .k = h->S, .alpha = alpha, .beta = beta,
		.a = x, .as = pad, .ap = 1, .b = b, .ldb = ldb, .c = c, .ldc = ldc,
	};

	small(&s);
}

/* c[S,d] = alpha x' b + beta c with x [T,S] */
INLINE void
sums_over_queries(const struct head *h, int pad, const real *x, const real *b, ptrdiff_t ldb, int d,
		  real alpha, real beta, real *c, ptrdiff_t ldc)
{
	const struct small s = {
		.m = h->S, .n = d, .k = h->T, .alpha = alpha, .beta = beta,
		.a = x, .as = 1, .ap = pad, .b = b, .ldb = ldb, .c = c, .ldc = ldc,
	};

	small(&s);
}

void
LEVEL(k_attend_back)(const struct head *h, struct head_mask mask, const real *weights,
      const real *g, ptrdiff_t ld, const struct head_back *back, real *room)
{
	struct attend_room r = attend_room(h, room);

	rows_times_rows(h, &r, h->d_v, 1, g, ld, h->v, h->ldv);
	for (int t = 0; t < h->T; t++) {
		fetch_ahead(h->ahead, t, h->T);
		fetch(back->q, h->ldq, h->T, h->d, t, h->T, true);
		fetch(back->k, h->ldk, h->S, h->d, t, h->T, true);
		fetch(back->v, h->ldv, h->S, h->d_v, t, h->T, true);
		scores_row(h->S, mask.m ? mask.m + t * mask.ld : NULL,
			   weights + (ptrdiff_t)t * h->S, r.scores + (ptrdiff_t)t * r.pad,
			   r.dropped + (ptrdiff_t)t * r.pad);
		if (back->bias)
			vec_add_row(h->S, r.scores + (ptrdiff_t)t * r.pad,
				back->bias - (t + h->S - h->T));
	}
	if (back->q)
		sums_over_keys(h, r.pad, r.scores, h->k, h->ldk, h->d, h->scale, back->beta_q,
			       back->q, h->ldq);
	if (back->k)
		sums_over_queries(h, r.pad, r.scores, h->q, h->ldq, h->d, h->scale, back->beta_k,
				  back->k, h->ldk);
	if (back->v)
		sums_over_queries(h, r.pad, r.dropped, g, ld, h->d_v, 1, back->beta_v, back->v,
				  h->ldv);
}
