/* moments: see moments.h. */
#include "scores/moments.h"

#include <math.h>

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
