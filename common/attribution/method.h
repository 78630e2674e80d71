/*
 * method: token attributions other than LRP, each in one file.
 *
 * lrp.c runs the model on a sentence and finds the most probable token of each target position; a
 * method then fills the attributions of the source tokens and of what the decoder reads.
 */
#ifndef METHOD_H
#define METHOD_H

#include <stdbool.h>

#include "attribution/lrp.h"
#include "base/arena.h"
#include "model/model.h"

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
	int foil, steps;		/* as in struct lrp_tracer */
	struct lrp_sentence *out;	/* src and tgt are zeros; token and none are set */
};

struct lrp_method {
	int (*run)(struct method_run *r, struct err *e);	/* -1 names no record */
	bool gradients;			/* gates have gradients; one sentence at a time */
	bool foil;			/* it depends on the token and on the foil */
	bool sums;			/* attributions of a position sum to 1 */
	bool steps;			/* it takes steps, and sets the gap of its result */
};

extern const struct lrp_method method_alti, method_chefer, method_value_zeroing;
extern const struct lrp_method method_integrated, method_rollout;

/*
 * A batch of n copies of the sentence, in the tape's arena.  Rewinds the tape and discards all of
 * the first pass.  Returns -1 as model_batch().
 */
int method_copies(struct method_run *r, int n, struct batch *b, struct err *e) MUST_USE;
/*
 * Runs copies for the target positions first ... first + n - 1, of which b is the batch, and must
 * live as long as the tape.  *sum is the sum of the logits of logit_weights(), without biases, of
 * position first + i in copy i.  Its input is a matrix with the terms of each logit in a row.
 * Returns -1 as method_copies().
 */
int method_logits(struct method_run *r, int first, int n, struct batch *b, struct node **sum,
		  struct err *e) MUST_USE;
/* The number of copies of a sentence with this number of rows that run together. */
int method_together(int rows);

/* A tape_watch of the first pass, with a method_run as arg, which fills residual. */
void method_watch(void *arg, const struct node *n, enum tape_phase phase, bool done);

/* The index in residual of a layer's first connection; the layers of a side count from 0. */
int method_layer(const struct model *m, bool target, int layer);

/*
 * For methods that start from the logit of a token, or from the difference of two: the logit is
 * w h + bias, where h is a row of the decoder output.  Stores w [width] and returns the bias.
 * Unless `foil` is -1, w and the bias of the foil are subtracted.
 */
real logit_weights(const struct model *m, int token, int foil, real *w);

/*
 * The id of a target vocabulary entry.  Returns -1 with EXIT_USAGE if there is none; the message
 * does not name the option.
 */
int logit_token(const struct model *m, const char *text, int *id, struct err *e) MUST_USE;

/*
 * Contributions of tokens through all layers, from those within each layer.
 *
 * A layer gives each of its rows as a mixture of its inputs, with weights that sum to 1.  The
 * mixtures of all layers are multiplied (Abnar and Zuidema 2020, Quantifying attention flow in
 * transformers, equation 1).  A row of the decoder also mixes the outputs of the encoder, whose own
 * contributions are substituted (Ferrando et al. 2022, Towards opening the black box of neural
 * machine translation, section 4).
 */
struct rollout {
	int sources, targets;		/* S, T: rows of the encoder and of the decoder */
	double *enc;			/* [S, S] source tokens in the rows of the encoder */
	double *src, *tgt;		/* [T, S], [T, T] both in the rows of the decoder */
	double *room;			/* [max(S, T), max(S, T)] */
};

/* All matrices are in `mem`.  Each row contributes 1 to itself. */
void rollout_init(struct rollout *r, int sources, int targets, struct arena *mem);
/* Adds the next layer of the encoder, a mixture of its rows [S, S]. */
void rollout_encoder(struct rollout *r, const double *self);
/*
 * Adds the next layer of the decoder, a mixture of its rows, `self` [T, T], and of the rows of the
 * encoder, `cross` [T, S].
 */
void rollout_decoder(struct rollout *r, const double *self, const double *cross);

/* out [m, n] += a [m, k] b [k, n], or a' b with a [k, m] if turned */
void rollout_add_product(int m, int k, int n, bool turned, const double *a, const double *b,
			 double *out);

#endif
