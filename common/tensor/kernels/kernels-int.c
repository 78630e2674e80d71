/*
 * kernels-int: conversion to 16-bit and 8-bit integers and back; see int16.h and int8.h.
 *
 * The slow kernels find the unit of 16 bits by trial, truncate that of 8 bits by arithmetic, and
 * round by arithmetic.
 */
#include <math.h>
#include <string.h>

#include "tensor/int16.h"
#include "tensor/int8.h"
#include "tensor/kernels.h"

/* --- 16 bits --- */

real
slow_unit_int16(int n, const real *x)
{
	double squares = 0, largest = 0, unit = ldexp(1, -126);

	for (int i = 0; i < n; i++) {
		double size = fabs((double)x[i]);

		squares += size * size;
		largest = size > largest ? size : largest;
	}
	if (!isfinite(squares))
		return NAN;
	while (sqrt(squares) / unit > INT16_NORM - fmax(sqrt(n) / 2, 128) ||
	       largest / unit > INT16_LARGEST)
		unit *= 2;
	return (real)unit;
}

void
slow_to_int16(int n, const real *x, real unit, int16_t *q)
{
	const real per_unit = 1 / unit;

	for (int i = 0; i < n; i++)
		q[i] = isnan(unit) ? 0 : (int16_t)nearbyint((double)(x[i] * per_unit));
}

void
k_round_int16(int n, const real *x, real *y)
{
	const real unit = k_unit_int16(n, x);

	for (int i = 0; i < n; i++)
		y[i] = unit * (real)nearbyint((double)(x[i] / unit));
}

/* --- 8 bits --- */

real
slow_unit_int8(int n, const real *x)
{
	double largest = 0, most = INT8_LARGEST, fraction;
	int exponent;

	for (int i = 0; i < n; i++) {
		if (!isfinite(x[i]))
			return (real)NAN;
		largest = fmax(largest, fabs((double)x[i]));
	}
	while (most * most * n > 2147483647.0)
		most--;
	fraction = frexp(largest / most, &exponent);	/* in [1/2, 1), or 0 */
	return (real)fmax(ldexp(floor(ldexp(fraction, 11)), exponent - 11), ldexp(1, -126));
}

void
k_round_int8(int n, const real *x, real *y)
{
	enum { PART = 256 };
	const real unit = k_unit_int8(n, x);
	int8_t q[PART];

	for (int i = 0; i < n; i += PART) {
		const int part = n - i < PART ? n - i : PART;

		k_to_int8(part, x + i, unit, 0, q);
		for (int k = 0; k < part; k++)
			y[i + k] = unit * q[k];
	}
}

int
k_largest_int8(int n, const int8_t *q)
{
	int8_t least = 0, most = 0;

	for (int i = 0; i < n; i++) {
		least = q[i] < least ? q[i] : least;
		most = q[i] > most ? q[i] : most;
	}
	return -least > most ? -least : most;
}
