/*
 * curve-set: pruning curves of several models, compared with the random orders of each model.
 *
 * A stream of head-curve(1) or token-curve(1) holds the curves of one model.  The area of a curve
 * is its mean height: the area under the straight lines from point to point, divided by the number
 * of heads or, for deleted tokens, by the percentage of tokens.  The height of a loss is the loss
 * minus that of the whole model, but at most `limit`: otherwise the losses of several nats of
 * models that no longer translate would dominate the area.
 *
 * Each measure is compared with the random orders of the same model; the difference is its area
 * minus their mean area.  Over models, such as one for each seed, the mean difference has a 95%
 * confidence interval and a p-value by Student's t; p is adjusted over all measures of a score by
 * Holm's method.
 */
#ifndef CURVE_SET_H
#define CURVE_SET_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "base/err.h"
#include "stream/stream.h"

/*
 * CURVE_NLL, the loss, and CURVE_BLEU are scores of models without some heads; lower losses are
 * better.  CURVE_DROP is the drop of the log-probability without some tokens; higher is better.
 */
enum curve_score { CURVE_NLL, CURVE_BLEU, CURVE_DROP, CURVE_SCORES };

struct curve {
	char *order;			/* the name of the order: a measure, or random.SEED */
	double *y[CURVE_SCORES];	/* [n_points]; NAN if missing */
	size_t n, room;			/* points so far */
};

struct curve_set {
	char *signature;		/* of the streams so far, NULL: unknown */
	char *site;			/* the same for all models */
	int64_t heads;			/* 0: curves of deleted tokens, points in percent */
	int64_t *retained;		/* [n_points] numbers of retained heads, or percentages of
					 * tokens, in falling order */
	size_t n_points, point_room;
	double limit;			/* set by the caller: the limit of heights of losses, in
					 * nats; 0: heights are the losses themselves, without a
					 * limit */
	struct curve_model { char *name; struct curve *curve; size_t n, room; } *model;
	size_t n, room;
};

void curve_set_init(struct curve_set *s);
void curve_set_release(struct curve_set *s);

/*
 * Reads the curves of a model.  Returns -1 with EXIT_INPUT if the stream is malformed, or if its
 * site or its points differ from those of earlier models, or if all its curves are equal to those
 * of an earlier model.  Warns if its signature differs.
 */
int curve_set_read(struct curve_set *s, struct reader *reader, struct err *e) MUST_USE;

/*
 * Returns -1 with EXIT_INPUT if a model has a score, but no random orders with it, although another
 * model has them: areas and differences would be means over different models.
 */
int curve_set_check(const struct curve_set *s, struct err *e) MUST_USE;

/* Whether any curve has this score at all its points. */
bool curve_set_has(const struct curve_set *s, enum curve_score score);
/* The curve of an order whose name has n bytes, or NULL. */
struct curve *curve_find(const struct curve_model *m, const char *order, size_t n);
/* Whether the order is named random.SEED. */
bool curve_is_random(const char *order);
/* The area of a curve; NAN if a point is missing. */
double curve_area(const struct curve_set *s, const struct curve *c, enum curve_score score);

/*
 * Statistics of the n random orders of a model, of their areas or of their values at a point.
 * `low` and `high` are the minimum and the maximum.  Without random orders n is 0 and the rest NAN.
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
	double p, adjusted;		/* of a two-sided t test, NAN for one model; p adjusted by
					 * Holm's method */
	size_t better, worse;		/* models in which it is better or worse than all random
					 * orders */
};

/*
 * Returns 1 if the order is better than random orders: the adjusted p is below 0.05, the difference
 * is on the better side of 0, and in each model it is better than all random orders.  Returns -1 if
 * it is worse in the same way, and 0 if this is undecided, as with one model.
 */
int curve_result_verdict(const struct curve_result *r, enum curve_score score);

/* The orders that are not random, in order of first appearance; the caller frees the array. */
const char **curve_orders(const struct curve_set *s, size_t *n);
/* The results of the n orders that have this score; the caller frees the array. */
struct curve_result *curve_results(const struct curve_set *s, enum curve_score score, size_t *n);

/* Append a table of the results of all scores: tab-separated, in Markdown, and for LaTeX. */
void curve_set_tsv(const struct curve_set *s, struct buf *out);
void curve_set_markdown(const struct curve_set *s, struct buf *out);
void curve_set_latex(const struct curve_set *s, struct buf *out);
/* Appends the input of heed-plot(1). */
void curve_set_plot(const struct curve_set *s, struct buf *out);

#endif
