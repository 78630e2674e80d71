/* ratio-error: see ratio-error.h. */
#include "scores/ratio-error.h"

#include <math.h>

/*
 * A sentence moves the ratio by step.  All sums are of residuals, s_i - m n_i, and are corrected
 * for the new ratio.  Nothing cancels, even where the residuals are much smaller than s_i.
 */
void
ratio_error_add(struct ratio_error *r, double sum, double weight)
{
	double residual, step;

	if (!(weight > 0))
		return;
	if (!r->sentences++)
		r->ratio = sum / weight;
	residual = sum - r->ratio * weight;
	r->weight += weight;
	r->weights += weight * weight;
	r->cross += weight * residual;
	step = residual / r->weight;
	r->squares += residual * residual - step * (2 * r->cross - step * r->weights);
	r->cross -= step * r->weights;
	r->ratio += step;
}

double
ratio_error_of(const struct ratio_error *r)
{
	const double n = (double)r->sentences;
	const double squares = r->squares < 0 ? 0 : r->squares;		/* by rounding */

	return r->sentences > 1 ? sqrt(n / (n - 1) * squares) / r->weight : NAN;
}
