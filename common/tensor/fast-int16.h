/* fast-int16: rows of numbers to integers; see int16.h and kernels-int16.c. */
#ifdef REAL_DOUBLE
#define ROUNDER 6755399441055744.0	/* 1.5 2^52: what is added to it is rounded to an integer in its lowest bits */
#else
#define ROUNDER 12582912.0f		/* 1.5 2^23 */
#endif

enum { HALF = LANES / 2 };

typedef int16_t vec_short __attribute__((vector_size(2 * LANES)));
typedef real vec_some __attribute__((vector_size(HALF * sizeof(real))));
typedef double vec_wide __attribute__((vector_size(HALF * sizeof(double))));

/* Squares of floats are exact in double, so that it does not matter whether they are added in one step or two. */
INLINE vec_wide
add_squares(vec_wide sum, const real *x)
{
	vec_some some;
	vec_wide w;

	memcpy(&some, x, sizeof(some));
	w = __builtin_convertvector(some, vec_wide);
	return sum + w * w;
}

INLINE vec
size_of(vec v)
{
	return (vec)((vec_int)v & ~(vec_int)vec_all(-(real)0));
}

real
LEVEL(k_unit_int16)(int n, const real *x)
{
	vec_wide low = {0}, high = {0};
	vec most = {0};
	double squares = 0;
	int i = 0;

	for (; i + LANES <= n; i += LANES) {
		low = add_squares(low, x + i);
		high = add_squares(high, x + i + HALF);
		most = vec_max(size_of(vec_load(x + i)), most);
	}
	if (i < n) {
		vec rest = vec_load_part(x + i, n - i, 0);
		real copy[LANES];

		vec_store(copy, rest);
		low = add_squares(low, copy);
		high = add_squares(high, copy + HALF);
		most = vec_max(size_of(rest), most);
	}
	low += high;
	for (i = 0; i < HALF; i++)
		squares += low[i];
	return (real)int16_unit(n, squares, (double)vec_largest(most));
}

INLINE vec_short
rounded(vec x, real per_unit)
{
	return __builtin_convertvector((vec_int)(x * per_unit + ROUNDER), vec_short);
}

void
LEVEL(k_to_int16)(int n, const real *x, real unit, int16_t *q)
{
	const real per_unit = 1 / unit;
	vec_short v;
	int i = 0;

	if (unit != unit) {
		memset(q, 0, (size_t)n * sizeof(*q));
		return;
	}
	for (; i + LANES <= n; i += LANES) {
		v = rounded(vec_load(x + i), per_unit);
		memcpy(q + i, &v, sizeof(v));
	}
	if (i < n) {
		v = rounded(vec_load_part(x + i, n - i, 0), per_unit);
		memcpy(q + i, &v, (size_t)(n - i) * sizeof(*q));
	}
}
