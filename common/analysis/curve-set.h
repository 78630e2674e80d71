/*
 * curve-set: pruning curves of several models, compared with the random orders of each model.
 *
 * A pruning curve is the score of a model as a function of the number of retained heads.  A stream
 * of head-curve(1) has the curves of one model, one for each order in which heads are masked.  A
 * stream of token-curve(1) has the curves of one model as source or target tokens are deleted; its
 * points are percentages of tokens.
 *
 * The area of a curve is its mean height: the area under the straight lines from point to point,
 * divided by the distance from the first point to the last.  The height of a point is its score.
 * For losses, unless `limit` is 0, the height is the loss minus the loss of the whole model, but at
 * most `limit`: otherwise models that no longer translate, whose losses are several nats, would
 * dominate the area.
 *
 * The order by a measure is compared with the random orders of the same model: the difference is
 * the area of the measure's curve minus the mean area of the random curves.  The mean difference
 * over several models, such as models trained with different seeds, has a 95% confidence interval
 * and a p-value by Student's t.  The p-values of all measures are adjusted together by Holm's
 * method, separately for each score.
 */
#ifndef CURVE_SET_H
#define CURVE_SET_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "base/err.h"
#include "exchange/table.h"
#include "stream/stream.h"

/*
 * CURVE_NLL is the loss of a model without some heads, in nats per target token; lower is better.
 * CURVE_BLEU is the BLEU score of such a model, from 0 to 100; higher is better.  CURVE_DROP is the
 * drop of the log-probability of the target when tokens are deleted; higher is better.
 */
enum curve_score { CURVE_NLL, CURVE_BLEU, CURVE_DROP, CURVE_SCORES };
extern const char *const curve_scores[];	/* the names of their fields: nll, bleu, drop */

struct curve {
	char *order;			/* name of the order: a measure, or random.SEED */
	double (*y)[CURVE_SCORES];	/* [n_points] the scores at each point; NAN if missing */
	size_t n, room;			/* n: number of points read so far */
};

/* Zero-initialize it. */
struct curve_set {
	char *signature;		/* of the streams so far (stream/signature.h), NULL:
					 * unknown */
	char *site;			/* the kind of attention whose heads are masked, or the side
					 * whose tokens are deleted; the same for all models */
	int64_t heads;			/* number of heads that may be masked; 0: curves of deleted
					 * tokens */
	int64_t *retained;		/* [n_points] the points: numbers of retained heads, or
					 * percentages of retained tokens, in falling order */
	size_t n_points, point_room;
	double limit;			/* maximum height of a loss, in nats; set by the caller; 0:
					 * the height of a loss is the loss itself */
	struct curve_model { char *name; struct curve *curve; size_t n, room; } *model;
	size_t n, room;
};

void curve_set_release(struct curve_set *s);

/*
 * Reads the curves of one model from a stream and adds the model to `s`.  Returns -1 with
 * EXIT_INPUT if the stream is malformed, if the kind of attention, the number of heads or the
 * points differ from those of earlier models, or if the model equals an earlier one in all curves
 * that both have.  Warns if the signature differs from that of earlier streams.
 */
int curve_set_read(struct curve_set *s, struct reader *reader, struct err *e) MUST_USE;

/*
 * Returns -1 with EXIT_INPUT if one model has random orders with a score, and another model has the
 * score only for other orders.  The mean area and the mean difference would then be over different
 * models.
 */
int curve_set_check(const struct curve_set *s, struct err *e) MUST_USE;

/* Whether any curve of any model has this score at all its points. */
bool curve_set_has(const struct curve_set *s, enum curve_score score);
/* The curve of the order whose name is the `n` bytes at `order`; NULL if there is no such curve. */
struct curve *curve_find(const struct curve_model *m, const char *order, size_t n);
/* Whether the name of the order begins with "random.". */
bool curve_is_random(const char *order);
/* The area of a curve, in the unit of the score; NAN if the score is missing at a point. */
double curve_area(const struct curve_set *s, const struct curve *c, enum curve_score score);

/*
 * Statistics over the `n` random orders of a model that have the score.  The first function returns
 * those of the areas, the second those of the scores at a point.  `low` and `high` are the minimum
 * and the maximum.  `model` is an index of s->model, and `point` one of s->retained.  Without
 * random orders, `n` is 0 and the other members are NAN.
 */
struct curve_band { size_t n; double mean, low, high, median; };
struct curve_band curve_band_of_areas(const struct curve_set *s, size_t model,
				      enum curve_score score);
struct curve_band curve_band_at(const struct curve_set *s, size_t model, enum curve_score score,
				size_t point);

/* The comparison of one order with random orders, over the models that have the order. */
struct curve_result {
	const char *order;		/* its name, which belongs to the struct curve_set */
	size_t models;			/* number of models in which the order has the score */
	double area;			/* mean over these models */
	double difference, low, high;	/* mean difference and its confidence interval, which is
					 * NAN for one model */
	double p, adjusted;		/* p-value of a two-sided t test, NAN for one model; this
					 * p-value adjusted by Holm's method */
	size_t better, worse;		/* number of models in which the order is better, or worse,
					 * than all random orders */
};

/*
 * Returns 1 if the order is better than random orders, that is, if the adjusted p-value is below
 * 0.05, the mean difference has the sign of better scores, and in each model the order is better
 * than all random orders.  Returns -1 if the order is worse by the same three conditions.
 * Otherwise, and always with one model, returns 0.
 */
int curve_result_verdict(const struct curve_result *r, enum curve_score score);

/*
 * Returns the names of the orders that are not random, in order of first appearance, and sets *n to
 * their number.  The caller frees the array; the names belong to `s`.
 */
const char **curve_orders(const struct curve_set *s, size_t *n);
/*
 * Returns the results of the orders that have this score and are not random, in the order of
 * curve_orders(), and sets *n to their number.  The caller frees the array.
 */
struct curve_result *curve_results(const struct curve_set *s, enum curve_score score, size_t *n);

/*
 * These append curve_results() of all scores; the last row of each score is that of the random
 * orders, if there are any.  The first function appends one table of tab-separated values; the
 * second appends a table for each score, in Markdown or LaTeX.
 */
void curve_set_tsv(const struct curve_set *s, struct buf *out);
void curve_set_layout(const struct curve_set *s, enum table_layout layout, struct buf *out);
/* Appends the curves as input of heed-plot(1). */
void curve_set_plot(const struct curve_set *s, struct buf *out);

#endif
