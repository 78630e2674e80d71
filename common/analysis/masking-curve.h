/*
 * masking-curve: the loss and BLEU of a model whose heads are masked one after another, without
 * retraining.  A head is masked by a gate of 0 on its output (gated-scores.h).
 *
 * An order is a permutation of the heads that may be masked: they are masked from first to last.
 * The curve of an order has the score of the model at several points.  A point is a number of
 * retained heads.  All orders have the same points, from all heads to none.  A mask is the set of
 * masked heads at a point of an order.  Each mask is computed once, although several orders may
 * have it, at least at both ends.
 *
 * To use it: init, add orders, set the points, begin, add batches, keep and translate records if
 * BLEU is wanted, check, and write the results.
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
					 * array of model_gate() (model/model.h) */
	size_t n_heads, n_gates;	/* n_gates: number of heads of all attention layers */
	/* The orders; `rank` [n_heads] has indices of head[] in the order of masking. */
	struct head_order { char *name; uint32_t *rank; } *order;
	size_t n_orders, order_room;
	size_t *retained;		/* [n_points] the points, in falling order */
	size_t n_points;
	bool *masks;			/* [n_masks, n_gates] true: the head is masked; sorted, so
					 * that masks with the same encoder heads are adjacent */
	size_t n_masks;
	double *nll, *bleu;		/* [n_masks] losses, summed over tokens, in nats; BLEU
					 * scores, NAN before masking_curve_translate() */
	int64_t tokens, masked;		/* number of target tokens in the losses; number of target
					 * tokens that are left out, because the model's output_mask
					 * excludes them */
	bool skip_missing;		/* masking_curve_measures() skips measures without values;
					 * set by the caller after masking_curve_init() */
	struct head_skipped { char *name, *why; } *skipped;	/* [n_skipped] measures that were
								 * skipped, and why */
	size_t n_skipped, skipped_room;
	struct gated_bleu texts;	/* the kept records */
	struct gated_loss gated;
};

/*
 * Overwrites *c.  The heads that may be masked are those at sites of one `kind` (enum site_where),
 * or at all sites if `kind` is negative.  `m` must outlive `c`.  Returns -1 with EXIT_USAGE if the
 * model has no such heads; then, `c` must not be released.
 */
int masking_curve_init(struct masking_curve *c, struct model *m, int kind, struct err *e) MUST_USE;
void masking_curve_release(struct masking_curve *c);

/*
 * Adds an order for each measure of a list, separated by commas; a list of NULL has no measures.
 * The head with the lowest value in the column of the table is masked first or, if `highest` is
 * true, the head with the highest value.  Of heads with equal values, the later one is masked
 * first, so that the retained heads are those of head-prune(1).  The order is named MEASURE or
 * MEASURE.reverse.  Returns -1 with EXIT_INPUT if the column is missing or has text, or if a head
 * has no value, and with EXIT_USAGE for a duplicate.  If c->skip_missing is true, a measure that
 * the table or a head lacks is not an error, but is added to c->skipped with the reason.  `path` is
 * the name of the table, for the message.
 */
int masking_curve_measures(struct masking_curve *c, struct head_table *t, const char *list,
			   bool highest, const char *path, struct err *e) MUST_USE;
/*
 * Adds a random order named random.SEED.  The order depends only on the seed and on the number of
 * heads or, if `stratified` is true, on the number of heads of each kind of attention.  The first k
 * heads of a stratified order are the same fraction of the heads of each kind, for any k, except
 * for rounding to whole heads.
 */
void masking_curve_random(struct masking_curve *c, uint64_t seed, bool stratified);

/* Sets the points: all heads retained, then `step` fewer at each point, and 0 at the last point. */
void masking_curve_step(struct masking_curve *c, size_t step);
/*
 * Sets `n` points, 2 or more, from all heads to 0, at equal distances except for rounding to whole
 * heads.  If `n` is larger than the number of heads plus 1, there is a point for each number.
 */
void masking_curve_points(struct masking_curve *c, size_t n);

/*
 * Computes the list of masks.  Orders and points must have been set.  The model has gates until
 * masking_curve_release() (gated_loss_begin() in gated-scores.h).
 */
void masking_curve_begin(struct masking_curve *c);
/* A function that reports progress: `masks` of c->n_masks masks are done. */
typedef void masking_curve_done(void *arg, int64_t masks);
/*
 * Adds the losses of a batch with all masks.  Rewinds the tape `t`, so that the batch must not be
 * in its arena.  Unless `done` is NULL, done() is called with `arg`.
 */
void masking_curve_add(struct masking_curve *c, struct tape *t, const struct batch *b,
		       masking_curve_done *done, void *arg);

/*
 * Translates the records of c->texts, which the caller adds with gated_bleu_keep(), with all masks
 * and computes BLEU as in search/piece-bleu.h.  `p`, `beam` and `cut` are those of
 * gated_bleu_score() (gated-scores.h).  Unless `done` is NULL, done() is called with `arg`.
 * Returns -1 as gated_bleu_score().
 */
int masking_curve_translate(struct masking_curve *c, struct pass *p, int beam, bool cut,
			    masking_curve_done *done, void *arg, struct err *e) MUST_USE;

/*
 * Call it after the last batch.  Returns -1 with EXIT_INPUT if there are no target tokens, or if a
 * loss is not finite.
 */
int masking_curve_check(const struct masking_curve *c, struct err *e) MUST_USE;

/*
 * The index of the mask at a point of an order.  `order` is an index of c->order, and `point` of
 * c->retained.
 */
size_t masking_curve_mask(const struct masking_curve *c, size_t order, size_t point);
/* Appends the heads that a mask masks, as a list (attention/attention-heads.h). */
void masking_curve_describe(const struct masking_curve *c, size_t mask, struct buf *out);
/* The loss per target token with a mask, in nats. */
double masking_curve_nll(const struct masking_curve *c, size_t mask);

/*
 * Settings of the output, which has a record, or a line of tab-separated values, for each point of
 * each order.
 */
struct masking_curve_form {
	const char *site;		/* the kind of attention, or "all", for the field "site" */
	bool bleu;			/* write BLEU */
	int beam;			/* beam size of the translations, for the signature */
	bool stratified;		/* random orders are stratified; for the signature */
};
extern const struct field masking_curve_fields[];
/*
 * Writes the signature (stream/signature.h) to the header of `out`.  `sentences` is the number of
 * sentences.
 */
void masking_curve_sign(const struct masking_curve *c, const struct masking_curve_form *f,
			int64_t sentences, struct writer *out);
/*
 * The first function writes notes: the numbers of sentences, of target tokens, of target tokens
 * that were left out, and of sentences that were too long, and, as skipped.MEASURE, why there is no
 * order of a measure.  The second one writes the records.  The third one appends a line of column
 * names and the lines, which do not list the masked heads.
 */
int masking_curve_notes(const struct masking_curve *c, int64_t sentences, const struct audit *a,
			struct writer *out, struct err *e) MUST_USE;
int masking_curve_put(const struct masking_curve *c, const struct masking_curve_form *f,
		      struct writer *out, struct err *e) MUST_USE;
void masking_curve_tsv(const struct masking_curve *c, const struct masking_curve_form *f,
		       struct buf *out);

#endif
