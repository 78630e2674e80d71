/* ticks: round values for the ticks of an axis. */
#ifndef TICKS_H
#define TICKS_H

#include <stddef.h>

/*
 * The distance of ticks that divides a range of length `range` > 0 into about `n` steps: 1, 2 or 5
 * times a power of ten.
 */
double tick_step(double range, int n);
/* The number of digits after the decimal point that multiples of `step` need. */
int tick_digits(double step);

/*
 * Returns the number of multiples of `step` from `low` to `high`, apart from rounding, and sets
 * *first so that the i-th of them is (*first + i) * step.  Returns 0 if the step is lost in the
 * rounding of these values.
 */
int tick_count(double low, double high, double step, double *first);

/*
 * Writes the label of a tick at v, a multiple of `step` apart from rounding, into the n bytes at
 * `text`; TICK_TEXT bytes are enough.  Very small and very large numbers have the form 1.5e-40.
 */
enum { TICK_TEXT = 64 };
void tick_text(char *text, size_t n, double v, double step);

#endif
