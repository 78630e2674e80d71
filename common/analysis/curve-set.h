/*
 * curve-set: pruning curves of several models, compared with the random orders of each.
 *
 * A stream of head-curve(1) is the curves of a model.  The area of a curve is its mean height: the
 * area below the straight lines from point to point, divided by the number of heads.  A measure is
 * compared with the random orders of the same model, difference = its area less the mean area of
 * these; over models, such as one for each seed, the mean of the differences has a 95 % interval
 * by Student's t.
 */
#ifndef CURVE_SET_H
#define CURVE_SET_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "base/err.h"
#include "stream/stream.h"

enum curve_score { CURVE_NLL, CURVE_BLEU, CURVE_SCORES };

struct curve {
	char *order;
	double *y[CURVE_SCORES];	/* [n_points]; NAN: not there */
	size_t n, room;			/* points so far */
};

struct curve_set {
	char *site;			/* the same of all */
	int64_t heads;
	int64_t *retained;		/* [n_points], falling */
	size_t n_points, point_room;
	struct curve_model { char *name; struct curve *curve; size_t n, room; } *model;
	size_t n, room;
};

void curve_set_init(struct curve_set *s);
void curve_set_release(struct curve_set *s);

/* Adds a model.  -1 and EXIT_INPUT if its site or its points are others than those before. */
int curve_set_read(struct curve_set *s, struct reader *in, struct err *e) MUST_USE;

bool curve_set_has(const struct curve_set *s, enum curve_score score);
/* NULL: it has none. */
struct curve *curve_find(const struct curve_model *m, const char *order, size_t n);
bool curve_is_random(const char *order);		/* random.SEED */
/* NAN if a point is missing. */
double curve_area(const struct curve_set *s, const struct curve *c, enum curve_score score);

/* What random orders of a model have; n 0: none, and all else NAN. */
struct curve_band { size_t n; double mean, low, high, median; };
struct curve_band curve_band_of_areas(const struct curve_set *s, size_t model,
				      enum curve_score score);
struct curve_band curve_band_at(const struct curve_set *s, size_t model, enum curve_score score,
				size_t point);

/* A measure over the models that have it, and random orders. */
struct curve_result {
	const char *order;
	size_t models;
	double area;			/* mean over the models */
	double difference, low, high;	/* low, high NAN for one model */
	size_t better, worse;		/* models in which it is outside of all random orders */
};

/* The orders that are not random, in the order in which they first come: an array to be freed. */
const char **curve_orders(const struct curve_set *s, size_t *n);
struct curve_result curve_result_of(const struct curve_set *s, const char *order,
				    enum curve_score score);

/* Tables of all results. */
void curve_set_tsv(const struct curve_set *s, struct buf *out);
void curve_set_markdown(const struct curve_set *s, struct buf *out);
/* Lines for heed-plot(1). */
void curve_set_plot(const struct curve_set *s, struct buf *out);

#endif
