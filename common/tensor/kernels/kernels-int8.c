/*
 * kernels-int8: conversion to 8-bit integers and back; see int8.h.
 *
 * The slow kernel truncates the unit by arithmetic.
 */
#include "tensor/int8.h"

#include <math.h>

#include "tensor/kernels.h"

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
