/* ticks: round values for the ticks of an axis. */
#ifndef TICKS_H
#define TICKS_H

/* 1, 2 or 5 times a power of ten, so that a range > 0 has about n steps. */
double tick_step(double range, int n);
/* Digits after the decimal point that multiples of step need. */
int tick_digits(double step);

#endif
