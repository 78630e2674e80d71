/*
 * method: token attributions other than LRP, each in one file.
 *
 * lrp.c runs the model on a sentence and finds the most probable token of each target position; a
 * method then fills the attributions of the source tokens and of what the decoder reads.
 */
#ifndef METHOD_H
#define METHOD_H

#include "attribution/lrp.h"

struct method_run {
	struct model *m;		/* with gates of 1 */
	struct tape *tape;		/* the pass over the sentence, until it is rewound */
	struct node *memory, *h;	/* the outputs of encoder and decoder */
	/*
	 * The nodes of the residual connections, with or without a norm, in order: for each layer
	 * of the encoder that of self-attention and feed-forward, for each layer of the decoder
	 * those of self-attention, cross-attention and feed-forward.
	 */
	struct node **residual;
	int n_residual;
	struct arena *keep;		/* until the next sentence */
	const struct record *rec;
	int64_t number;
	bool cut;			/* as in struct lrp_tracer */
	int foil;
	struct lrp_sentence *out;	/* src and tgt are zeros; token and none are set */
};

struct lrp_method {
	int (*run)(struct method_run *r, struct err *e);	/* -1 names no record */
	bool gradients;			/* the model must have gradients, one sentence at a time */
	bool foil;			/* it depends on the token and on the foil */
	bool sums;			/* attributions of a position sum to 1 */
};

extern const struct lrp_method method_alti, method_chefer, method_value_zeroing;

/*
 * A batch of n copies of the sentence, in the tape's arena.  Rewinds the tape and discards all of
 * the first pass.  Returns -1 as model_batch().
 */
int method_copies(struct method_run *r, int n, struct batch *b, struct err *e) MUST_USE;
/* The number of copies of a sentence with this number of rows that run together. */
int method_together(int rows);

/* A tape_watch of the first pass, with a method_run as arg, which fills residual. */
void method_watch(void *arg, const struct node *n, enum tape_phase phase, bool done);

/* The index in residual of a layer's first connection; the layers of a side count from 0. */
int method_layer(const struct model *m, bool target, int layer);

#endif
