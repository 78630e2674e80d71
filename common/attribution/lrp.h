/*
 * lrp: layer-wise relevance propagation (LRP) through a model.
 *
 * For each target position of a sentence, LRP computes how much each head, each source token and
 * each earlier target token contribute to the prediction: their relevance.  The model first
 * processes the sentence with its target once, teacher-forced, without dropout.  Then, separately
 * for every target position, relevance 1 is assigned to the logit of the most probable token and
 * propagated back through the whole model to the embeddings.  The relevance that arrives there must
 * sum to 1, except for the part that is absorbed on the way.  op(3) describes the rules of
 * propagation.  Voita et al. 2019, section 4, rank heads by LRP in this way.
 */
#ifndef LRP_H
#define LRP_H

#include <stdint.h>

#include "base/arena.h"
#include "model/model.h"
#include "tape/op.h"

/*
 * The result for a sentence.  T is the number of target positions, S that of source tokens, and H
 * that of the heads at all sites (attention layers).
 */
struct lrp_sentence {
	int positions;			/* T, the end token included */
	int source_tokens;		/* S, with the end token if the model adds one */
	int *token;			/* [T] id of the token at whose logit relevance starts */
	bool *none;			/* [T] whether this token is the foil (lrp_tracer.foil), so
					 * that the position has no relevance; NULL: all positions
					 * have relevance */
	/*
	 * [T, H] the relevance of the output of each head, summed over rows and elements, with
	 * heads in the order of attention/attention-heads.h.
	 */
	double *head;
	/*
	 * The relevance of the source tokens [T, S], and of the tokens that the decoder reads [T,
	 * T].
	 */
	double *src, *tgt;
	/*
	 * Maxima over all positions.  `absorbed` is the relevance that, with the rules epsilon and
	 * AttnLRP, is absorbed by the term eps of denominators, biases and softmaxes.  `lost` is
	 * the difference between 1 and the sum of the absorbed and the arrived relevance; its cause
	 * is rounding.  `error` is `lost` divided by a magnitude of relevance, see lrp_tolerance().
	 * For other methods, only `error` is set, and only if their attributions must sum to 1: it
	 * is the maximum difference between their sum and 1.
	 */
	double absorbed, lost, error;
	double gap;			/* for integrated gradients, the method with steps: maximum
					 * over positions of the difference between the sum of the
					 * attributions and the difference of logits that they
					 * explain; 0 is best */
};

/* Sets *largest to `x` if `x` is larger; NaN counts as larger than all numbers. */
void lrp_keep_largest(double *largest, double x);

struct lrp_job {
	const struct record *rec;	/* the sentence; must have tgt.pieces or tgt */
	int64_t number;			/* index of the record in its stream, from 0 */
	struct lrp_sentence out;
};

struct lrp_stream;
struct lrp_method;

struct lrp_tracer {
	struct model *model;
	const struct pass *pass;
	struct lrp how;
	double tolerance;		/* the result of lrp_tolerance() */
	const struct lrp_method *method;	/* result of lrp_method_of(); NULL: relevance
						 * propagation */
	/*
	 * The id of a target token with which the prediction is contrasted: relevance starts at the
	 * logit of the most probable token minus the logit of the foil (Yin and Neubig 2022,
	 * Interpreting language models with contrastive explanations, section 3).  lrp_init() sets
	 * -1: no foil.
	 */
	int foil;
	int steps;			/* number of steps of integrated gradients; lrp_init() sets
					 * LRP_STEPS */
	bool cut;			/* truncate sentences that are too long; otherwise, they are
					 * an error */
	size_t heads;			/* H */
	real *gates;			/* private: [H] all 1 */
	struct lrp_stream *stream;	/* [n_streams] private to lrp.c */
	int n_streams;
};

/*
 * Further values of lrp.rule (tape/op.h), for methods other than relevance propagation.  These
 * compute only attributions of tokens (method.h), and ignore the other members of struct lrp.
 */
enum {
	RULE_ALTI = LRP_ATTNLRP + 1, RULE_CHEFER, RULE_VALUE_ZEROING, RULE_INTEGRATED_GRADIENTS,
	RULE_ROLLOUT
};
enum { LRP_STEPS = 20 };
const struct lrp_method *lrp_method_of(int rule);	/* the method of a rule; NULL: relevance
							 * propagation */

/* Names of the values of lrp.rule, lrp.norm and lrp.bias, for options; each ends with NULL. */
extern const char *const lrp_rules[], *const lrp_norms[], *const lrp_biases[];
/*
 * Returns the default settings of a rule: eps, alpha = beta = 1/2, and the treatment of
 * normalizations and of biases.
 */
struct lrp lrp_defaults(int rule);

/*
 * The largest value of lrp_sentence.error that is accepted.  The error is lrp_sentence.lost divided
 * by the largest sum of magnitudes of relevance that an op has propagated, if this sum is more than
 * 1.  The reason is that, with the epsilon rule, large relevances of both signs cancel.
 */
double lrp_tolerance(void);

/*
 * Overwrites *t.  `lrp` has the settings, and its rule determines the method.  `t` uses the back
 * end and the thread pool of `p`.  `m` and `p` must outlive `t`.  The gates of `m` (model_gate() in
 * model/model.h) are 1 until lrp_release().  For a method with gradients, model_gate_gradients() is
 * called.
 */
void lrp_init(struct lrp_tracer *t, struct model *m, const struct pass *p, const struct lrp *lrp);
void lrp_release(struct lrp_tracer *t);

/*
 * Computes the results of `n` jobs, on all threads; they are valid until the next call.  Returns -1
 * with EXIT_INPUT if a record does not fit the model or the method fails, for example because of an
 * attention variant, and with EXIT_SYSTEM if lrp_sentence.error exceeds the tolerance; the message
 * names the record.
 */
int lrp_trace(struct lrp_tracer *t, struct lrp_job *job, int n, struct err *e) MUST_USE;

#endif
