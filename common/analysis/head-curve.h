/*
 * head-curve: the loss of a model whose heads are masked one after another, without retraining.
 *
 * An order is a permutation of the heads that may be masked, first masked first.  A point of its
 * curve is a number of retained heads; all orders have the same points, from all heads to none.
 * Orders have masks in common, the two ends at least: each mask is computed once.
 */
#ifndef HEAD_CURVE_H
#define HEAD_CURVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analysis/gated-loss.h"
#include "analysis/head-table.h"
#include "model/model.h"
#include "stream/stream.h"

struct head_curve {
	struct model *m;		/* the caller's */
	size_t *head;			/* [n_heads] that may be masked, as places among gates */
	size_t n_heads, n_gates;
	/* rank: places in head[], [n_heads] */
	struct head_order { char *name; uint32_t *rank; } *order;
	size_t n_orders, order_room;
	size_t *retained;		/* [n_points], falling */
	size_t n_points;
	unsigned char *masks;		/* [n_masks, n_gates] 1: masked; sorted, so that those
					 * with the same encoder follow each other */
	size_t n_masks;
	double *nll, *bleu;		/* [n_masks] sums of losses; BLEU, NAN: not computed */
	int64_t tokens, masked;		/* targets that count, that the output mask excludes */
	struct record **text;		/* [n_texts] for BLEU */
	size_t n_texts, text_room;
	struct gated_loss gated;
};

/* Heads of one kind of site, or of all for kind < 0.  -1 and EXIT_USAGE if there are none. */
int head_curve_init(struct head_curve *c, struct model *m, int kind, struct err *e) MUST_USE;
void head_curve_release(struct head_curve *c);

/*
 * By a column of the table: the lowest value is masked first, or the highest with reversed; of
 * equal values the last head first, so that what is retained are the heads that head-prune(1)
 * keeps.  The order is called as the measure, or MEASURE.reverse.  -1 and EXIT_INPUT if the
 * measure is not there, is text, or if a head lacks it; name is the table's, for the message.
 */
int head_curve_by(struct head_curve *c, struct head_table *t, const char *measure, bool reversed,
		  const char *name, struct err *e) MUST_USE;
/* A random permutation, a function of the seed and the number of heads; called random.SEED. */
void head_curve_random(struct head_curve *c, uint64_t seed);

/* Points at every step-th head, 0 always the last of them ... */
void head_curve_step(struct head_curve *c, size_t step);
/* ... or n >= 2 points at equal distances, as far as whole heads allow. */
void head_curve_points(struct head_curve *c, size_t n);

/* Orders and points are known: lists the masks. */
void head_curve_begin(struct head_curve *c);
typedef void head_curve_done(void *arg, size_t masks);	/* of n_masks, done */
/* Adds a batch, which must not be in the tape's arena, to the losses of all masks. */
void head_curve_add(struct head_curve *c, struct tape *t, const struct batch *b,
		    head_curve_done *done, void *arg);
/* From now on the model is as this mask has it. */
void head_curve_set(struct head_curve *c, size_t mask);

/* Keeps a copy of the record for head_curve_translate(). */
int head_curve_keep(struct head_curve *c, const struct record *rec, struct err *e) MUST_USE;
/*
 * BLEU of translations of what was kept, for all masks, as piece-bleu.h has it; cut: sentences that
 * are too long lose their ends.  -1 and EXIT_INPUT
 * as search_batch() has it.
 */
int head_curve_translate(struct head_curve *c, struct pass *p, int beam, bool cut,
			 head_curve_done *done, void *arg, struct err *e) MUST_USE;

/* -1 and EXIT_INPUT if there are no targets, or a loss is no number. */
int head_curve_check(const struct head_curve *c, struct err *e) MUST_USE;

/* Which mask a point of an order is. */
size_t head_curve_mask(const struct head_curve *c, size_t order, size_t point);
/* The masked heads as a list (attention/attention-heads.h); nothing if there are none. */
void head_curve_describe(const struct head_curve *c, size_t mask, struct buf *out);
double head_curve_nll(const struct head_curve *c, size_t mask);	/* of a target token */

#endif
