/*
 * look: matrices of attention weights of one sentence, as panels (panel.h) labeled with the tokens
 * of the sentence.
 *
 * The model runs once on the sentence and its target, teacher-forced and without randomness.  All
 * panels are then made from the results on the tape.  If the sentence has no target, only the
 * encoder runs.  A decoder position is labeled with the token that it predicts or, if the member
 * `read` is true, with the token that it reads, which is the preceding one.  A site is an attention
 * layer (attention/attention.h).
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
	struct axis pieces, words;	/* labels of subwords and of words, including tokens that
					 * the model adds */
	int *word;			/* [pieces.n] the word of each subword */
};

struct look {
	/* Set by look_set_model().  Without a model, the caller sets `sites`. */
	struct model *m;		/* NULL: weights come from look_stored() */
	struct runtime *run;
	struct site_list sites;		/* the sites of the model or of the stream */

	/* Set by the caller: */
	bool words;			/* combine subwords into words */
	bool read;			/* label decoder positions with the tokens that they read */
	bool cut;			/* truncate sentences that are too long; else they are an
					 * error */

	/* Set by look_at() or look_stored(): */
	const struct record *rec;
	bool has_target;
	const struct sentence_attention *stored;	/* the weights of look_stored(), else
							 * NULL */
	struct batch batch;		/* the batch of look_at(); nodes on the tape point into
					 * it */
	struct node *decoded;		/* the output of model_decode(); NULL without a target */
	struct look_side src, tgt;
	struct axis heads;		/* labels "1", "2", ... of heads */
};

/* Sets the model, the runtime and the sites of `l`.  `m` and `run` must outlive `l`. */
void look_set_model(struct look *l, struct model *m, struct runtime *run);
/*
 * Runs the model on a record; `number` is the number of the record in its stream, from 0.  Until
 * look_clear(), the record must not change.  look_clear() must be called before the next look_at()
 * or look_stored().  Returns -1 with EXIT_INPUT if the record does not fit the model.
 */
int look_at(struct look *l, const struct record *rec, int64_t number, struct err *e) MUST_USE;
/*
 * Takes the weights of a sentence from a stream, in place of look_at().  The sentence must not
 * change until look_clear().  Returns -1 with EXIT_INPUT if the words of the sentence do not fit
 * its tokens.
 */
int look_stored(struct look *l, const struct sentence_attention *s, struct err *e) MUST_USE;
void look_clear(struct look *l);

/* Adds a label for each head of a layer of the model, "1", "2", ..., to the axis. */
void look_heads(const struct model *m, struct axis *heads);
/* Like sites_find() of attention/attention-heads.h; the message has a hint that lists the sites. */
int look_sites(const struct look *l, const char *name, size_t *first, size_t *end,
	       struct err *e) MUST_USE;

enum {
	LOOK_MEAN = 0,			/* in place of the number of a head: the mean of all
					 * heads */
	LOOK_WEIGHTED = -1		/* the mean of all heads, weighted for each query by
					 * look_importance() */
};
/*
 * Initializes *panel with the weights [queries, keys] of head `head`, from 1, at a site, and with a
 * title.  `site` is an index of l->sites.  For a pruned head, or the mean at a site without
 * retained heads, all values are NaN.  Returns -1 with EXIT_USAGE if the site has no such head, and
 * with EXIT_INPUT if the site needs a target and the sentence has no target.  After success, the
 * caller releases the panel.
 */
int look_weights(struct look *l, size_t site, int head, struct panel *panel,
		 struct err *e) MUST_USE;
/*
 * Like look_weights(), but always over subwords, even if l->words is true, and with zeros for a
 * pruned head.
 */
int look_pieces(struct look *l, size_t site, int head, struct panel *panel, struct err *e) MUST_USE;

/*
 * Initializes *panel with the weight of each head for each query, [queries, heads], at a site with
 * an attention variant that weights heads.  Returns -1 with EXIT_USAGE for other sites, and with
 * EXIT_INPUT if the site needs a target and the sentence has no target.
 */
int look_importance(struct look *l, size_t site, struct panel *panel, struct err *e) MUST_USE;
bool look_has_importance(struct look *l, size_t site);
const char *look_weighting(void);	/* name of the variant that weights heads, for messages */

/*
 * Pictures of attention variants (attention/attention-picture.h).  The model need not have the
 * variant if the picture's draw() supports this.
 */
struct look_labels { struct axis heads, names; };	/* labels of axes that are not tokens */
/*
 * Initializes the p->n elements of `panel` with the matrices of picture `p` of variant `v`.  `site`
 * is an index of l->sites, and `head`, for PICTURE_HEAD, the number of a head from 1.  Adds the
 * labels that the panels need to `labels`.  Returns -1 with EXIT_USAGE if there is nothing to draw,
 * and with EXIT_INPUT if the picture needs a target and the sentence has no target.
 */
int look_picture(struct look *l, const struct attention_variant *v,
		 const struct attention_picture *p, size_t site, int head,
		 struct look_labels *labels, struct panel *panel, struct err *e) MUST_USE;

#endif
