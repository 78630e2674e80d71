/*
 * head-losses: how much the loss depends on each head, and how much heads add to their layer.
 *
 * The loss is the negative log-likelihood of the target tokens and of the end of each sentence, in
 * nats, without label smoothing and without the losses that variants add.  Tokens with probability
 * 0 (output_mask) are left out, for gradients with their whole sentences.  Gates are those of
 * model_gate().
 *
 *	gradient	sum over sentences of |d loss / d gate| at gates of 1, divided by the number
 *			of target tokens (Michel, Levy and Neubig 2019, Are sixteen heads really
 *			better than one, equation 2, up to a constant factor)
 *	fisher		sum over sentences of (d loss / d gate)^2 at gates of 1, divided by the
 *			number of sentences: the diagonal of the empirical Fisher information of
 *			the gates (Kwon et al. 2022, A fast post-training pruning framework for
 *			transformers, equation 7)
 *	saliency	sum of the positive elements of attention weights times their gradients,
 *			divided by the number of target tokens; see head-saliency.h
 *	ablation	loss with the head's gate at 0 minus the loss with all gates at 1, divided
 *			by the number of target tokens
 *	ablation.bleu	BLEU of translations with all gates at 1 minus BLEU with the head's gate
 *			at 0, from 0 to 100 (gated-scores.h)
 *
 * With errors, each measure but ablation.bleu and Shapley values has its standard error over
 * sentences as MEASURE.error (scores/ratio-error.h).
 *
 * Gradient, Fisher information and saliency together cost as much as three forward passes for all
 * heads.  The ablation costs one pass, and one for each head, which begins at the head's output
 * (layer-pass.h).  For Shapley values see head-shapley.h.  BLEU costs one translation of the text
 * with all heads and one for each masked head.  Translations with the same encoder heads share the
 * encoder output and, while their tokens are the same, the first layers of the decoder
 * (gated-scores.h).
 */
#ifndef HEAD_LOSSES_H
#define HEAD_LOSSES_H

#include <stdbool.h>
#include <stdint.h>

#include "analysis/gated-scores.h"
#include "analysis/head-logits.h"
#include "analysis/head-norms.h"
#include "analysis/head-shapley.h"
#include "analysis/head-table.h"
#include "model/model.h"
#include "scores/ratio-error.h"

struct head_losses {
	struct model *m;		/* the caller's */
	/* What to measure, set before head_losses_begin(); see head_losses_choose(). */
	bool gradient, fisher, saliency, norm, logit, ablation, ablation_bleu, shapley;
	bool gating, greedy;		/* asked for; measured by head-gating.h, head-greedy.h */
	bool errors;			/* standard errors over sentences, too */
	int64_t permutations;		/* number of permutations for Shapley values */
	uint64_t seed;			/* of the permutations */
	/*
	 * [heads of all sites] sums over sentences: of gradient, fisher and saliency, which is NAN
	 * without a value; and of the loss with the head's gate at 0.
	 */
	double *gradients, *squares, *salient, *nll;
	double *blocks;			/* private: head_losses_block() of all sites */
	double whole;			/* loss with all heads, summed */
	struct loss_errors { struct ratio_error gradient, fisher, saliency, ablation; } *error;
					/* [heads of all sites] */
	double *sentence;		/* [sentences of the batch] loss with all heads */
	size_t sentence_room;
	int64_t gradient_tokens, gradient_sentences;	/* divisors of gradients and squares */
	int64_t tokens, masked;			/* target tokens that were counted; those that were
						 * left out */
	struct head_norms norms;
	struct head_logits logits;
	struct head_shapley values;
	struct gated_loss gated;
	struct gated_bleu texts;	/* for ablation_bleu */
	double *bleu;			/* [heads of all sites + 1] without the head; with all */
};

/*
 * Sets what to measure by a list of names, separated by commas: ablation, ablation-bleu, fisher,
 * gating, gradient, greedy, logit (head-logits.h), norm (head-norms.h), saliency, shapley.  Fails
 * with EXIT_USAGE for another name.
 */
int head_losses_choose(struct head_losses *l, const char *list, struct err *e) MUST_USE;
bool head_losses_needed(const struct head_losses *l);	/* is anything to be measured? */
bool head_losses_backward(const struct head_losses *l);	/* does it need gradients? */
/*
 * Prepares the model: sets its gates, turns label smoothing off and, for gradients, freezes most
 * parameters.  Gradients need a model that was loaded with gradients.  The model cannot be used for
 * anything else afterward.
 */
void head_losses_begin(struct head_losses *l, struct model *m);
/* Before the model is freed. */
void head_losses_release(struct head_losses *l);

/*
 * Adds a batch that has just passed through model_loss().  `nll` is the node that model_loss()
 * stored through its last argument.  With ablation or Shapley values the tape is rewound; the batch
 * must not be in its arena.
 */
void head_losses_add(struct head_losses *l, struct tape *t, const struct batch *b,
		     struct node *nll);
/*
 * The Fisher information of the gates of a site, [heads, heads]: the sum over sentences of the
 * products of two derivatives of the loss.  Its diagonal is in squares.
 */
const double *head_losses_block(const struct head_losses *l, size_t site);
/*
 * With ablation_bleu, after the last batch: translates the text with each head masked.  Returns -1
 * with EXIT_INPUT as gated_bleu_score().  `done`, which may be NULL, is called with the number of
 * translations of the text so far.
 */
typedef void head_losses_done(void *arg, int64_t translations);
int head_losses_translate(struct head_losses *l, struct pass *p, int beam, bool cut,
			  head_losses_done *done, void *arg, struct err *e) MUST_USE;
/* The number of translations of the text; 0 without ablation_bleu. */
int64_t head_losses_translations(const struct head_losses *l);
/*
 * Fills the columns of what was measured: "ablation", "ablation.bleu", "fisher", "logit", "norm",
 * "saliency", "shapley" and "shapley.error", "gradient.raw" and "gradient", which is that divided
 * by its Euclidean norm over the heads of the layer, the criterion of Michel et al.; its error
 * takes that norm as known.  Returns -1 with EXIT_INPUT if one of them overflowed.
 */
int head_losses_fill(const struct head_losses *l, struct head_table *t, struct err *e) MUST_USE;

#endif
