/*
 * head-logits: direct logit attribution of the heads of the decoder.
 *
 * A head of the decoder adds its contribution to the residual stream: the part of the output
 * projection that reads the head, times the head's output.  The contribution passes to the logits
 * along the residual connections and through all normalizations on the way, which follow the
 * sublayers of a post-norm model and the last layer of a pre-norm model.  With the standard
 * deviation (or root mean square) of each row as it is in the run, a normalization is linear but
 * for its bias.  Thus
 *
 *	logit(head, row) = (w_y - mean of w_v over v) J_row W_head z_row
 *
 * where z is the head's output as the output projection reads it, J the product of these linear
 * maps from the sum after the sublayer to the decoder output, w the rows of the output layer, y the
 * target token of the row and v all vocabulary entries whose probability is not 0.  It is the
 * direct part of the logit of the target token minus the mean logit; what later layers compute from
 * the head's contribution is not in it.  The parts of the heads, feed-forward layers, biases and
 * embeddings of the decoder sum to that difference of logits.  The measure is the sum over the
 * target tokens, with the end of each sentence, divided by their number.  Target tokens with
 * probability 0 (output_mask) are left out.
 *
 * Heads of the encoder have no measure, because they write to another residual stream; nor have the
 * heads of a site where a variant mixes the heads or replaces the output projection.
 *
 * Sources: Elhage et al. 2021, A mathematical framework for transformer circuits (contributions to
 * the residual stream); Wang et al. 2023, Interpretability in the wild, section 3 (logits, the
 * scale of the final norm taken as it is in the run).  Both have pre-norm models; the norms after
 * sublayers are treated in the same way here.
 *
 * The cost is that of D^2 multiplications for each target row and site; no pass of the model.
 */
#ifndef HEAD_LOGITS_H
#define HEAD_LOGITS_H

#include "analysis/head-table.h"
#include "data/batch.h"
#include "model/model.h"
#include "scores/ratio-error.h"

struct head_logits {
	const struct model *m;
	double *mean;			/* [D] mean row of the output layer */
	double *sum;			/* [heads of all sites] over these tokens */
	bool errors;			/* standard errors over sentences, too; set by the caller
					 * after head_logits_begin(), which sets it to false */
	struct ratio_error *error;	/* [heads of all sites] zeros without errors */
	int64_t tokens;			/* number of target tokens so far, without those that have
					 * probability 0 */
};

/*
 * Overwrites x.  m must outlive it, and the values of the parameters must not change until
 * head_logits_release().
 */
void head_logits_begin(struct head_logits *x, const struct model *m);
/* x may be all zeros. */
void head_logits_release(struct head_logits *x);
/*
 * Adds a batch that has just been passed through model_loss().  `nll` is the node that model_loss()
 * stored through its last argument; its tape must not have been rewound.
 */
void head_logits_add(struct head_logits *x, const struct batch *b, const struct node *nll);
/* Fills the column "logit", and with errors "logit.error", of the heads that have the measure. */
void head_logits_fill(const struct head_logits *x, struct head_table *t);

#endif
