/*
 * gated-scores: loss and BLEU of a model with some of its heads masked.  A head is masked by a gate
 * of 0 on its output (model_gate() in model/model.h).
 *
 * The loss of a batch is the negative log-likelihood of the target tokens and of the end of each
 * sentence, in nats, without the losses that attention variants add.  Target tokens that the
 * model's output_mask excludes, and which therefore have probability 0, are left out.
 */
#ifndef GATED_SCORES_H
#define GATED_SCORES_H

#include <stdbool.h>
#include <stdint.h>

#include "model/layer-pass.h"
#include "search/piece-bleu.h"
#include "search/translate.h"

struct gated_loss {
	struct model *m;		/* the caller's; NULL: not begun */
	real *gates;			/* [heads of all sites] (attention/attention-heads.h) the
					 * gates; 1 at first; the caller may change them before each
					 * pass */
	bool fixed;			/* set by the caller; true: each pass over a batch reuses
					 * layers of the first pass over this batch; false: of the
					 * preceding pass */
	real *last;			/* private: gates of the pass whose layers are reused */
	struct layer_pass pass;
};

/*
 * Overwrites *g, and makes g->gates the gates of `m` until gated_loss_release().  `m` must outlive
 * `g`.  Several structs may be begun for one model; each pass sets the gates of its own struct.
 */
void gated_loss_begin(struct gated_loss *g, struct model *m);
/* Removes all gates from the model.  `g` may be all zeros. */
void gated_loss_release(struct gated_loss *g);

/* Discards the layers of the last batch.  Must be called before the first pass over each batch. */
void gated_loss_next(struct gated_loss *g);
/*
 * Returns the loss of `b` with the current gates, in nats, summed over its tokens.  To save time,
 * the pass begins at the first attention layer whose gates have changed since the last call for
 * this batch or, if g->fixed is true, since the first call for this batch.  Rewinds the tape `t`,
 * which frees all that is in its arena; the batch must therefore not be there.
 */
double gated_loss_of(struct gated_loss *g, struct tape *t, const struct batch *b);
/* Like gated_loss_of(), but returns the node of the loss on the tape, for loss_of_rows(). */
const struct node *gated_loss_node(struct gated_loss *g, struct tape *t, const struct batch *b);

/*
 * The number of target tokens of `b` that have a loss, those of the end included: all that the
 * model's output_mask allows.
 */
int64_t gated_loss_tokens(const struct model *m, const struct batch *b);

/*
 * Returns the sum of the losses in rows `from` to `to` - 1 of a cross-entropy node; NaN if one of
 * them is NaN.  Rows whose target token has probability 0 are left out, and *infinite is set to
 * their number.
 */
double loss_of_rows(const struct node *nll, int from, int to, int64_t *infinite);
/* The same for the rows of a sentence of the batch. */
double loss_of_sentence(const struct node *nll, const struct batch *b, int sentence,
			int64_t *infinite);
/*
 * Returns the sum, over the rows of a sentence and the elements of a head, of x times the gradient
 * of the gated head output.  With the outputs before the gate as x, this is the derivative by the
 * gate.  `gated` is the node of the gated head outputs of a site, with its gradient; `x` has the
 * elements of the head in row 0, and its rows are `ld` elements apart.  Returns 0 without a
 * gradient, as in an encoder whose decoder has no cross-attention heads.
 */
double gradient_times(const struct node *gated, const real *x, ptrdiff_t ld,
		      const struct layout *rows, int sentence, int head);

/*
 * BLEU of the translations of a text by a model whose heads are masked.  The text is kept in
 * memory, and translated with several masks.  BLEU is computed as in piece-bleu.h.
 *
 * The sentences are translated in groups of one batch for each thread, or of one batch for all
 * threads if the model is larger than base; a group is translated with all masks before the next
 * group begins.  Translations under adjacent masks share what they have in common, as
 * searcher_mask() (search/search.h) says.  The order of the masks therefore matters for speed.
 */
struct gated_bleu {
	struct record **text;		/* [n] copies of the records */
	size_t n, room;
	struct model *m;		/* this and the members below are set by
					 * gated_bleu_score() */
	struct translate_job *job;	/* [n] */
	struct translator translator;
	struct translate_plan plan;
};

/* The masks of gated_bleu_score().  The caller sets all members and owns the arrays. */
struct gated_masks {
	size_t n;
	double *bleu;			/* [n] set by gated_bleu_score(): BLEU with each mask */
	real *gates;			/* [n, heads of all sites] the masks: gates of all heads */
	/*
	 * Reports progress; or NULL.  It is called with the finished fraction of all translations,
	 * times `n`, rounded down, as if the masks were finished one after another.
	 */
	void (*done)(void *done_arg, int64_t masks);
	void *done_arg;
};

/*
 * Adds a copy of the record, which must include its reference, to the text.  Returns -1 with
 * EXIT_INPUT if it cannot be copied.
 */
int gated_bleu_keep(struct gated_bleu *g, const struct record *rec, struct err *e) MUST_USE;
/*
 * Translates all kept records with each mask, in place of the gates of the model, and sets k->bleu.
 * Call it once.  The search settings are those of the model's recipe (model/model.h), but with the
 * given beam size.  `p` has the back end and the threads of passes through the model (tape/tape.h).
 * `cut` tells what happens to sentences longer than the model allows: true, they are truncated;
 * false, they are an error.  Returns -1 with EXIT_INPUT as translate_batches()
 * (search/translate.h).
 */
int gated_bleu_score(struct gated_bleu *g, struct model *m, struct pass *p, int beam, bool cut,
		     const struct gated_masks *k, struct err *e) MUST_USE;
/* `g` may be all zeros. */
void gated_bleu_release(struct gated_bleu *g);

#endif
