/* fast-element: element-wise functions, in vectors. */
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
