/*
 * masking-curve: the loss of a model whose heads are masked one after another, without retraining.
 *
 * An order is a permutation of the heads that may be masked, in the order of masking.  A point of
 * its curve is a number of retained heads.  All orders have the same points, from all heads to
 * none.  A mask is the set of masked heads at a point.  Different orders may have the same mask, at
 * least at both ends; each is computed once.
 */
#ifndef MASKING_CURVE_H
#define MASKING_CURVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analysis/gated-scores.h"
#include "analysis/head-table.h"
#include "data/audit.h"
#include "model/model.h"
#include "stream/stream.h"

struct masking_curve {
	struct model *m;		/* the caller's */
	size_t *head;			/* [n_heads] heads that may be masked, as indices of the
					 * gates of model_gate() */
	size_t n_heads, n_gates;
	/* `rank`: [n_heads] indices of head[], in the order of masking */
	struct head_order { char *name; uint32_t *rank; } *order;
	size_t n_orders, order_room;
	size_t *retained;		/* [n_points] in falling order */
	size_t n_points;
	unsigned char *masks;		/* [n_masks, n_gates] 1: masked; sorted, so that masks
					 * with the same encoder are adjacent */
	size_t n_masks;
	double *nll, *bleu;		/* [n_masks] sums of losses; BLEU, NAN before
					 * masking_curve_translate() */
	int64_t tokens, masked;		/* target tokens of the losses; those that output_mask
					 * excludes */
	bool skip_missing;		/* set by the caller, see masking_curve_measures() */
	struct head_skipped { char *name, *why; } *skipped;	/* [n_skipped] */
	size_t n_skipped, skipped_room;
	struct gated_bleu texts;	/* for BLEU */
	struct gated_loss gated;
};

/*
 * Overwrites c, which then masks heads of one kind of site, or of all kinds if `kind` < 0.  Returns
 * -1 with EXIT_USAGE if the model has no such heads; c must then not be released.
 */
int masking_curve_init(struct masking_curve *c, struct model *m, int kind, struct err *e) MUST_USE;
void masking_curve_release(struct masking_curve *c);

/*
 * Adds an order by a column of the table: the lowest value is masked first, or the highest if
 * `reversed`.  Where values tie, later heads are masked first, so that the retained heads are those
 * of head-prune(1).  The order is named MEASURE or MEASURE.reverse.  Returns -1 with EXIT_INPUT if
 * the measure is missing, is text, or if a head lacks it; `name` is the name of the table, for the
 * message.
 */
int masking_curve_by(struct masking_curve *c, struct head_table *t, const char *measure,
		     bool reversed, const char *name, struct err *e) MUST_USE;
/*
 * The same for each measure of a list, separated by commas, or NULL; -1 with EXIT_USAGE for a
 * duplicate.  With skip_missing, a measure without values for all heads is added to skipped with
 * the reason, instead of an error.
 */
int masking_curve_measures(struct masking_curve *c, struct head_table *t, const char *list,
			   bool reversed, const char *name, struct err *e) MUST_USE;
/*
 * Adds a random order named random.SEED.  It depends only on the seed and the number of heads; if
 * `stratified`, on the number of heads of each kind of attention.  A stratified order masks heads
 * of all kinds in parallel: any beginning of the order has the same fraction of the heads of each
 * kind, except for rounding to whole heads.
 */
void masking_curve_random(struct masking_curve *c, uint64_t seed, bool stratified);

/* Sets the points: every step-th head, and always 0 retained heads last. */
void masking_curve_step(struct masking_curve *c, size_t step);
/* Sets n >= 2 points instead, at equal distances except for rounding to whole heads. */
void masking_curve_points(struct masking_curve *c, size_t n);

/*
 * Computes the list of masks.  Orders and points must be set.  Sets gates of the model until
 * masking_curve_release(), see gated_loss_begin().
 */
void masking_curve_begin(struct masking_curve *c);
/* A function that reports progress: `masks` of n_masks masks are done. */
typedef void masking_curve_done(void *arg, int64_t masks);
/*
 * Adds the losses of a batch under all masks.  The batch must not be in the tape's arena.  `done`
 * may be NULL.
 */
void masking_curve_add(struct masking_curve *c, struct tape *t, const struct batch *b,
		       masking_curve_done *done, void *arg);

/* Keeps a copy of the record for masking_curve_translate().  Returns -1 with EXIT_INPUT. */
int masking_curve_keep(struct masking_curve *c, const struct record *rec, struct err *e) MUST_USE;
/*
 * Translates the kept records under all masks and computes BLEU as in piece-bleu.h.  With `cut`,
 * sentences that are too long are truncated.  Returns -1 with EXIT_INPUT as search_batch() does.
 */
int masking_curve_translate(struct masking_curve *c, struct pass *p, int beam, bool cut,
			    masking_curve_done *done, void *arg, struct err *e) MUST_USE;

/* Returns -1 with EXIT_INPUT if there are no target tokens, or if a loss is not finite. */
int masking_curve_check(const struct masking_curve *c, struct err *e) MUST_USE;

/* The index of the mask at a point of an order. */
size_t masking_curve_mask(const struct masking_curve *c, size_t order, size_t point);
/* Appends the masked heads as a list (attention/attention-heads.h). */
void masking_curve_describe(const struct masking_curve *c, size_t mask, struct buf *out);
/* The loss per target token. */
double masking_curve_nll(const struct masking_curve *c, size_t mask);

/* Output: a record, or a line of tab-separated values, for each point of each order. */
struct masking_curve_form {
	const char *site;		/* the kind of site, for the field of this name */
	bool bleu;			/* write BLEU */
	int beam;			/* of BLEU, for the signature */
	bool stratified;		/* random orders are stratified; for the signature */
};
extern const struct field masking_curve_fields[];
/* Writes the signature (stream/signature.h) to the header. */
void masking_curve_sign(const struct masking_curve *c, const struct masking_curve_form *f,
			int64_t sentences, struct writer *out);
/*
 * Notes: the numbers of sentences, of target tokens, and of sentences that were too long;
 * skipped.MEASURE: why there is no order of a measure.
 */
int masking_curve_notes(const struct masking_curve *c, int64_t sentences, const struct audit *a,
			struct writer *out, struct err *e) MUST_USE;
int masking_curve_put(const struct masking_curve *c, const struct masking_curve_form *f,
		      struct writer *out, struct err *e) MUST_USE;
void masking_curve_tsv(const struct masking_curve *c, const struct masking_curve_form *f,
		       struct buf *out);

#endif
