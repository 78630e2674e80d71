/* ticks: round numbers for an axis. */
#ifndef TICKS_H
#define TICKS_H

/* 1, 2 or 5 times a power of ten, of which a range > 0 has about n steps. */
double tick_step(double range, int n);
int tick_digits(double step);		/* digits after the decimal point of its multiples */

#endif
