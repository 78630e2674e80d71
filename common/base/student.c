/* student: see student.h. */
#include <math.h>

#include "base/student.h"

enum { MOST_TERMS = 1000 };

struct moments
moments_of(const double *x, size_t n)
{
	double sum = 0, squares = 0, mean;

	for (size_t i = 0; i < n; i++)
		sum += x[i];
	mean = sum / (double)n;
	for (size_t i = 0; i < n; i++)
		squares += (x[i] - mean) * (x[i] - mean);
	return (struct moments) {
		.mean = mean, .deviation = n > 1 ? sqrt(squares / (double)(n - 1)) : 0
	};
}

/* Kept away from 0, by which Lentz's method divides. */
static double
away(double v)
{
	return fabs(v) < 1e-300 ? 1e-300 : v;
}

/* The m-th numerator of the fraction, from 1 (26.5.8). */
static double
numerator(int m, double a, double b, double x)
{
	const double k = m / 2;

	if (m % 2)
		return -(a + k) * (a + b + k) * x / ((a + 2 * k) * (a + 2 * k + 1));
	return k * (b - k) * x / ((a + 2 * k - 1) * (a + 2 * k));
}

/* 1 / (1 + d1 / (1 + d2 / ...)), by Lentz's method. */
static double
fraction(double a, double b, double x)
{
	double c = 1, d = 0, value = 1;

	for (int m = 1; m < MOST_TERMS; m++) {
		const double n = numerator(m, a, b, x);
		double step;

		d = 1 / away(1 + n * d);
		c = away(1 + n / c);
		step = c * d;
		value *= step;
		if (fabs(step - 1) < 1e-15)
			break;
	}
	return 1 / value;
}

/* I(x; a, b): the fraction converges fast on the side of x where it is used. */
static double
incomplete_beta(double x, double a, double b)
{
	const double front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log1p(-x));

	if (x <= 0 || x >= 1)
		return x <= 0 ? 0 : 1;
	if (x < (a + 1) / (a + b + 2))
		return front * fraction(a, b, x) / a;
	return 1 - front * fraction(b, a, 1 - x) / b;
}

double
student_above(double t, double df)
{
	const double half = isinf(t) ? 0 : incomplete_beta(df / (df + t * t), df / 2, 0.5) / 2;

	return t >= 0 ? half : 1 - half;
}
