/*
 * deletion-curve: deletion curves of token attributions.
 *
 * An attribution ranks the source tokens of a sentence by their contribution to the prediction at a
 * target position.  The tokens are deleted, most relevant first, and the drop of the
 * log-probability of the predicted token is measured.  The faster it falls, the better the
 * attribution explains the model.  curve-set.h takes the mean drop over the curve by the trapezoid
 * rule.  It differs slightly from the area over the perturbation curve, the plain mean over the
 * points (AOPC; Samek et al. 2017, Evaluating the visualization of what a deep neural network has
 * learned, equation 12; for text Nguyen 2018, Comparing automatic and human evaluation of local
 * explanations for text classification).  A deleted token becomes <unk>, so that positions and
 * trees stay as they are.  Random orders are the baseline.
 */
#ifndef DELETION_CURVE_H
#define DELETION_CURVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/buf.h"
#include "model/model.h"
#include "stream/stream.h"

struct deletion_curve {
	/* Set by the caller. */
	struct model *m;
	struct tape *tape;
	int n_methods, n_random;	/* orders are numbered from 0: first the methods, then the
					 * random orders */
	const char *const *method;	/* [n_methods] names */
	int n_points;			/* number of points, without the one with all tokens */
	int per_sentence;		/* number of target positions of a sentence to test, which
					 * are drawn at random */
	uint64_t seed;			/* of the positions; random order i has the seed `seed` +
					 * i */

	double *drop;			/* [orders, points] sums over positions, in nats */
	int64_t sentences, positions;
	struct arena mem;		/* memory that is reused for each sentence */
};

/* A copy of the field relevance.src: the attribution of a sentence by one method. */
struct token_relevance {
	int rows, columns;		/* target positions, source tokens */
	float *x;			/* [rows, columns] */
};

void deletion_curve_begin(struct deletion_curve *c);
void deletion_curve_release(struct deletion_curve *c);

/*
 * Returns -1 with EXIT_INPUT if the stream has contrastive attributions (head-lrp --against), which
 * explain a difference of two tokens and not the prediction.
 */
int token_relevance_check(struct reader *reader, struct err *e) MUST_USE;
/*
 * Reads relevance.src into `mem`.  Returns 0, 1 if the record lacks it because head-lrp(1) left the
 * sentence out or if its source is empty, or -1 with EXIT_INPUT.
 */
int token_relevance_read(struct token_relevance *r, const struct record *rec, struct arena *mem,
			 struct err *e) MUST_USE;
/*
 * Adds a sentence with its attributions by all methods.  `method` [n_methods] are the attributions.
 * `rec` must have the field tgt.pieces, the target that the decoder reads, and the field
 * relevance.best.  `number` is its number in the stream, from 0.  Returns -1 with EXIT_INPUT if the
 * attributions do not fit the sentence or the model.
 */
int deletion_curve_add(struct deletion_curve *c, const struct record *rec, int64_t number,
		       const struct token_relevance *method, struct err *e) MUST_USE;

/* The mean drop of the log-probability at a point, in nats.  Point 0 is the one with all tokens. */
double deletion_curve_drop(const struct deletion_curve *c, int order, int point);
/* The percentage of retained tokens at a point. */
int deletion_curve_retained(const struct deletion_curve *c, int point);

/* Output: a record, or a line of tab-separated values, for each point of each order, and notes. */
extern const struct field deletion_curve_fields[];
int deletion_curve_put(const struct deletion_curve *c, struct writer *out, struct err *e) MUST_USE;
void deletion_curve_tsv(const struct deletion_curve *c, struct buf *out);

#endif
