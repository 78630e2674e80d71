/* clock: how benchmarks tell the time. */
#ifndef CLOCK_H
#define CLOCK_H

#include <time.h>

static clockid_t measure = CLOCK_MONOTONIC;

/* One thread is timed by the processor's clock, which others on the machine do not move much. */
static double
now(void)
{
	struct timespec t;

	clock_gettime(measure, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

#endif
