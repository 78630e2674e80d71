/*
 * kernels-int16: numbers to integers of 16 bits and back; see int16.h.
 *
 * The slow ones look for the unit by trying, and round by arithmetic.
 */
#include "tensor/int16.h"

#include <math.h>
#include <string.h>

#include "tensor/fast.h"

double
int16_unit(int k, double squares, double largest)
{
	double norm = sqrt(squares) / (INT16_NORM - sqrt(k) / 2), peak = largest / INT16_LARGEST;
	double part;
	int e;

	if (!isfinite(squares))
		return NAN;
	part = frexp(norm > peak ? norm : peak, &e);
	if (part == 0.5)
		e--;
	return ldexp(1, e < -126 ? -126 : e);
}

real
k_unit_int16(int n, const real *x)
{
	return FASTEST(k_unit_int16)(n, x);
}

void
k_to_int16(int n, const real *x, real unit, int16_t *q)
{
	FASTEST(k_to_int16)(n, x, unit, q);
}

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
	if (squares == 0)
		return 1;
	while (sqrt(squares) / unit > INT16_NORM - sqrt(n) / 2 || largest / unit > INT16_LARGEST)
		unit *= 2;
	return (real)unit;
}

void
slow_to_int16(int n, const real *x, real unit, int16_t *q)
{
	for (int i = 0; i < n; i++)
		q[i] = isnan(unit) ? 0 : (int16_t)nearbyint((double)x[i] / (double)unit);
}

void
k_round_int16(int n, const real *x, real *y)
{
	const real unit = k_unit_int16(n, x);

	for (int i = 0; i < n; i++)
		y[i] = unit * (real)nearbyint((double)(x[i] / unit));
}
