/* ticks: round values for axes; see ticks.h. */
#include "draw/ticks.h"

#include <math.h>

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
