/* fast-decode: attention of a query, and the largest elements of a row, in vectors. */
/* The cached position s; i counts elements of its keys and values. */
INLINE const char *
cached_at(const struct query *q, int s)
{
	return q->row[s] + q->at;
}

INLINE const real *
cached_real(const struct query *q, int s, ptrdiff_t i)
{
	return (const real *)(const void *)cached_at(q, s) + i;
}

INLINE const int8_t *
cached_byte(const struct query *q, int s, ptrdiff_t i)
{
	return (const int8_t *)(cached_at(q, s) + cached_units(q->form.heads)) + i;
}

/* The functions below are compiled twice: bytes is a constant after inlining. */
INLINE vec
cached_vec(const struct query *q, int s, ptrdiff_t i, bool bytes)
{
	return bytes ? vec_of_bytes(cached_byte(q, s, i)) : vec_load(cached_real(q, s, i));
}

INLINE real
cached_one(const struct query *q, int s, ptrdiff_t i, bool bytes)
{
	return bytes ? *cached_byte(q, s, i) : *cached_real(q, s, i);
}

/* The unit of the keys of a head, or of the values of head - heads. */
INLINE real
cached_unit(const struct query *q, int s, int head)
{
	return ((const real *)(const void *)cached_at(q, s))[head];
}

/* The product of a head's query and key s. */
INLINE real
product_of(const struct query *q, int head, int s, bool bytes)
{
	const int d = q->form.d;
	const ptrdiff_t first = (ptrdiff_t)head * d;
	vec sum = {0};
	real rest = 0;
	int i = 0;

	for (; i + LANES <= d; i += LANES)
		sum += vec_load(q->q + first + i) * cached_vec(q, s, first + i, bytes);
	for (; i < d; i++)
		rest += q->q[first + i] * cached_one(q, s, first + i, bytes);
	rest += vec_sum(sum);
	return bytes ? rest * cached_unit(q, s, head) : rest;
}

/* Computes vecs vectors of a head's context in registers; vecs is constant after inlining. */
INLINE void
sum_values(const struct query *q, const real *weights, ptrdiff_t at, int vecs, bool bytes,
	   real *out)
{
	vec acc[4];

	UNROLL
	for (int v = 0; v < vecs; v++)
		acc[v] = (vec){0};
	for (int s = 0; s < q->n; s++) {
		vec w = vec_all(weights[s]);

		UNROLL
		for (int v = 0; v < vecs; v++)
			acc[v] += w * cached_vec(q, s, at + v * LANES, bytes);
	}
	UNROLL
	for (int v = 0; v < vecs; v++)
		vec_store(out + v * LANES, acc[v]);
}

INLINE void
context(const struct query *q, real *weights, int head, bool bytes)
{
	const int d = q->form.d;
	const ptrdiff_t first = (ptrdiff_t)head * d, at = (ptrdiff_t)q->form.heads * d + first;
	real *out = q->out + first;
	int j = 0;

	for (int s = 0; bytes && s < q->n; s++)
		weights[s] *= cached_unit(q, s, q->form.heads + head);
	for (; j + 4 * LANES <= d; j += 4 * LANES)
		sum_values(q, weights, at + j, 4, bytes, out + j);
	for (; j + 2 * LANES <= d; j += 2 * LANES)
		sum_values(q, weights, at + j, 2, bytes, out + j);
	for (; j + LANES <= d; j += LANES)
		sum_values(q, weights, at + j, 1, bytes, out + j);
	for (; j < d; j++) {
		out[j] = 0;
		for (int s = 0; s < q->n; s++)
			out[j] += weights[s] * cached_one(q, s, at + j, bytes);
	}
}

/* Prefetches cache lines [from, to) of the keys and values of the next query. */
INLINE void
prefetch_next(const struct query *q, int from, int to)
{
	for (int s = 0; s < q->n_next; s++)
		for (int i = from; i < to; i++)
			__builtin_prefetch(q->next[s] + q->at + (ptrdiff_t)i * CACHE_LINE, 0, 3);
}

/* Lane i is the product of a head's query with key s + i % 4, or with the last key. */
INLINE vec
four_products(const struct query *q, int head, int s, bool bytes)
{
	const ptrdiff_t first = (ptrdiff_t)head * q->form.d;
	int key[4];
	vec sum[4];

	UNROLL
	for (int k = 0; k < 4; k++) {
		key[k] = s + k < q->n ? s + k : q->n - 1;
		sum[k] = (vec){0};
	}
	for (int i = 0; i < q->form.d; i += LANES) {
		const vec v = vec_load(q->q + first + i);

		UNROLL
		for (int k = 0; k < 4; k++)
			sum[k] += v * cached_vec(q, key[k], first + i, bytes);
	}
	UNROLL
	for (int k = 0; bytes && k < 4; k++)
		sum[k] *= cached_unit(q, key[k], head);
	return vec_sums(sum);
}

/*
 * The scores of all keys.  They are stored in whole vectors: the softmax loads whole vectors, which
 * would wait for several smaller stores.
 */
INLINE void
scores_of(const struct query *q, int head, bool bytes, real *scores)
{
	for (int s = 0; s < q->n; s += LANES) {
		vec all = four_products(q, head, s, bytes);

		UNROLL
		for (int k = 4; k < LANES; k += 4)
			if (s + k < q->n)
				all = vec_select(vec_index >= k,
						 four_products(q, head, s + k, bytes), all);
		vec_store(scores + s, q->scale * all);
	}
}

INLINE void
query(const struct query *q, bool bytes, real *room)
{
	const int lines = (int)(whole_lines(k_cached_size(q->form)) / CACHE_LINE);
	int fetched = 0;

	for (int h = 0; h < q->form.heads; h++) {
		const int then = (h + 1) * lines / q->form.heads;

		prefetch_next(q, fetched, then);
		fetched = then;
		if (q->form.d % LANES == 0)
			scores_of(q, h, bytes, room);
		else
			for (int s = 0; s < q->n; s++)
				room[s] = q->scale * product_of(q, h, s, bytes);
		if (q->bias)
			vec_add_row(q->n, q->bias + h * q->bias_step, room);
		LEVEL(k_softmax)(q->n, room, room);
		context(q, room, h, bytes);
	}
}

void
LEVEL(k_query)(const struct query *q, real *room)
{
	if (q->form.bytes)
		query(q, true, room);
	else
		query(q, false, room);
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

/* Whether one of n elements may belong in the list. */
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
