/*
 * head-gating: causal head gating, which fits a gate to each head of a frozen model.
 *
 * The output of each head is multiplied by a gate (model_gate() in model/model.h), g =
 * sigmoid(logit).  Only the logits are trained, by Adam, to minimize
 *
 *	NLL / target tokens - lambda * mean over heads of logit
 *
 * The gates are fitted three times.  The first fit is without lambda (lambda = 0), from gates that
 * are uniform between 0 and 1.  Two more fits begin with the result of the first.  The fit with
 * lambda opens all gates that the loss does not close; its gates are called G+.  The fit with
 * -lambda closes all gates that the loss does not open; its gates are called G-.  Three scores
 * follow:
 *
 *	facilitation = G-		high if G+ and G- are near 1: the loss needs the head
 *	irrelevance  = G+ (1 - G-)	high if G+ is near 1 and G- near 0: the head has no effect
 *	interference = 1 - G+		high if G+ and G- are near 0: the head does harm
 *
 * Source: Nam et al. 2025, Causal head gating: a framework for interpreting roles of attention
 * heads in transformers (NeurIPS 2025, arXiv 2505.13737), which names these three scores.  Two
 * values are not in the paper.  The class of a head is the score with the highest value, the first
 * of equal ones.  The measure of a head is facilitation minus interference, that is, G+ + G- - 1,
 * from -1 to 1.
 *
 * The fits follow the authors' code (github.com/andrewnam/causal_head_gating, get_loss(), update()
 * and fit() of src/chg/chg_trainer.py) and its defaults.  The paper's formula has sums over the
 * text and over heads; the authors' code and this code have means.  Here the NLL is averaged over
 * the target tokens of a batch; the authors average over the tokens of each text, and then over
 * texts.  The gradient is clipped to a norm of 1.
 *
 * With GATING_CLIP_BOTH, as in the authors' code, the lambda term is left out for each logit that
 * is above 4 or below -4.  A gate that begins beyond these limits, or that the first fit moved
 * there, therefore stays open or closed, even if the head has no effect.  With GATING_CLIP_FAR, the
 * term is left out only where it would move a logit further beyond a limit: lambda still raises
 * logits below -4, and -lambda still lowers logits above 4.
 *
 * All of this may be repeated from other random gates, `fits` times in all.  Each of the three fits
 * has `updates` updates, and each update costs a forward and a backward pass over one batch.
 */
#ifndef HEAD_GATING_H
#define HEAD_GATING_H

#include "analysis/head-losses.h"
#include "analysis/head-table.h"
#include "analysis/kept-batches.h"
#include "scores/ratio-error.h"

enum { GATING_CLIP_BOTH, GATING_CLIP_FAR };
struct head_gating_how { int64_t fits, updates; double lr, lambda; int clip; };
extern const struct opt head_gating_options[];	/* the settings below, for cli_settings()
						 * (base/cli.h) */

struct head_gating {
	struct model *m;		/* the caller's; NULL: not begun */
	struct head_gating_how how;	/* set by the caller before head_gating_begin(), with
					 * head_gating_choose() */
	uint64_t seed;			/* of the random first gates and of the order of batches */
	size_t heads;			/* number of heads of all attention layers; arrays [heads]
					 * have the order of attention/attention-heads.h */
	struct kept_batches sample;
	struct gating_head {
		double plus, minus;	/* G+ and G-, summed over the repetitions */
		struct ratio_error error;	/* standard error of the measure over the
						 * repetitions */
		/* Private: of the current repetition, and of the current fit. */
		double free_logit, open, logit, gradient, moment[2];
	} *head;			/* [heads] */
	real *gate;			/* [heads] gates of the current fit; this member and those
					 * below are private */
	uint32_t *order;		/* [batches] order of the batches */
	int64_t update;			/* number of updates so far, over all fits */
	head_losses_done *done;		/* called with `arg` after each update; or NULL */
	void *arg;
};

/*
 * Sets all settings to their defaults, and then those in the list "KEY=VALUE,...".  Returns -1 as
 * cli_settings().
 */
int head_gating_choose(struct head_gating_how *settings, const char *list, struct err *e) MUST_USE;

/* Overwrites *x, except x->how.  Calls model_gate_gradients() for `m`, which must outlive `x`. */
void head_gating_begin(struct head_gating *x, struct model *m, uint64_t seed);
void head_gating_release(struct head_gating *x);	/* accepts a struct of zeros */
/*
 * Adds a copy of a batch of forced_run() (search/forced.h) that has just passed through
 * model_loss(), without the sentences that have a target token of probability 0.  `nll` is the node
 * that model_loss() stored through its last argument.  Returns -1 as kept_batches_take().
 */
int head_gating_add(struct head_gating *x, const struct forced *f, const struct batch *b,
		    const struct node *nll, struct err *e) MUST_USE;
/*
 * Fits the gates to the sentences so far.  Afterward, the model has its former gates again.  Unless
 * `done` is NULL, done() is called after each update with `arg` and the number of updates so far.
 * Returns -1 with EXIT_INPUT if there are no sentences or a loss is not finite.
 */
int head_gating_run(struct head_gating *x, struct tape *t, head_losses_done *done, void *arg,
		    struct err *e) MUST_USE;
/*
 * Appends the settings to a signature (stream/signature.h), with the key "gating", and then the
 * tokens of a batch and the seed.
 */
void head_gating_sign(const struct head_gating *x, int64_t batch_tokens, struct buf *signature);
int64_t head_gating_updates(const struct head_gating *x);	/* the number of updates that
								 * head_gating_run() does; 0: not
								 * begun */
/*
 * Sets the columns "gating" (the measure), "gating.plus" (G+) and "gating.minus" (G-) of all heads
 * in the table to means over the repetitions.  "gating.class" is the class by these means:
 * facilitating, irrelevant or interfering.  With several repetitions, "gating.error" is the
 * standard error of "gating".
 */
void head_gating_fill(const struct head_gating *x, struct head_table *t);

#endif
