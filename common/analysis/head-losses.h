/*
 * head-losses: how much the loss of a model depends on each of its heads.
 *
 * The loss is the negative log-likelihood of the target tokens and of the end of each sentence, in
 * nats, without label smoothing and without the losses that variants add.  Target tokens that the
 * model's output_mask excludes, and which therefore have probability 0, are left out; gradient,
 * fisher and saliency leave out the whole sentences with such tokens.  A gate is a factor of the
 * output of a head (model_gate() in model/model.h).  Arrays [heads of all sites] have the order of
 * attention/attention-heads.h.
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
 *			at 0; BLEU is from 0 to 100 (gated-scores.h)
 *
 * If the member `errors` is true, each measure but ablation.bleu and Shapley values also has a
 * column MEASURE.error with its standard error over sentences (scores/ratio-error.h).  Further
 * measures that can be chosen here are described in head-norms.h, head-logits.h, head-shapley.h,
 * head-gating.h and, as greedy, in head-search.h.
 *
 * Gradient, Fisher information and saliency together cost as much as three forward passes, for all
 * heads at once.  The ablation costs one forward pass and a further one for each head, which begins
 * at the head's output (model/layer-pass.h).  ablation.bleu costs one translation of the text with
 * all heads and a further one for each head.  Translations with the same encoder heads share the
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
	/*
	 * Set before head_losses_begin(): what to measure, by head_losses_choose(), and the members
	 * from `errors` to `seed`, by the caller.
	 */
	bool gradient, fisher, saliency, norm, logit, ablation, ablation_bleu, shapley;
	bool gating, greedy;		/* only whether they were chosen; head-gating.h and
					 * head-search.h measure them */
	bool errors;			/* measure standard errors over sentences, too */
	int64_t permutations;		/* number of permutations for Shapley values */
	uint64_t seed;			/* seed of the random permutations */
	/*
	 * [heads of all sites] sums over sentences: of gradient, of fisher, of saliency, and of the
	 * loss with the head's gate at 0.  A sum of saliency is NAN if the head has no saliency.
	 */
	struct loss_sums {
		double gradient, fisher, saliency, nll;
		struct { struct ratio_error gradient, fisher, saliency, ablation; } error;
	} *head;
	double *blocks;			/* private: the results of head_losses_block() for all
					 * sites */
	double whole;			/* loss with all heads, in nats, summed over tokens */
	double *sentence;		/* [sentences of the last batch] loss of each with all
					 * heads */
	size_t sentence_room;
	int64_t gradient_tokens, gradient_sentences;	/* number of target tokens and of sentences
							 * in the sums of gradient, fisher and
							 * saliency */
	int64_t tokens, masked;			/* number of target tokens that were counted, and of
						 * those that were left out */
	struct head_norms norms;
	struct head_logits logits;
	struct head_shapley values;
	struct gated_loss gated;
	struct gated_bleu texts;	/* the text for ablation_bleu, which the caller adds with
					 * gated_bleu_keep() */
	double *bleu;			/* [heads of all sites + 1] BLEU without each head; BLEU
					 * with all heads last */
};

/*
 * Sets what to measure by a list of names, separated by commas: ablation, ablation-bleu, fisher,
 * gating, gradient, greedy, logit, norm, saliency, shapley.  Returns -1 with EXIT_USAGE for another
 * name.
 */
int head_losses_choose(struct head_losses *l, const char *list, struct err *e) MUST_USE;
/* Whether any measure but logit, gating and greedy has been chosen; these need no gates here. */
bool head_losses_needed(const struct head_losses *l);
/* Whether gradient, fisher or saliency has been chosen, which need gradients. */
bool head_losses_backward(const struct head_losses *l);
/*
 * Prepares the model: sets its gates to 1 if head_losses_needed(), turns label smoothing off, and
 * freezes most parameters if head_losses_backward().  In that case, the model must have been loaded
 * with gradients.  Afterward, the model can be used only for such measures.
 */
void head_losses_begin(struct head_losses *l, struct model *m);
/* Call it before the model is freed.  `l` may be all zeros. */
void head_losses_release(struct head_losses *l);

/*
 * Adds a batch that has just passed through model_loss() on tape `t`.  `nll` is the node that
 * model_loss() stored through its last argument.  If ablation or Shapley values were chosen, the
 * tape is rewound, so that the batch must not be in its arena.
 */
void head_losses_add(struct head_losses *l, struct tape *t, const struct batch *b,
		     struct node *nll);
/*
 * The Fisher information matrix of the gates of a site, [heads, heads].  Element (i, j) is the sum
 * over sentences of (d loss / d gate i) (d loss / d gate j).  The diagonal has the sums of fisher.
 * All elements are 0 unless l->fisher is true.
 */
const double *head_losses_block(const struct head_losses *l, size_t site);
/*
 * Translates the text with all heads and then with each head masked, and sets l->bleu.  Call it
 * after the last batch, only if l->ablation_bleu is true.  `p`, `beam` and `cut` are those of
 * gated_bleu_score().  Unless `done` is NULL, done() is called with `arg` and the progress, up to
 * head_losses_translations(), as in struct gated_masks.  Returns -1 with EXIT_INPUT as
 * gated_bleu_score().
 */
typedef void head_losses_done(void *arg, int64_t translations);
int head_losses_translate(struct head_losses *l, struct pass *p, int beam, bool cut,
			  head_losses_done *done, void *arg, struct err *e) MUST_USE;
/*
 * The number of translations that head_losses_translate() makes; 0 unless l->ablation_bleu is true.
 */
int64_t head_losses_translations(const struct head_losses *l);
/*
 * Sets the columns of the chosen measures in the table: "ablation", "ablation.bleu", "fisher",
 * "logit", "norm", "saliency", "shapley" with "shapley.error", and "gradient.raw" with "gradient".
 * "gradient" is "gradient.raw" divided by its Euclidean norm over the heads of the site, the
 * criterion of Michel et al.; "gradient.error" treats this norm as a constant.  Returns -1 with
 * EXIT_INPUT if the loss or a measure is not finite.
 */
int head_losses_fill(const struct head_losses *l, struct head_table *t, struct err *e) MUST_USE;

#endif
