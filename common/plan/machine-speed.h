/* machine-speed: the speed of this machine, for estimates of the duration of runs. */
#ifndef MACHINE_SPEED_H
#define MACHINE_SPEED_H

/* machine_speed() of a free core of the machine on which the published runs were trained. */
#define MACHINE_PUBLISHED 4.8e11

/*
 * Floating-point operations per second of one thread in matrix products of training with bf16.  The
 * measurement takes three seconds of processor time; its fastest part counts, because other
 * programs on the machine can only make it slower.
 */
double machine_speed(void);

#endif
