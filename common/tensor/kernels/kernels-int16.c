/*
 * kernels-int16: conversion to 16-bit integers and back; see int16.h.
 *
 * The slow kernels find the unit by trial, and round by arithmetic.
 */
#include "tensor/int16.h"

#include <math.h>
#include <string.h>

#include "tensor/kernels.h"

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
