/* fast-decode: attention of a query, and the largest elements of a row, in vectors. */
INLINE real
dot(int n, const real *a, const real *b)
{
	vec sum = {0};
	real rest = 0;
	int i = 0;

	for (; i + LANES <= n; i += LANES)
		sum += vec_load(a + i) * vec_load(b + i);
	for (; i < n; i++)
		rest += a[i] * b[i];
	return vec_sum(sum) + rest;
}

/* Computes vecs vectors of a head's context in registers; vecs is constant after inlining. */
INLINE void
sum_values(const struct query *q, const real *weights, ptrdiff_t at, int vecs, real *out)
{
	vec acc[4];

	UNROLL
	for (int v = 0; v < vecs; v++)
		acc[v] = (vec){0};
	for (int s = 0; s < q->n; s++) {
		const real *x = q->row[s] + at;
		vec w = vec_all(weights[s]);

		UNROLL
		for (int v = 0; v < vecs; v++)
			acc[v] += w * vec_load(x + v * LANES);
	}
	UNROLL
	for (int v = 0; v < vecs; v++)
		vec_store(out + v * LANES, acc[v]);
}

INLINE void
context(const struct query *q, const real *weights, int head)
{
	const ptrdiff_t first = (ptrdiff_t)head * q->d, at = q->value + first;
	real *out = q->out + first;
	int j = 0;

	for (; j + 4 * LANES <= q->d; j += 4 * LANES)
		sum_values(q, weights, at + j, 4, out + j);
	for (; j + 2 * LANES <= q->d; j += 2 * LANES)
		sum_values(q, weights, at + j, 2, out + j);
	for (; j + LANES <= q->d; j += LANES)
		sum_values(q, weights, at + j, 1, out + j);
	for (; j < q->d; j++) {
		out[j] = 0;
		for (int s = 0; s < q->n; s++)
			out[j] += weights[s] * q->row[s][at + j];
	}
}

INLINE void
prefetch_head(const real *x, int d)
{
	for (int i = 0; i < d; i += 64 / (int)sizeof(*x))
		__builtin_prefetch(x + i, 0, 3);
}

/* Lane i is the product of a head's query with key s + i % 4, or with the last key. */
INLINE vec
four_products(const struct query *q, ptrdiff_t first, int s)
{
	const real *x[4];
	vec sum[4];

	UNROLL
	for (int k = 0; k < 4; k++) {
		x[k] = q->row[s + k < q->n ? s + k : q->n - 1] + q->key + first;
		sum[k] = (vec){0};
	}
	for (int i = 0; i < q->d; i += LANES) {
		const vec v = vec_load(q->q + first + i);

		UNROLL
		for (int k = 0; k < 4; k++)
			sum[k] += v * vec_load(x[k] + i);
	}
	return vec_sums(sum);
}

/*
 * The scores of all keys.  They are stored in whole vectors: the softmax loads whole vectors, which
 * would wait for several smaller stores.
 */
INLINE void
scores_of(const struct query *q, ptrdiff_t first, real *scores)
{
	for (int s = 0; s < q->n; s += LANES) {
		vec all = four_products(q, first, s);

		UNROLL
		for (int k = 4; k < LANES; k += 4)
			if (s + k < q->n)
				all = vec_select(vec_index >= k, four_products(q, first, s + k),
						 all);
		vec_store(scores + s, q->scale * all);
	}
}

void
LEVEL(k_query)(const struct query *q, real *room)
{
	for (int h = 0; h < q->heads; h++) {
		const ptrdiff_t first = (ptrdiff_t)h * q->d;

		for (int s = 0; s < q->n; s++)
			prefetch_head(q->row[s] + q->value + first, q->d);
		if (q->d % LANES == 0)
			scores_of(q, first, room);
		else
			for (int s = 0; s < q->n; s++)
				room[s] = q->scale * dot(q->d, q->q + first,
							 q->row[s] + q->key + first);
		LEVEL(k_softmax)(q->n, room, room);
		context(q, room, h);
	}
}

/* Inserts x for id into the list.  If the list is full, x is larger than its last element. */
INLINE void
take(struct best *b, int id, real x)
{
	int at = b->n < b->width ? b->n++ : b->n - 1;

	for (; at > 0 && x > b->list[at - 1].x; at--)
		b->list[at] = b->list[at - 1];
	b->list[at] = (struct scored){ x, id };
}

/* Whether one of n elements may belong into the list. */
INLINE bool
improves(const struct best *b, int n, const real *x)
{
	return b->n < b->width || largest(n, x) > b->list[b->n - 1].x;
}

INLINE void
take_all(struct best *b, int first, int n, const real *x)
{
	for (int i = 0; i < n; i++)
		if (x[i] > (b->n < b->width ? -(real)INFINITY : b->list[b->n - 1].x))
			take(b, first + i, x[i]);
}

enum { CHUNK = 4 * LANES };	/* elements whose maximum is tested first, before that of vectors */

INLINE void
scan(struct best *b, int first, int n, const real *x)
{
	for (int i = 0; i < n; i += CHUNK) {
		const int end = n - i < CHUNK ? n : i + CHUNK;

		for (int j = improves(b, end - i, x + i) ? i : end; j < end; j += LANES) {
			const int k = end - j < LANES ? end - j : LANES;

			if (improves(b, k, x + j))
				take_all(b, first + j, k, x + j);
		}
	}
}

INLINE real
sum_exp(int n, real max, const real *x)
{
	vec s = {0}, t = {0}, m = vec_all(max);
	int i = 0;

	for (; i + 2 * LANES <= n; i += 2 * LANES) {
		s += vec_exp_below(vec_load(x + i) - m);
		t += vec_exp_below(vec_load(x + i + LANES) - m);
	}
	for (; i < n; i += LANES)
		s += vec_exp_below((n - i >= LANES ? vec_load(x + i)
						   : vec_load_part(x + i, n - i, -INFINITY)) -
				   m);
	return vec_sum(s + t);
}

void
LEVEL(k_best)(struct best *b, int first, int n, const real *x, int from, int to)
{
	const real part = largest(n, x), max = part > b->max ? part : b->max;
	const int begin = from > first ? from - first : 0, end = to - first < n ? to - first : n;

	if (max > b->max && b->sum != 0)
		b->sum *= exp((double)b->max - max);
	b->max = max;
	b->sum += sum_exp(n, max == -(real)INFINITY ? 0 : max, x);
	if (begin < end && !(b->n == b->width && !(part > b->list[b->n - 1].x)))
		scan(b, first + begin, end - begin, x + begin);
}
