/*
 * head-logits: direct logit attribution of the heads of the decoder.
 *
 * A head of the decoder adds a contribution to the residual stream: its output times the part of
 * the output projection that reads the head.  On the way to the logits, the contribution passes
 * through the residual connections and the normalizations.  These follow each sublayer in a
 * post-norm model, and only the last layer in a pre-norm model.  If the standard deviation (or root
 * mean square) of each row is fixed at its value in the run, a normalization is a linear map plus a
 * bias.  Thus
 *
 *	logit(head, row) = (w_y - mean of w_v over v) J_row W_head z_row
 *
 * where z is the head's output as the output projection reads it, and W_head the part of the output
 * projection that reads it.  J is the product of the linear maps from the sum after the sublayer to
 * the decoder output, w_v the row of the output layer for vocabulary entry v, and y the target
 * token of the row.  The mean is over all entries v whose probability is not 0.
 *
 * The value is the head's direct part of the difference between the logit of the target token and
 * the mean logit.  What later layers compute from the head's contribution is not included.  The
 * parts of the heads, feed-forward layers, biases and embeddings of the decoder sum to that
 * difference.  The measure of a head is the sum of its values over the target tokens and the ends
 * of sentences, divided by their number.  Target tokens that the model's output_mask excludes, and
 * which therefore have probability 0, are left out.
 *
 * Heads of the encoder have no measure, because they write to another residual stream.  Neither
 * have heads of a site (attention layer) at which an attention variant mixes the heads or replaces
 * the output projection.
 *
 * Sources: Elhage et al. 2021, A mathematical framework for transformer circuits (contributions to
 * the residual stream); Wang et al. 2023, Interpretability in the wild, section 3 (logits, the
 * scale of the final norm taken as it is in the run).  The models of both papers are pre-norm;
 * here, the normalizations after the sublayers of post-norm models are treated like the final norm.
 *
 * The cost is D^2 multiplications for each target row and site of the decoder, where D is the width
 * of the model.  No further pass through the model is needed.
 */
#ifndef HEAD_LOGITS_H
#define HEAD_LOGITS_H

#include "analysis/head-table.h"
#include "data/batch.h"
#include "model/model.h"
#include "scores/ratio-error.h"

struct head_logits {
	const struct model *m;
	double *mean;			/* [D] mean of the rows of the output layer */
	double *sum;			/* [heads of all sites], in the order of
					 * attention/attention-heads.h: sum of the values over
					 * `tokens` */
	bool errors;			/* measure standard errors over sentences, too;
					 * head_logits_begin() sets it to false, the caller may then
					 * set it to true */
	struct ratio_error *error;	/* [heads of all sites]; zeros unless `errors` is true */
	int64_t tokens;			/* number of target tokens and ends of sentences so far,
					 * without those that have probability 0 */
};

/*
 * Overwrites *x.  `m` must outlive `x`, and the values of its parameters must not change until
 * head_logits_release().
 */
void head_logits_begin(struct head_logits *x, const struct model *m);
/* `x` may be all zeros. */
void head_logits_release(struct head_logits *x);
/*
 * Adds a batch that has just passed through model_loss() (model/model.h) on tape `t`.  `nll` is the
 * node that model_loss() stored through its last argument.  The tape must not have been rewound
 * since.
 */
void head_logits_add(struct head_logits *x, struct tape *t, const struct batch *b,
		     const struct node *nll);
/*
 * Sets the column "logit" of the heads that have the measure and, if x->errors is true,
 * "logit.error".
 */
void head_logits_fill(const struct head_logits *x, struct head_table *t);

#endif
