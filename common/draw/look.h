/*
 * look: attention matrices of one sentence, labeled with its tokens.
 *
 * The model runs once over the sentence and its target, teacher-forced and without randomness.  All
 * matrices are then read from the tape, where the weights are named by their site.  Without a
 * target only the encoder runs.  A decoder position is labeled with the token that it predicts or,
 * with `read`, with the token that it reads, which is the one before.
 */
#ifndef LOOK_H
#define LOOK_H

#include <stdbool.h>
#include <stdint.h>

#include "analysis/sentence-attention.h"
#include "attention/attention-picture.h"
#include "draw/panel.h"
#include "model/runtime.h"

struct look_side {
	struct axis pieces, words;	/* subwords and words, with tokens that the model adds */
	int *word;			/* [pieces.n] the word of each subword */
};

struct look {
	/* Set by look_set_model(), or `sites` by the caller without a model: */
	struct model *m;		/* NULL: the weights are in a stream, look_stored() */
	struct runtime *run;
	struct site_list sites;		/* of the model or of the stream */

	/* Set by the caller: */
	bool words;			/* combine subwords into words */
	bool read;			/* label decoder positions with the tokens they read */
	bool cut;			/* truncate sentences that are too long; else an error */

	/* Set by look_at() or look_stored(): */
	const struct record *rec;
	bool has_target;
	const struct sentence_attention *stored;	/* or NULL */
	struct batch batch;		/* nodes of the tape point into it */
	struct node *decoded;		/* the output of model_decode(); NULL without a target */
	struct look_side src, tgt;
	struct axis heads;		/* "1", "2", ... */
};

/* Sets the model, the runtime and the sites of l.  Model and runtime remain the caller's. */
void look_set_model(struct look *l, struct model *m, struct runtime *run);
/*
 * Runs the model on a record; `number` is its number in the stream, from 0.  The record must not
 * change until look_clear(), which must follow before the next look_at().  Returns -1 with
 * EXIT_INPUT if the record does not fit the model.
 */
int look_at(struct look *l, const struct record *rec, int64_t number, struct err *e) MUST_USE;
/*
 * Uses the weights of a sentence of a stream instead of a model; the sentence must not change until
 * look_clear().  Returns -1 with EXIT_INPUT if its words do not fit its tokens.
 */
int look_stored(struct look *l, const struct sentence_attention *s, struct err *e) MUST_USE;
void look_clear(struct look *l);

/* Adds the labels "1", "2", ... for the heads of the model. */
void look_heads(const struct model *m, struct axis *heads);
/* sites_find() of attention-heads.h with a hint that lists the sites. */
int look_sites(const struct look *l, const char *name, size_t *first, size_t *end,
	       struct err *e) MUST_USE;

enum {
	LOOK_MEAN = 0,			/* in place of a head: the mean of all heads */
	LOOK_WEIGHTED = -1		/* the mean weighted by each query's head importance */
};
/*
 * Initializes panel with the weights [queries, keys] of a head, which counts from 1, and its title.
 * A pruned head, and the mean of a site without heads, have no values (NaN).  Returns -1 with
 * EXIT_USAGE if there is no such head, EXIT_INPUT if the sentence has no target and needs one.
 */
int look_weights(struct look *l, size_t site, int head, struct panel *panel,
		 struct err *e) MUST_USE;
/* The same over subwords, regardless of l->words; zeros for a pruned head. */
int look_pieces(struct look *l, size_t site, int head, struct panel *panel, struct err *e) MUST_USE;

/*
 * The weight of each head for each query, [queries, heads], at a site with a variant that weights
 * heads.  Returns -1 with EXIT_USAGE for other sites.
 */
int look_importance(struct look *l, size_t site, struct panel *panel, struct err *e) MUST_USE;
bool look_has_importance(struct look *l, size_t site);
const char *look_weighting(void);	/* the variant that weights heads, for messages */

/*
 * Pictures of variants; see attention-picture.h.  A picture can also be drawn for a model without
 * its variant, if the variant supports that.
 */
struct look_labels { struct axis heads, names; };	/* axes of a figure without tokens */
/*
 * Initializes panel[p->n] with the matrices of a picture of variant v at a site and, with
 * PICTURE_HEAD, of a head, which counts from 1.  Fills the labels that these need.  Returns -1 with
 * EXIT_USAGE if there is nothing to draw, EXIT_INPUT if the sentence has no target and needs one.
 */
int look_picture(struct look *l, const struct attention_variant *v,
		 const struct attention_picture *p, size_t site, int head,
		 struct look_labels *labels, struct panel *panel, struct err *e) MUST_USE;

#endif
