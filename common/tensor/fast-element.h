/* fast-element: one number in, one number out, in vectors. */
#ifdef REAL_DOUBLE

INLINE vec
vec_tanh(vec x)
{
	for (int i = 0; i < LANES; i++)
		x[i] = tanh(x[i]);
	return x;
}

#else

/* Near 0, where 1 - 2 / (exp(2x) + 1) has few digits left, Cephes' polynomial. */
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

#endif

INLINE vec
vec_sigmoid(vec x)
{
	return 1 / (1 + vec_exp(-x));
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

#undef EACH
