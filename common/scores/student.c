/* student: see student.h. */
#include <math.h>

#include "scores/student.h"

enum { MAX_TERMS = 1000, MAX_HALVINGS = 200 };

/* Lentz's method divides by this value, so it must not be 0. */
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
student_fraction(double a, double b, double x)
{
	double c = 1, d = 0, value = 1;

	for (int m = 1; m < MAX_TERMS; m++) {
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

/* I(x; a, b).  The fraction is used on the side of x where it converges fast. */
static double
incomplete_beta(double x, double a, double b)
{
	const double front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) +
				 b * log1p(-x));

	if (x <= 0 || x >= 1)
		return x <= 0 ? 0 : 1;
	if (x < (a + 1) / (a + b + 2))
		return front * student_fraction(a, b, x) / a;
	return 1 - front * student_fraction(b, a, 1 - x) / b;
}

double
student_above(double t, double df)
{
	const double half = isinf(t) ? 0 : incomplete_beta(df / (df + t * t), df / 2, 0.5) / 2;

	return t >= 0 ? half : 1 - half;
}

/* --- inverse and power --- */

/* The zero of an increasing function that is negative at low and positive at high. */
static double
root(double (*f)(double, const void *), const void *with, double low, double high)
{
	for (int i = 0; i < MAX_HALVINGS && high - low > 1e-12 * fabs(high); i++) {
		const double middle = low + (high - low) / 2;

		if (f(middle, with) < 0)
			low = middle;
		else
			high = middle;
	}
	return low + (high - low) / 2;
}

struct point { double p, df; };

static double
below_point(double t, const void *with)
{
	const struct point *q = with;

	return q->p - student_above(t, q->df);
}

double
student_point(double p, double df)
{
	const struct point q = { .p = p < 0.5 ? p : 1 - p, .df = df };
	double high = 1, t;

	while (below_point(high, &q) < 0)
		high *= 2;
	t = root(below_point, &q, 0, high);
	return p < 0.5 ? t : -t;
}

static double
normal_below(double z)
{
	return erfc(-z / sqrt(2)) / 2;
}

struct power { double df, critical, power; };

/*
 * The probability of noncentral t outside of +-critical, minus the desired power.  T = (Z +
 * delta) / W, where W squared is chi-squared divided by its df degrees of freedom.  The normal
 * tail probabilities are integrated over the density of W by Simpson's rule.
 */
static double
above_power(double delta, const void *with)
{
	enum { STEPS = 1 << 12 };
	const struct power *q = with;
	const double limit = 1 + 12 / sqrt(q->df), h = limit / STEPS, half = q->df / 2;
	const double front = log(2) + half * log(half) - lgamma(half);
	double sum = 0;

	for (int i = 0; i <= STEPS; i++) {
		const double w = h * i, power = q->df > 1 ? (q->df - 1) * log(w) : 0;
		const double density = exp(front + power - half * w * w);
		const double share = normal_below(delta - q->critical * w) +
				     normal_below(-delta - q->critical * w);

		sum += density * share * (i == 0 || i == STEPS ? 1 : i % 2 ? 4 : 2);
	}
	return sum * h / 3 - q->power;
}

double
student_detectable(double df, double alpha, double power)
{
	const struct power q = {
		.df = df, .critical = student_point(alpha / 2, df), .power = power
	};
	double high = 1;

	while (above_power(high, &q) < 0)
		high *= 2;
	return root(above_power, &q, 0, high);
}
