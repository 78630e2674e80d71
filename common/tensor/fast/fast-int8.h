/* fast-int8: conversion of rows to 8-bit integers; see int8.h and kernels-int.c. */
typedef uint8_t vec_byte __attribute__((vector_size(LANES)));

/* gcc 12 does not use these instructions for plain C. */
#if SIMD_MASKS && !defined(REAL_DOUBLE)
#define LOW_BYTES(bits)    (vec_byte)_mm512_cvtepi32_epi8((__m512i)(bits))
#define LARGER_BITS(a, b)  (vec)_mm512_max_epi32((__m512i)(a), (__m512i)(b))
#else
#define LOW_BYTES(bits)    __builtin_convertvector(bits, vec_byte)
#define LARGER_BITS(a, b)  vec_select((vec_int)(b) > (vec_int)(a), b, a)
#endif

/* The larger magnitudes, by their bits as integers: those of NaNs and infinities are largest. */
INLINE vec
larger_bits(vec max, vec v)
{
	v = magnitude(v);
	return LARGER_BITS(max, v);
}

real
LEVEL(k_unit_int8)(int n, const real *x)
{
	vec max[2] = { {0} };
	int i = 0;

	for (; i + 2 * LANES <= n; i += 2 * LANES) {
		max[0] = larger_bits(max[0], vec_load(x + i));
		max[1] = larger_bits(max[1], vec_load(x + i + LANES));
	}
	for (; i < n; i += LANES)
		max[0] = larger_bits(max[0], vec_load_left(x + i, n - i));
	max[0] = larger_bits(max[0], max[1]);
	VEC_FOLD(larger_bits, max[0]);
	return (real)int8_unit(n, (double)max[0][0]);
}

INLINE vec_byte
rounded_byte(vec x, real per_unit, int shift)
{
	return LOW_BYTES(rounded_bits(x, per_unit)) + (uint8_t)shift;
}

void
LEVEL(k_to_int8)(int n, const real *x, real unit, int shift, void *q)
{
	const real per_unit = 1 / unit;
	uint8_t *to = q;
	vec_byte v;
	int i = 0;

	if (unit != unit) {
		memset(q, shift, (size_t)n);
		return;
	}
	for (; i + LANES <= n; i += LANES) {
		v = rounded_byte(vec_load(x + i), per_unit, shift);
		memcpy(to + i, &v, sizeof(v));
	}
	if (i < n) {
		v = rounded_byte(vec_load_part(x + i, n - i, 0), per_unit, shift);
		memcpy(to + i, &v, (size_t)(n - i));
	}
}
