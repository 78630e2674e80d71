/* fast-softmax: exponential, softmax of a row, and cross-entropy, in vectors. */
#ifdef REAL_DOUBLE

/* The double build of the op checker need not be fast. */
INLINE vec
vec_exp(vec x)
{
	for (int i = 0; i < LANES; i++)
		x[i] = exp(x[i]);
	return x;
}

#define vec_exp_negative vec_exp
#define vec_exp_below vec_exp
#define LOG log

#else

#define LOG logf

/*
 * exp(x) = 2^n exp(r), where n is the integer nearest to x / ln 2 and |r| <= ln 2 / 2.  n is
 * rounded by adding 1.5 * 2^23.  n ln 2 is subtracted in two parts (Cody and Waite 1980).  exp(r)
 * is the polynomial of Cephes.  2^n is multiplied in two halves, so that results near the ends of
 * the range are correct.  Below -87.33 the result is 0, never subnormal.
 */
typedef uint32_t vec_bits __attribute__((vector_size(sizeof(vec))));	/* wraps around */

struct power { vec part; vec_bits n; };	/* part 2^n; without meaning if x is out of range */

INLINE struct power
power(vec x)
{
	vec big = vec_all(12582912.0f), t, n, r, p;

	t = x * 1.44269504088896341f + big;
	n = t - big;
	r = x - n * 0.693359375f;
	r = r - n * -2.12194440e-4f;
	p = r * 1.9875691500e-4f + 1.3981999507e-3f;
	p = p * r + 8.3334519073e-3f;
	p = p * r + 4.1665795894e-2f;
	p = p * r + 1.6666665459e-1f;
	p = p * r + 5.0000001201e-1f;
	return (struct power){ p * (r * r) + r + 1.0f, (vec_bits)t - (vec_bits)big };
}

INLINE vec
vec_exp(vec x)
{
	vec_int gone = x < -87.33f, over = x > 88.72f;
	struct power y = power(vec_select(gone | over, vec_all(0), x));
	vec_bits half = (vec_bits)((vec_int)y.n >> 1);
	vec p = y.part * (vec)((half + 127) << 23) * (vec)((y.n - half + 127) << 23);

	p = vec_select(gone, vec_all(0), p);
	return vec_select(over, vec_all(INFINITY), p);
}

/* The same result for x <= 0, where one half of 2^n is enough, and for NaN. */
INLINE vec
vec_exp_negative(vec x)
{
#if SIMD_MASKS
	const __mmask16 there = _mm512_cmp_ps_mask((__m512)x, (__m512)vec_all(-87.33f),
						   _CMP_NLT_UQ);
	struct power y = power(x);

	return (vec)_mm512_maskz_mul_ps(there, (__m512)y.part, (__m512)((y.n + 127) << 23));
#else
	vec_int gone = x < -87.33f;
	struct power y = power(vec_select(gone, vec_all(0), x));

	return vec_select(gone, vec_all(0), y.part * (vec)((y.n + 127) << 23));
#endif
}

/* Faster still, for x <= 0; below -87.33 the result is the smallest normal number. */
INLINE vec
vec_exp_below(vec x)
{
	vec min = vec_all(-87.33f);
	struct power y = power(vec_select(x < min, min, x));

	return (vec)((vec_bits)y.part + (y.n << 23));
}

#endif

void
LEVEL(k_exp)(size_t n, const real *x, real *y)
{
	size_t i = 0;

	for (; i + LANES <= n; i += LANES)
		vec_store(y + i, vec_exp(vec_load(x + i)));
	if (i < n)
		vec_store_part(y + i, vec_exp(vec_load_part(x + i, (int)(n - i), 0)), (int)(n - i));
}

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

/* Adds below to sum where x is not -inf. */
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
