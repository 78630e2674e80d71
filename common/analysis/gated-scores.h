/*
 * gated-scores: loss and BLEU of a model with some of its heads masked.
 *
 * The loss of a batch is the negative log-likelihood of the target tokens and of the end of each
 * sentence, in nats, without the losses that variants add.  Target tokens with probability 0
 * (output_mask) are left out.
 */
#ifndef GATED_SCORES_H
#define GATED_SCORES_H

#include <stdbool.h>
#include <stdint.h>

#include "model/layer-pass.h"
#include "search/piece-bleu.h"
#include "search/translate.h"

struct gated_loss {
	struct model *m;		/* the caller's */
	real *gates;			/* [heads of all sites] as in model_gate(); initially 1,
					 * the caller may change them */
	bool fixed;			/* set by the caller: each pass over a batch reuses the
					 * layers of the first pass, not those of the pass before
					 * it */
	real *last;			/* private: the gates of the pass whose layers are reused */
	struct layer_pass pass;
};

/*
 * Overwrites g, and makes g->gates the gates of the model until gated_loss_release().  Each pass
 * sets them again, because a model may have several struct gated_loss.
 */
void gated_loss_begin(struct gated_loss *g, struct model *m);
/* g may be all zeros. */
void gated_loss_release(struct gated_loss *g);

/* Must be called before each new batch: discards the layers of the last one. */
void gated_loss_next(struct gated_loss *g);
/*
 * The loss of b with the current gates, summed over its tokens.  The pass begins at the first site
 * whose gates differ from those of the last call for this batch or, with g->fixed, of the first
 * call.  Rewinds the tape; the batch must not be in its arena.
 */
double gated_loss_of(struct gated_loss *g, struct tape *t, const struct batch *b);
/* The same, but returns the cross-entropy node, for loss_of_rows(). */
const struct node *gated_loss_node(struct gated_loss *g, struct tape *t, const struct batch *b);

/* The number of target tokens of b that have a loss: those that the output mask of m allows. */
int64_t gated_loss_tokens(const struct model *m, const struct batch *b);

/*
 * The sum of rows [from, to) of a cross-entropy node; NaN if a row is NaN.  Rows with probability 0
 * are left out, and *infinite is set to their number.
 */
double loss_of_rows(const struct node *nll, int from, int to, int64_t *infinite);

/*
 * BLEU of a model's translations under masks of its heads, for a text that is kept in memory.  BLEU
 * is that of piece-bleu.h.
 *
 * The sentences are translated in groups, one batch for each thread: a group is translated under
 * all masks before the next one.  Adjacent masks with the same gates of the encoder share its
 * output and are searched together, so that the steps of the decoder have many rows, and the
 * results of its first layers are shared where they are equal.
 */
struct gated_bleu {
	struct record **text;		/* [n] copies */
	size_t n, room;
	struct model *m;		/* set by gated_bleu_begin(), like the rest */
	struct translate_job *job;	/* [n] */
	struct translator translator;
	struct translate_plan plan;
};

/* The masks of gated_bleu_score(); all members are set by the caller, who owns the arrays. */
struct gated_masks {
	size_t n;
	double *bleu;			/* [n] room for the results */
	real *gates;			/* [n, heads of all sites] as in model_gate() */
	void (*done)(void *done_arg, int64_t masks);	/* reports progress; or NULL */
	void *done_arg;
};

/*
 * Adds a copy of the record, with its reference.  Returns -1 with EXIT_INPUT if it cannot be
 * copied.
 */
int gated_bleu_keep(struct gated_bleu *g, const struct record *rec, struct err *e) MUST_USE;
/*
 * Prepares translations of the kept records with the search settings of the model's recipe, but
 * with this beam size.  With `cut`, sentences that are too long are truncated.
 */
void gated_bleu_begin(struct gated_bleu *g, struct model *m, struct pass *p, int beam, bool cut);
/*
 * Translates all records under each mask and sets k->bleu.  Afterward, the model has its former
 * gates again.  Returns -1 with EXIT_INPUT as translate_batches().
 */
int gated_bleu_score(struct gated_bleu *g, const struct gated_masks *k, struct err *e) MUST_USE;
/* g may be all zeros. */
void gated_bleu_release(struct gated_bleu *g);

#endif
