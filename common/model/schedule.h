/*
 * schedule: the learning rate of an update (methods 1).
 *
 * Updates count from 1, so that the first one already learns; fairseq counts
 * from 0 and is one update behind us everywhere.
 */
#ifndef SCHEDULE_H
#define SCHEDULE_H

#include <stdint.h>

struct schedule {
	int kind;		/* SCHEDULE_* of model.h */
	double lr;		/* where the warm-up ends */
	double lr_init;		/* where it begins */
	double factor;		/* of noam */
	int64_t warmup, total;	/* updates; total: when linear reaches 0 */
	int64_t width;		/* of the model, for noam */
};

/*
 * constant, plateau: lr, after a linear warm-up from lr_init if there is one
 * inverse_sqrt:      the same warm-up, then lr * sqrt(warmup / s)
 * linear:            the same warm-up, then straight down to 0 behind update total
 * noam:              factor * width^-1/2 * min(s^-1/2, s * warmup^-3/2)
 *                    (Vaswani et al. 2017, equation 3)
 */
double schedule_rate(const struct schedule *s, int64_t update);

/* "constant", "inverse_sqrt", "noam", "linear", "plateau", NULL: in the order of the enum. */
extern const char *const schedule_names[];

#endif
