/*
 * look: what a model's attention does with one sentence, as matrices with its symbols along the
 * sides.
 *
 * The model reads the sentence with its given target once (teacher-forced, nothing random) and
 * every matrix is taken from what that left on the tape: weights under the name of their site.
 * Without a target only the encoder runs.  A position of the decoder is called by the symbol it
 * predicts; on demand by the one it reads, which stands one before.
 */
#ifndef LOOK_H
#define LOOK_H

#include <stdbool.h>
#include <stdint.h>

#include "draw/panel.h"
#include "model/runtime.h"

struct look_side {
	struct axis pieces, words;	/* symbols, with those that the model adds */
	int *word;			/* [pieces.n] the word of each */
};

struct look {
	struct model *m;		/* these five the caller's */
	struct runtime *run;
	bool words, read;		/* words instead of pieces; decoder's symbols as read */
	bool cut;			/* what is too long loses its end; otherwise an error */
	const struct record *rec;	/* set by look_at() */
	bool has_target;
	struct batch batch;		/* nodes of the tape point into it */
	struct look_side src, tgt;
	struct axis heads;		/* "1", "2", ... */
};

/*
 * Runs the model; number is the record's in its stream, from 0.  The record stays as it is as long
 * as one looks.  EXIT_INPUT if it does not fit the model.  look_clear() before the next and behind
 * the last.
 */
int look_at(struct look *l, const struct record *rec, int64_t number, struct err *e) MUST_USE;
void look_clear(struct look *l);

void look_heads(const struct model *m, struct axis *heads);	/* adds "1", "2", ... */
/* sites_find() of attention-heads.h, by a name alone; the error has those that there are. */
int look_sites(const struct model *m, const char *name, size_t *first, size_t *last,
	       struct err *e) MUST_USE;

enum {
	LOOK_MEAN = 0,			/* instead of a head: the mean of all ... */
	LOOK_WEIGHTED = -1		/* ... or as head-importance weighs them for each query */
};
/*
 * Weights [queries, keys] of a head, from 1, whose title says which; to is not initialised yet.
 * A head that was removed has no numbers, nor has the mean of none.  EXIT_USAGE if there is no such head; EXIT_INPUT if the
 * sentence lacks what it takes.
 */
int look_weights(struct look *l, size_t site, int head, struct panel *to, struct err *e) MUST_USE;

/*
 * How much each query wants of each head: [queries, heads], of a site with head-importance;
 * EXIT_USAGE of another.
 */
int look_importance(struct look *l, size_t site, struct panel *to, struct err *e) MUST_USE;
bool look_has_importance(struct look *l, size_t site);

/*
 * Dependencies and how they are carried over, of models with the variants dbsa and sync or, to
 * compare, without: E is head 1 of an encoder layer, D of a decoder layer, C the cross-attention of
 * one, D' the rows of C E C' as weights; which layers, which head, how: as the variants are set,
 * else by their defaults.
 */
enum look_sync { LOOK_SOURCE, LOOK_CROSS, LOOK_TARGET, LOOK_CARRIED, LOOK_MAPPED, LOOK_SYNC };
int look_sync(struct look *l, struct panel to[LOOK_SYNC], struct err *e) MUST_USE;

/*
 * Of models with relation-mask.  Strengths, [relations, heads], need no sentence; a relation whose
 * mask is fixed has none.  A mask, [symbols, symbols], is what the relation between two symbols of
 * the sentence takes off their score in a head, from 1: exp(strength), or what is fixed; without a
 * number where it is all.
 */
void look_relations(struct axis *relations);	/* adds their names */
int look_strengths(const struct model *m, size_t site, const struct axis *relations,
		   const struct axis *heads, struct panel *to, struct err *e) MUST_USE;
int look_mask(struct look *l, size_t site, int head, struct panel *to, struct err *e) MUST_USE;

#endif
