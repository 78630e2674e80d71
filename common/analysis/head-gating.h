/*
 * head-gating: causal head gating, which fits a gate to each head of a frozen model.
 *
 * The output of each head is multiplied by a gate, g = sigmoid(logit).  Only the logits are
 * trained, by Adam, to minimize
 *
 *	NLL / target tokens - lambda * mean over heads of logit
 *
 * The gates are fitted three times: without lambda, from gates that are uniform between 0 and 1;
 * and from the result with lambda, which opens all gates that the loss does not close (G+), and
 * with -lambda, which closes all gates that the loss does not open (G-).  From these are computed
 *
 *	facilitation = G-		both are near 1: the loss needs the head
 *	irrelevance  = G+ (1 - G-)	G+ is near 1 and G- near 0: the head has no effect
 *	interference = 1 - G+		both are near 0: the head does harm
 *
 * Source: Nam et al. 2025, Causal head gating: a framework for interpreting roles of attention
 * heads in transformers (NeurIPS 2025, arXiv 2505.13737), which names these three scores.  Two
 * things are not of the paper: the class of a head, which is that with the highest score, the first
 * of equal ones; and the measure, facilitation minus interference, G+ + G- - 1, from -1 to 1.
 *
 * The fits follow the authors' code (github.com/andrewnam/causal_head_gating, get_loss(), update()
 * and fit() of src/chg/chg_trainer.py), whose defaults are those here.  As in that code, the loss
 * has means, where the paper's formula has sums over the text and over heads.  Here the NLL is
 * averaged over the target tokens of a batch; in that code it is averaged over the tokens of each
 * text, and then over texts.  The gradient is clipped to a norm of 1.
 *
 * As in that code, lambda does not pull logits beyond 4 and -4 (GATING_CLIP_BOTH).  A gate that
 * begins beyond them, or that the first fit moved there, therefore stays closed or open, even if
 * the head has no effect.  With GATING_CLIP_FAR, lambda only stops where it would pull a logit
 * further away: lambda still raises logits below -4, and -lambda still lowers those above 4.
 *
 * The fits may be repeated from other random gates.  The cost is that of a forward and a backward
 * pass of one batch for each update; each of the `fits` has three times `updates` updates.
 */
#ifndef HEAD_GATING_H
#define HEAD_GATING_H

#include "analysis/head-losses.h"
#include "analysis/head-table.h"
#include "analysis/kept-batches.h"
#include "scores/ratio-error.h"

enum { GATING_CLIP_BOTH, GATING_CLIP_FAR };
struct head_gating_how { int64_t fits, updates; double lr, lambda; int clip; };
extern const struct opt head_gating_options[];	/* for cli_settings() */

struct head_gating {
	struct model *m;		/* the caller's; NULL: not begun */
	struct head_gating_how how;	/* set by the caller, head_gating_choose() */
	uint64_t seed;			/* of the first gates and of the order of batches */
	size_t heads;			/* number of heads of all sites */
	struct kept_batches sample;
	double *plus, *minus;		/* [heads] G+ and G-, summed over fits */
	struct ratio_error *error;	/* [heads] of the measure, over fits */
	real *gate;			/* this member and those below are private: [heads] of a
					 * fit */
	double *logit, *gradient, *moment[2];
	uint32_t *order;		/* [batches] their order */
	int64_t update;			/* number of updates so far, over all fits */
	head_losses_done *done;		/* called with `arg` after each update; or NULL */
	void *arg;
};

/*
 * Sets the defaults, and then the settings in a list "KEY=VALUE,...".  Returns -1 as
 * cli_settings().
 */
int head_gating_choose(struct head_gating_how *settings, const char *list, struct err *e) MUST_USE;

/* Begins the measure.  Calls model_gate_gradients() for m, which must outlive x. */
void head_gating_begin(struct head_gating *x, struct model *m, uint64_t seed);
void head_gating_release(struct head_gating *x);	/* accepts a struct of zeros */
/*
 * Adds a batch of forced_run() that has just passed through model_loss(), without the sentences
 * that have tokens of probability 0.  `nll` is the node that model_loss() stored through its last
 * argument.  Returns -1 as kept_batches_take().
 */
int head_gating_add(struct head_gating *x, const struct forced *f, const struct batch *b,
		    const struct node *nll, struct err *e) MUST_USE;
/*
 * Fits the gates to the sentences so far, at least one.  Afterward, the model has its former gates
 * again.  Unless `done` is NULL, it is called with the number of updates so far.  Returns -1 with
 * EXIT_INPUT if a loss is not finite.
 */
int head_gating_run(struct head_gating *x, struct tape *t, head_losses_done *done, void *arg,
		    struct err *e) MUST_USE;
/* Appends the settings as part "gating" of a signature. */
void head_gating_sign(const struct head_gating *x, struct buf *signature);
int64_t head_gating_updates(const struct head_gating *x);	/* of all fits; 0: not begun */
/*
 * Fills the columns "gating", "gating.plus" (G+), "gating.minus" (G-), means over fits;
 * "gating.class" (facilitating, irrelevant or interfering) of these; and with several fits
 * "gating.error", the standard error of "gating" over them.
 */
void head_gating_fill(const struct head_gating *x, struct head_table *t);

#endif
