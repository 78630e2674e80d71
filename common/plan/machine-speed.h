/* machine-speed: the speed of this machine, for estimates of the duration of runs. */
#ifndef MACHINE_SPEED_H
#define MACHINE_SPEED_H

/*
 * What machine_speed() gave on a core, free of other work, of the machine on which the published
 * runs were trained.  The ratio of the two speeds turns the durations of those runs into estimates
 * for this machine.
 */
#define MACHINE_PUBLISHED 4.8e11

/*
 * The number of floating-point operations per second of one thread in the matrix products of a
 * training with the back end native:bf16.  The measurement takes three seconds of processor time,
 * in 15 parts; the fastest part counts, because other programs on the machine can only make one
 * slower.
 */
double machine_speed(void);

#endif
