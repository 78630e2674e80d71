/* ticks: round values for axes; see ticks.h. */
#include "draw/ticks.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>

double
tick_step(double range, int n)
{
	const double raw = range / n, power = pow(10, floor(log10(raw))), head = raw / power;

	return power * (head < 1.5 ? 1 : head < 3.5 ? 2 : head < 7.5 ? 5 : 10);
}

int
tick_digits(double step)
{
	return (int)fmax(0, ceil(-log10(step) - 1e-9));
}

/* More ticks than these are those of a step that is rounded to almost 0. */
enum { MAX_TICKS = 20 };

int
tick_count(double low, double high, double step, double *first)
{
	const double n = floor((high - low) / step + 1e-6);

	*first = ceil(low / step - 1e-9);
	if (!(n <= MAX_TICKS && *first + 1 > *first))
		return 0;
	return (int)floor((high - *first * step) / step + 1e-6) + 1;
}

/* Steps outside of these need more digits than a label has room for. */
#define SMALL_STEP 1e-12
#define LARGE_STEP 1e15

/* Digits of v, the last of which is in the place of the first digit of the step. */
static int
digits_to(double v, double step)
{
	return (int)(floor(log10(fabs(v)) + 1e-9) - floor(log10(step) + 1e-9)) + 1;
}

void
tick_text(char *text, size_t n, double v, double step)
{
	const bool plain = step >= SMALL_STEP * (1 - 1e-9) && step < LARGE_STEP;
	const bool zero = fabs(v) < step / 2;

	if (plain)
		snprintf(text, n, "%.*f", tick_digits(step), zero ? 0 : v);
	else
		snprintf(text, n, "%.*g", zero ? 1 : digits_to(v, step), zero ? 0 : v);
}
