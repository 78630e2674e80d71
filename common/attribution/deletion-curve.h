/*
 * deletion-curve: deletion curves, which tell how well token attributions explain a model.
 *
 * An attribution ranks the source tokens of a sentence by their contribution to the prediction at a
 * target position.  The tokens are deleted, most relevant first, and the drop of the
 * log-probability of the predicted token is measured.  The faster the log-probability falls, the
 * better the attribution explains the model.  The mean drop over the curve is computed by the
 * trapezoid rule (analysis/curve-set.h).  The area over the perturbation curve is slightly
 * different: the plain mean over the points (AOPC; Samek et al. 2017, Evaluating the visualization
 * of what a deep neural network has learned, equation 12; for text Nguyen 2018, Comparing automatic
 * and human evaluation of local explanations for text classification).  A deleted token is replaced
 * by <unk>, so that positions and dependency trees do not change.  Random orders are the baseline.
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
	/* Set by the caller before deletion_curve_begin(); the pointers must outlive the struct. */
	struct model *m;
	struct tape *tape;
	int n_methods, n_random;	/* number of attribution methods, and of random orders;
					 * orders are numbered from 0, first those of the methods,
					 * then the random ones */
	const char *const *method;	/* [n_methods] names of the methods */
	int n_points;			/* number of points, not counting the point with all
					 * tokens */
	int per_sentence;		/* number of target positions to test in each sentence,
					 * drawn at random */
	uint64_t seed;			/* seed for drawing positions; random order i, from 0, has
					 * the seed `seed` + i */

	double *drop;			/* [orders, points] sum of the drops over `positions`, in
					 * nats */
	int64_t sentences, positions;
	struct arena mem;		/* memory for the current sentence */
};

/* The attribution of a sentence by one method, a copy of the field relevance.src of head-lrp(1). */
struct token_relevance {
	int rows, columns;		/* number of target positions, and of source tokens */
	float *x;			/* [rows, columns] */
};

void deletion_curve_begin(struct deletion_curve *c);
void deletion_curve_release(struct deletion_curve *c);

/*
 * Returns -1 with EXIT_INPUT if the stream has contrastive attributions (head-lrp --against), which
 * explain the difference of the logits of two tokens instead of the prediction.
 */
int token_relevance_check(struct reader *reader, struct err *e) MUST_USE;
/*
 * Reads the field relevance.src of a record, with the elements in `mem`.  Returns 0, or 1 if the
 * record does not have the field because head-lrp(1) left the sentence out, or if the source is
 * empty.  Returns -1 with EXIT_INPUT if the field is malformed.
 */
int token_relevance_read(struct token_relevance *r, const struct record *rec, struct arena *mem,
			 struct err *e) MUST_USE;
/*
 * Adds a sentence.  `method` [n_methods] has its attributions by all methods.  `rec` must have the
 * field tgt.pieces, the target that the decoder reads, and the field relevance.best, the predicted
 * tokens.  `number` is the number of the record in the stream, from 0.  The end token and a first
 * token that the model adds are never deleted; a sentence without other source tokens is left out,
 * and not counted.  Returns -1 with EXIT_INPUT if the attributions do not fit the sentence or the
 * model.
 */
int deletion_curve_add(struct deletion_curve *c, const struct record *rec, int64_t number,
		       const struct token_relevance *method, struct err *e) MUST_USE;

/*
 * The mean drop of the log-probability at a point, in nats.  Point 0 is that with all tokens; there
 * the drop is 0.
 */
double deletion_curve_drop(const struct deletion_curve *c, int order, int point);
/* The percentage of source tokens that are not deleted at a point. */
int deletion_curve_retained(const struct deletion_curve *c, int point);

/*
 * deletion_curve_fields has the fields of the records.  The first function writes a record for each
 * point of each order, and notes.  The second one appends tab-separated values: a line of column
 * names, and a line for each point of each order.
 */
extern const struct field deletion_curve_fields[];
int deletion_curve_put(const struct deletion_curve *c, struct writer *out, struct err *e) MUST_USE;
void deletion_curve_tsv(const struct deletion_curve *c, struct buf *out);

#endif
