/* fast-softmax: softmax of a row, and cross-entropy, in vectors. */
#ifdef REAL_DOUBLE
#define LOG log
#else
#define LOG logf
#endif

INLINE real
largest(int n, const real *x)
{
	vec m = vec_all(-INFINITY), k = m;
	int i = 0;

	for (; i + 2 * LANES <= n; i += 2 * LANES) {
		m = vec_max(vec_load(x + i), m);
		k = vec_max(vec_load(x + i + LANES), k);
	}
	for (; i < n; i += LANES)
		m = vec_max(n - i >= LANES ? vec_load(x + i)
					   : vec_load_part(x + i, n - i, -INFINITY),
			    m);
	return vec_largest(vec_max(m, k));
}

/* `sum` + `below` in the lanes where `x` is not -inf, and `sum` in the others. */
INLINE vec
plus_counted(vec sum, vec x, vec below)
{
#if SIMD_MASKS && !defined(REAL_DOUBLE)
	const __mmask16 k = _mm512_cmp_ps_mask((__m512)x, (__m512)vec_all(-INFINITY), _CMP_GT_OQ);

	return (vec)_mm512_mask_add_ps((__m512)sum, k, (__m512)sum, (__m512)below);
#else
	return sum + vec_select(x > -INFINITY, below, vec_all(0));
#endif
}

/*
 * Returns exp(x - max); if `counted` is not NULL, adds those x - max to *counted that are not -inf.
 */
INLINE vec
exp_from(vec x, vec max, vec *counted)
{
	const vec below = x - max;

	if (counted)
		*counted = plus_counted(*counted, x, below);
	return vec_exp_negative(below);
}

/* y = exp(x - max); returns the sum of y. */
INLINE real
exp_row(int n, real max, const real *x, real *y, vec *counted)
{
	vec s = {0}, t = {0}, m = vec_all(max);
	int i = 0;

	for (; i + 2 * LANES <= n; i += 2 * LANES) {
		vec a = exp_from(vec_load(x + i), m, counted);
		vec b = exp_from(vec_load(x + i + LANES), m, counted);

		vec_store(y + i, a);
		vec_store(y + i + LANES, b);
		s += a;
		t += b;
	}
	for (; i + LANES <= n; i += LANES) {
		vec a = exp_from(vec_load(x + i), m, counted);

		vec_store(y + i, a);
		s += a;
	}
	if (i < n) {
		vec a = exp_from(vec_load_part(x + i, n - i, -INFINITY), m, counted);

		vec_store_part(y + i, a, n - i);
		s += a;
	}
	return vec_sum(s + t);
}

void
LEVEL(k_softmax)(int n, const real *x, real *y)
{
	real max = largest(n, x), sum;

	if (max == -INFINITY) {
		memset(y, 0, (size_t)n * sizeof(*y));
		return;
	}
	sum = 1 / exp_row(n, max, x, y, NULL);
	for (int i = 0; i + LANES <= n; i += LANES)
		vec_store(y + i, vec_load(y + i) * sum);
	if (n % LANES)
		vec_store_part(y + n - n % LANES,
			       vec_load_part(y + n - n % LANES, n % LANES, 0) * sum, n % LANES);
}

void
LEVEL(k_softmax_back)(int n, const real *y, const real *g, real beta, real *dx)
{
	vec s = {0};
	real sum;
	int i = 0;

	for (; i + LANES <= n; i += LANES)
		s += vec_load(y + i) * vec_load(g + i);
	if (i < n)
		s += vec_load_part(y + i, n - i, 0) * vec_load_part(g + i, n - i, 0);
	sum = vec_sum(s);
	for (i = 0; i < n; i++)
		dx[i] = y[i] * (g[i] - sum) + (beta != 0 ? beta * dx[i] : 0);
}

INLINE void
add_bias(int n, const struct smooth *s, const real *b, real *x)
{
	if (b)
		for (int i = 0; i < n; i++)
			x[i] += b[i];
	if (s->valid)
		for (int i = 0; i < n; i++)
			x[i] = s->valid[i] ? x[i] : -INFINITY;
}

/* p = factor p - low, with two roundings */
INLINE void
scale_less(int n, real factor, real low, real *p)
{
	int i = 0;

#if SIMD_MASKS
	for (; i + LANES <= n; i += LANES) {
		vec scaled = vec_load(p + i) * factor;

		/* The compiler must not contract both operations to one with one rounding. */
		__asm__("" : "+v"(scaled));
		vec_store(p + i, scaled - low);
	}
#endif
	for (int k = i; k < n; k++)
		p[k] *= factor;
	if (low != 0)
		for (; i < n; i++)
			p[i] -= low;
}

/* p = inverse p - q, the gradient; q is the target distribution of struct smooth */
INLINE void
gradient_row(int n, const struct smooth *s, int target, real inverse, real *p)
{
	scale_less(n, inverse, s->valid ? 0 : s->low, p);
	if (s->valid)
		for (int i = 0; i < n; i++)
			p[i] = s->valid[i] ? p[i] - s->low : 0;
	if (s->skip >= 0 && (!s->valid || s->valid[s->skip]))
		p[s->skip] += s->low;
	p[target] += (target == s->skip ? 0 : s->low) - s->gold;
}

struct loss_row
LEVEL(k_cross_entropy)(int n, const struct smooth *s, int target, const real *b, bool grad, real *x)
{
	vec counts = {0};
	struct loss_row r;
	real max, sum, log_sum, counted, at, skipped;

	add_bias(n, s, b, x);
	max = largest(n, x);
	at = x[target] - max;
	skipped = s->skip >= 0 && x[s->skip] > -INFINITY ? x[s->skip] - max : 0;
	sum = exp_row(n, max, x, x, &counts);
	counted = vec_sum(counts) - skipped;
	log_sum = LOG(sum);
	r.nll = log_sum - at;
	r.loss = s->low * ((real)s->n_counted * log_sum - counted)
		+ (s->gold - (target == s->skip ? 0 : s->low)) * r.nll - s->constant;
	if (grad)
		gradient_row(n, s, target, 1 / sum, x);
	return r;
}
