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
	struct model *m;		/* all its gates (model_gate()) are 1 */
	struct tape *tape;		/* the forward pass over the sentence, until a method
					 * rewinds the tape */
	struct node *memory, *h;	/* the outputs of encoder and decoder */
	/*
	 * [n_residual] The nodes of the residual connections, which include the norm in post-norm
	 * models, in order: for each layer of the encoder those of self-attention and feed-forward,
	 * and for each layer of the decoder those of self-attention, cross-attention and
	 * feed-forward.
	 */
	struct node **residual;
	int n_residual;
	struct arena *keep;		/* memory that lasts until the next sentence */
	const struct record *rec;	/* the sentence */
	int64_t number;			/* of the record in its stream, from 0 */
	bool cut;			/* as in struct lrp_tracer */
	int foil, steps;		/* as in struct lrp_tracer */
	struct lrp_sentence *out;	/* the result: token and none are set; run() adds to src and
					 * tgt, which are zeros */
};

struct lrp_method {
	int (*run)(struct method_run *r, struct err *e);	/* returns 0, or -1 with an error
								 * that does not name the record */
	bool gradients;			/* needs gradients of the gates, and one sentence at a
					 * time */
	bool foil;			/* the result depends on the token and on the foil */
	bool sums;			/* the attributions of a position sum to 1 */
	bool steps;			/* reads `steps`, and sets `gap` of its result */
};

extern const struct lrp_method method_alti, method_chefer, method_value_zeroing;
extern const struct lrp_method method_integrated, method_rollout;

/*
 * A batch of n copies of the sentence, in the tape's arena.  Rewinds the tape and discards all of
 * the first pass.  Returns -1 as model_batch().
 */
int method_copies(struct method_run *r, int n, struct batch *b, struct err *e) MUST_USE;
/*
 * Runs the model on n copies of the sentence, of which copy i is for target position first + i.
 * Makes their batch in b, which must live as long as the tape.  *sum becomes the sum over i of the
 * logit, without bias, of that position in copy i; the logit is the one of logit_weights().  The
 * input of *sum is a matrix with the terms w_k h_k of the logit of copy i in row i.  Returns -1 as
 * method_copies().
 */
int method_logits(struct method_run *r, int first, int n, struct batch *b, struct node **sum,
		  struct err *e) MUST_USE;
/* The number of copies to run in one batch, for a sentence with `rows` rows. */
int method_together(int rows);

/* A tape_watch for the first pass, which fills residual of the struct method_run at `arg`. */
void method_watch(void *arg, const struct node *n, enum tape_phase phase, bool done);

/*
 * The index in `residual` of the first connection of a layer of the encoder or, if `target`, of the
 * decoder; layers count from 0.
 */
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
 * Contributions of tokens to the rows of the last layer, from the contributions within each layer.
 *
 * A layer gives each of its rows as a mixture of its inputs, with weights that sum to 1.  The
 * mixtures of all layers are multiplied (Abnar and Zuidema 2020, Quantifying attention flow in
 * transformers, equation 1).  A row of the decoder also mixes the outputs of the encoder, whose own
 * contributions are substituted (Ferrando et al. 2022, Towards opening the black box of neural
 * machine translation, section 4).
 */
struct rollout {
	int sources, targets;		/* S, T: rows of the encoder and of the decoder */
	double *enc;			/* [S, S] contributions of source tokens to the rows of the
					 * encoder */
	double *src, *tgt;		/* [T, S], [T, T] contributions of source and target tokens
					 * to the rows of the decoder */
	double *room;			/* [max(S, T), max(S, T)] scratch memory */
};

/*
 * Makes the matrices in `mem`.  At first, each row consists of its own token: the contribution of
 * this token is 1, and those of all others are 0.
 */
void rollout_init(struct rollout *r, int sources, int targets, struct arena *mem);
/* Adds the next layer of the encoder, a mixture of its rows [S, S]. */
void rollout_encoder(struct rollout *r, const double *self);
/*
 * Adds the next layer of the decoder, a mixture of its rows, `self` [T, T], and of the rows of the
 * encoder, `cross` [T, S].
 */
void rollout_decoder(struct rollout *r, const double *self, const double *cross);

/*
 * out [m, n] += a b, where a is [m, k] and b is [k, n]; if `turned`, a is given as its transpose,
 * [k, m].
 */
void rollout_add_product(int m, int k, int n, bool turned, const double *a, const double *b,
			 double *out);

#endif
