/* fast-int8: conversion of rows to 8-bit integers; see int8.h and kernels-int8.c. */
typedef uint8_t vec_byte __attribute__((vector_size(LANES)));

/* The larger magnitudes, by their bits as integers: those of NaNs and infinities are largest. */
INLINE vec
larger_bits(vec max, vec v)
{
	v = magnitude(v);
	return vec_select((vec_int)v > (vec_int)max, v, max);
}

real
LEVEL(k_unit_int8)(int n, const real *x)
{
	vec max[2] = { {0} };
	vec_int bits;
	lane_int most = 0;
	real largest;
	int i = 0;

	for (; i + 2 * LANES <= n; i += 2 * LANES) {
		max[0] = larger_bits(max[0], vec_load(x + i));
		max[1] = larger_bits(max[1], vec_load(x + i + LANES));
	}
	for (; i < n; i += LANES)
		max[0] = larger_bits(max[0], vec_load_left(x + i, n - i));
	bits = (vec_int)larger_bits(max[0], max[1]);
	for (int k = 0; k < LANES; k++)
		most = bits[k] > most ? bits[k] : most;
	memcpy(&largest, &most, sizeof(largest));
	return (real)int8_unit(n, (double)largest);
}

INLINE vec_byte
rounded_byte(vec x, real per_unit, int shift)
{
	return __builtin_convertvector(rounded_bits(x, per_unit), vec_byte) + (uint8_t)shift;
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
