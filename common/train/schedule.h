/*
 * schedule: the learning rate of an update.
 *
 * Updates count from 1, so the first update has a rate above 0.  fairseq counts from 0: its rate at
 * an update is that of the update before here.
 */
#ifndef SCHEDULE_H
#define SCHEDULE_H

#include <stdint.h>

struct schedule {
	int kind;		/* SCHEDULE_* of model.h */
	double lr;		/* peak, after the warm-up */
	double lr_init;		/* before the warm-up */
	double factor;		/* of noam */
	int64_t warmup, total;	/* updates; total: linear reaches 0 after it */
	int64_t width;		/* model width, for noam */
};

/*
 * The rate of update s:
 *
 * constant, plateau: lr, after a linear warm-up from lr_init
 * inverse_sqrt:      the same warm-up, then lr * sqrt(warmup / s)
 * linear:            the same warm-up, then linear decay to 0 after update total
 * noam:              factor * width^-1/2 * min(s^-1/2, s * warmup^-3/2)
 *                    (Vaswani et al. 2017, equation 3)
 *
 * Without a warm-up, inverse_sqrt and noam compute with a warmup of 1.
 */
double schedule_rate(const struct schedule *s, int64_t update);

/* "constant", "inverse_sqrt", "noam", "linear", "plateau", NULL: in the order of the enum. */
extern const char *const schedule_names[];

#endif
