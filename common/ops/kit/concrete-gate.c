/* concrete-gate: gates as functions of log alpha; see concrete-gate.h. */
#include <math.h>

#include "ops/kit/concrete-gate.h"

static const double TEMPERATURE = 0.33, LOW = -0.1, HIGH = 1.1, EDGE = 1e-6;

static double
hard_concrete_sigmoid(double x)
{
	return 1 / (1 + exp(-x));
}

/* The sigmoid of x, stretched and clipped; speed is the derivative of x by log alpha. */
static struct hard_concrete
stretched(double x, double speed)
{
	const double s = hard_concrete_sigmoid(x), gate = s * (HIGH - LOW) + LOW;

	if (gate <= 0)
		return (struct hard_concrete){ 0, 0 };
	if (gate >= 1)
		return (struct hard_concrete){ 1, 0 };
	return (struct hard_concrete){ gate, (HIGH - LOW) * s * (1 - s) * speed };
}

struct hard_concrete
hard_concrete_sample(double log_alpha, double u)
{
	const double v = EDGE + (1 - 2 * EDGE) * u;

	return stretched((log(v) - log1p(-v) + log_alpha) / TEMPERATURE, 1 / TEMPERATURE);
}

struct hard_concrete
hard_concrete_test(double log_alpha)
{
	return stretched(log_alpha, 1);
}

double
hard_concrete_shift(void)
{
	return -TEMPERATURE * log(-LOW / HIGH);
}

double
hard_concrete_open(double log_alpha)
{
	return hard_concrete_sigmoid(log_alpha + hard_concrete_shift());
}
