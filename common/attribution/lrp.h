/*
 * lrp: layer-wise relevance propagation through a model.
 *
 * For each token of a translation it computes the relevance of every head, every source token and
 * every earlier target token.  The model reads a sentence with its target once, teacher-forced,
 * without dropout.  Then, at every target position, relevance 1 is assigned to the logit of the
 * most probable token and propagated through the whole model back to the embeddings, where all of
 * it must arrive.  The rules are those of op(3); Voita et al. 2019, section 4, use LRP in this way
 * to rank heads.
 */
#ifndef LRP_H
#define LRP_H

#include <stdint.h>

#include "base/arena.h"
#include "model/model.h"
#include "tape/op.h"

/* The result for a sentence.  T: target positions, S: source tokens, H: heads of all sites. */
struct lrp_sentence {
	int positions;			/* T, the end token included */
	int source_tokens;		/* S, with the end token if the model adds one */
	int *token;			/* [T] the token where relevance starts */
	bool *none;			/* [T] whether the token is the foil, so that the position
					 * has no relevance; NULL: all positions have relevance */
	/*
	 * [T, H] the relevance of a head's output, summed over its rows and elements.  The heads of
	 * the first site come first (attention-heads.h).
	 */
	double *head;
	/* [T, S], [T, T]: the relevance of the source tokens, and of what the decoder reads. */
	double *src, *tgt;
	/*
	 * Maxima over all positions.  `absorbed` is the relevance that eps, biases and softmaxes
	 * absorb, with the rules epsilon and AttnLRP.  `lost` is the difference between 1 and the
	 * sum of absorbed and arrived relevance, which is rounding error.  `error` is `lost`,
	 * relative to the magnitudes of the propagated relevance; see lrp_tolerance().
	 */
	double absorbed, lost, error;
	double gap;			/* for methods with steps: the largest difference between
					 * the sum of the attributions and the difference of logits
					 * that they explain (completeness;
					 * integrated-gradients.c) */
};

/* Sets *largest to x if x is larger; NaN is the largest value. */
void lrp_keep_largest(double *largest, double x);

struct lrp_job {
	const struct record *rec;	/* with tgt.pieces or tgt */
	int64_t number;			/* index of the record in its stream, from 0 */
	struct lrp_sentence out;
};

struct lrp_stream;
struct lrp_method;

struct lrp_tracer {
	struct model *model;
	const struct pass *pass;
	struct lrp how;
	double tolerance;		/* from lrp_tolerance() */
	const struct lrp_method *method;	/* the method to run; NULL: relevance propagation */
	/*
	 * Relevance starts at the logit of the most probable token minus that of the foil, unless
	 * the foil is -1, as lrp_init() sets it (Yin and Neubig 2022, Interpreting language models
	 * with contrastive explanations, section 3).
	 */
	int foil;
	int steps;			/* number of steps of a method with steps; lrp_init() sets
					 * LRP_STEPS */
	bool cut;			/* cut sentences that are too long; otherwise an error */
	size_t heads;			/* H */
	real *gates;			/* [H] ones */
	struct lrp_stream *stream;	/* [n_streams] private to lrp.c */
	int n_streams;
};

/*
 * Values of the member rule for methods without relevance propagation, which compute only the
 * attributions of tokens (method.h).  The other members of struct lrp are unused.
 */
enum {
	RULE_ALTI = LRP_ATTNLRP + 1, RULE_CHEFER, RULE_VALUE_ZEROING, RULE_INTEGRATED_GRADIENTS,
	RULE_ROLLOUT
};
enum { LRP_STEPS = 20 };
const struct lrp_method *lrp_method_of(int rule);	/* NULL for relevance propagation */

/* Names of the members of struct lrp, for options; NULL ends. */
extern const char *const lrp_rules[], *const lrp_norms[], *const lrp_biases[];
/*
 * The default settings of a rule: eps, alpha = beta = 1/2, and the treatment of normalization and
 * of biases.
 */
struct lrp lrp_defaults(int rule);

/*
 * The maximum of lrp_sentence.error.  The error is the difference between 1 and the sum of arrived
 * and absorbed relevance.  It is divided by the largest sum of magnitudes that an op has propagated
 * if that is more than 1: with the epsilon rule, large relevances of both signs cancel.
 */
double lrp_tolerance(void);

/*
 * Initializes t.  The gates of m are 1 until lrp_release().  m and p remain the caller's; t uses
 * the back end and the thread pool of p.  A method with gradients calls model_gate_gradients().
 */
void lrp_init(struct lrp_tracer *t, struct model *m, const struct pass *p, const struct lrp *lrp);
void lrp_release(struct lrp_tracer *t);

/*
 * Computes n jobs on all threads; the results are valid until the next call.  Returns -1 with
 * EXIT_INPUT if a record does not fit the model, and with EXIT_SYSTEM if an error exceeds the
 * tolerance; both name the record.
 */
int lrp_trace(struct lrp_tracer *t, struct lrp_job *job, int n, struct err *e) MUST_USE;

#endif
