/*
 * fast-element: the exponential, and functions of each element, in vectors (simd.h).  The plain
 * functions in kernels-activation.c are what the tests compare them with.
 */
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
#else

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

#ifdef REAL_DOUBLE

INLINE vec
vec_tanh(vec x)
{
	for (int i = 0; i < LANES; i++)
		x[i] = tanh(x[i]);
	return x;
}

INLINE vec
vec_normal(vec x)
{
	for (int i = 0; i < LANES; i++)
		x[i] = 0.5 * erfc(x[i] * -0.70710678118654752440);
	return x;
}

#else

/* Near 0, where 1 - 2 / (exp(2x) + 1) loses precision, the polynomial of Cephes. */
INLINE vec
vec_tanh(vec x)
{
	vec_int small = (x < 0.625f) & (x > -0.625f);
	vec s = x * x, p;

	p = s * -5.70498872745e-3f + 2.06390887954e-2f;
	p = p * s - 5.37397155531e-2f;
	p = p * s + 1.33314422036e-1f;
	p = p * s - 3.33332819422e-1f;
	return vec_select(small, p * s * x + x, 1 - 2 / (vec_exp(x + x) + 1));
}

/*
 * The share of the standard normal distribution below x, by formula 7.1.26 of Abramowitz and Stegun
 * (Handbook of Mathematical Functions, 1964), whose error is at most 7.5e-8.
 */
INLINE vec
vec_normal(vec x)
{
	const vec z = vec_select(x < 0, -x, x) * 0.70710678f, t = 1 / (1 + 0.3275911f * z);
	vec p = t * 1.061405429f - 1.453152027f;

	p = p * t + 1.421413741f;
	p = p * t - 0.284496736f;
	p = p * t + 0.254829592f;
	p = p * t * vec_exp(-z * z) * 0.5f;
	return vec_select(x < 0, p, 1 - p);
}

#endif

INLINE vec
vec_sigmoid(vec x)
{
	return 1 / (1 + vec_exp(-x));
}

INLINE vec
vec_swish(vec x)
{
	return x * vec_sigmoid(x);
}

INLINE vec
vec_swish_slope(vec x)
{
	const vec s = vec_sigmoid(x);

	return s + x * s * (1 - s);
}

INLINE vec
vec_gelu(vec x)
{
	return x * vec_normal(x);
}

/* The density of the standard normal distribution is exp(-x^2 / 2) / sqrt(2 pi). */
INLINE vec
vec_gelu_slope(vec x)
{
	return vec_normal(x) + x * vec_exp(x * x * (real)-0.5) * (real)0.39894228040143267794;
}

/* gelu_tanh approximates 2 Phi(x) - 1 by the tanh of sqrt(2 / pi) (x + 0.044715 x^3). */
#define GELU_CUBE  ((real)0.044715)
#define GELU_SCALE ((real)0.79788456080286535588)

INLINE vec
vec_gelu_tanh(vec x)
{
	return x * (real)0.5 * (1 + vec_tanh(GELU_SCALE * (x + GELU_CUBE * x * x * x)));
}

INLINE vec
vec_gelu_tanh_slope(vec x)
{
	const vec t = vec_tanh(GELU_SCALE * (x + GELU_CUBE * x * x * x));

	return (real)0.5 * (1 + t) +
	       x * (real)0.5 * (1 - t * t) * GELU_SCALE * (1 + 3 * GELU_CUBE * x * x);
}

#define EACH(function)                                                                             \
	size_t i = 0;                                                                              \
	for (; i + LANES <= n; i += LANES)                                                         \
		vec_store(y + i, function(vec_load(x + i)));                                       \
	if (i < n)                                                                                 \
		vec_store_part(y + i, function(vec_load_part(x + i, (int)(n - i), 0)),             \
			       (int)(n - i));

void
LEVEL(k_exp)(size_t n, const real *x, real *y)
{
	EACH(vec_exp)
}

void
LEVEL(k_tanh)(size_t n, const real *x, real *y)
{
	EACH(vec_tanh)
}

void
LEVEL(k_sigmoid)(size_t n, const real *x, real *y)
{
	EACH(vec_sigmoid)
}

/* dx = g slope(x) + beta dx; dx is not read if beta is 0. */
#define EACH_BACK(slope)                                                                           \
	for (size_t i = 0; i < n; i += LANES) {                                                    \
		const int left = n - i < LANES ? (int)(n - i) : LANES;                             \
		vec d = vec_load_part(g + i, left, 0) * slope(vec_load_part(x + i, left, 0));      \
                                                                                                   \
		if (beta != 0)                                                                     \
			d += beta * vec_load_part(dx + i, left, 0);                                \
		vec_store_part(dx + i, d, left);                                                   \
	}

/*
 * k_gelu() and k_gelu_back() are FAST(gelu), for one level of processors: k_gelu() calls
 * k_gelu_v4() with AVX-512, k_gelu_v3() with AVX2, and otherwise k_gelu_v2() (fast.c).
 */
#define FAST(name)                                                                                 \
	void LEVEL(k_##name)(size_t n, const real *x, real *y)                                     \
	{                                                                                          \
		EACH(vec_##name)                                                                   \
	}                                                                                          \
	void LEVEL(k_##name##_back)(size_t n, const real *x, const real *g, real beta, real *dx)   \
	{                                                                                          \
		EACH_BACK(vec_##name##_slope)                                                      \
	}

ACTIVATIONS(FAST)

#undef FAST
#undef EACH_BACK
#undef EACH
