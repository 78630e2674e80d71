/*
 * curve-set: pruning curves of several models, compared with the random orders of each model.
 *
 * A stream of head-curve(1) or token-curve(1) holds the curves of one model.  The area of a curve
 * is its mean height: the area under the straight lines from point to point, divided by the number
 * of heads or, for deleted tokens, by the percentage of tokens.  Each measure is compared with the
 * random orders of the same model; the difference is its area minus their mean area.  Over models,
 * such as one for each seed, the mean difference has a 95% confidence interval by Student's t.
 */
#ifndef CURVE_SET_H
#define CURVE_SET_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "base/err.h"
#include "stream/stream.h"

/* Of heads: the loss, lower is better; BLEU.  Of tokens: the drop of the log-probability. */
enum curve_score { CURVE_NLL, CURVE_BLEU, CURVE_DROP, CURVE_SCORES };

struct curve {
	char *order;
	double *y[CURVE_SCORES];	/* [n_points]; NAN if missing */
	size_t n, room;			/* points so far */
};

struct curve_set {
	char *site;			/* the same for all models */
	int64_t heads;			/* 0: curves of deleted tokens, points in percent */
	int64_t *retained;		/* [n_points], falling */
	size_t n_points, point_room;
	struct curve_model { char *name; struct curve *curve; size_t n, room; } *model;
	size_t n, room;
};

void curve_set_init(struct curve_set *s);
void curve_set_release(struct curve_set *s);

/*
 * Reads the curves of a model.  Returns -1 with EXIT_INPUT if the stream is malformed, or if its
 * site or its points differ from those of earlier models, or if all its curves are those of one of
 * them.
 */
int curve_set_read(struct curve_set *s, struct reader *in, struct err *e) MUST_USE;

/*
 * Returns -1 with EXIT_INPUT if a model has a score, but no random orders with it, although another
 * model has: areas and differences would be means over different models.
 */
int curve_set_check(const struct curve_set *s, struct err *e) MUST_USE;

/* Whether any curve has all its points of this score. */
bool curve_set_has(const struct curve_set *s, enum curve_score score);
/* The curve of an order whose name has n bytes, or NULL. */
struct curve *curve_find(const struct curve_model *m, const char *order, size_t n);
/* Whether the order is named random.SEED. */
bool curve_is_random(const char *order);
/* The area of a curve; NAN if a point is missing. */
double curve_area(const struct curve_set *s, const struct curve *c, enum curve_score score);

/*
 * Statistics of the n random orders of a model, of their areas or of their values at a point.
 * Without random orders n is 0 and the rest NAN.
 */
struct curve_band { size_t n; double mean, low, high, median; };
struct curve_band curve_band_of_areas(const struct curve_set *s, size_t model,
				      enum curve_score score);
struct curve_band curve_band_at(const struct curve_set *s, size_t model, enum curve_score score,
				size_t point);

/* A measure compared with random orders, over the models that have it; see curve_set_check(). */
struct curve_result {
	const char *order;
	size_t models;
	double area;			/* mean over the models */
	double difference, low, high;	/* low and high are NAN for one model */
	size_t better, worse;		/* models in which it is better or worse than all random
					 * orders */
};

/*
 * 1 if the order is better than random orders: the interval of the difference is on the better
 * side of 0, or, with one model, r->better is 1.  -1 if it is worse, 0 if undecided.
 */
int curve_result_verdict(const struct curve_result *r, enum curve_score score);

/* The orders that are not random, in order of first appearance; the caller frees the array. */
const char **curve_orders(const struct curve_set *s, size_t *n);
struct curve_result curve_result_of(const struct curve_set *s, const char *order,
				    enum curve_score score);

/* Appends a table of all results. */
void curve_set_tsv(const struct curve_set *s, struct buf *out);
void curve_set_markdown(const struct curve_set *s, struct buf *out);
/* Appends the input of heed-plot(1). */
void curve_set_plot(const struct curve_set *s, struct buf *out);

#endif
