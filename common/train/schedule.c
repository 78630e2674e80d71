/* schedule: see schedule.h. */
#include "train/schedule.h"

#include <math.h>
#include <stddef.h>

#include "base/err.h"
#include "model/model.h"

const char *const schedule_names[] = {
	[SCHEDULE_CONSTANT] = "constant", [SCHEDULE_INVERSE_SQRT] = "inverse_sqrt",
	[SCHEDULE_NOAM] = "noam", [SCHEDULE_LINEAR] = "linear", [SCHEDULE_PLATEAU] = "plateau",
	NULL
};

static double
noam(const struct schedule *s, double update)
{
	double warmup = s->warmup > 0 ? (double)s->warmup : 1;

	return s->factor / sqrt((double)s->width) *
	       fmin(1 / sqrt(update), update / (warmup * sqrt(warmup)));
}

static double
inverse_sqrt(const struct schedule *s, double update)
{
	return s->lr * sqrt((s->warmup > 0 ? (double)s->warmup : 1) / update);
}

static double
linear(const struct schedule *s, int64_t update)
{
	if (update > s->total)
		return 0;
	return s->lr * (double)(s->total - update + 1) / (double)(s->total - s->warmup + 1);
}

double
schedule_rate(const struct schedule *s, int64_t update)
{
	if (s->kind == SCHEDULE_NOAM)
		return noam(s, (double)update);
	if (update <= s->warmup)
		return s->lr_init + (s->lr - s->lr_init) * (double)update / (double)s->warmup;
	switch (s->kind) {
	case SCHEDULE_INVERSE_SQRT:
		return inverse_sqrt(s, (double)update);
	case SCHEDULE_LINEAR:
		return linear(s, update);
	case SCHEDULE_CONSTANT:
	case SCHEDULE_PLATEAU:
		return s->lr;
	default:
		bug("schedule %d", s->kind);
	}
}
