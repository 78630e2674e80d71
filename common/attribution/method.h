/*
 * method: what methods of token attribution other than relevance propagation (lrp.h) share.  Each
 * method is one file.
 *
 * lrp_trace() runs the model on a sentence and finds the most probable token of each target
 * position.  Then it calls the method, which sets the attributions of the source tokens and of the
 * tokens that the decoder reads.
 */
#ifndef METHOD_H
#define METHOD_H

#include <stdbool.h>

#include "attribution/lrp.h"
#include "base/arena.h"
#include "model/model.h"

struct method_run {
	struct model *m;		/* all its gates (model_gate()) are 1 */
	struct tape *tape;		/* has the forward pass over the sentence, until the method
					 * rewinds it */
	struct node *memory, *h;	/* output of the encoder, and of the decoder */
	/*
	 * [n_residual] The results of the residual connections, in a post-norm model after the
	 * normalization.  First, for each layer of the encoder, those of self-attention and of the
	 * feed-forward sublayer; then, for each layer of the decoder, those of self-attention, of
	 * cross-attention and of the feed-forward sublayer.
	 */
	struct node **residual;
	int n_residual;
	struct arena *keep;		/* memory that lasts until the next sentence */
	const struct record *rec;	/* the sentence */
	int64_t number;			/* of the record in its stream, from 0 */
	bool cut;			/* truncate sentences that are too long */
	int foil, steps;		/* id of the foil, or -1; number of steps (lrp.h) */
	struct lrp_sentence *out;	/* the result; `token` and `none` are already set, and `src`
					 * and `tgt`, which run() sets, are zeros */
};

struct lrp_method {
	int (*run)(struct method_run *r, struct err *e);	/* sets r->out; returns 0, or -1
								 * with a message that does not name
								 * the record */
	bool gradients;			/* needs gradients of the gates; sentences then run one
					 * after another */
	bool foil;			/* attributions are for the logit of the token minus that of
					 * the foil */
	bool sums;			/* the attributions of a position sum to 1 */
	bool steps;			/* reads r->steps, and sets r->out->gap */
};

extern const struct lrp_method method_alti, method_chefer, method_value_zeroing;
extern const struct lrp_method method_integrated, method_rollout;

/*
 * Makes a batch of `n` copies of a record with this number, in `mem`.  `cut`: a sentence longer
 * than the model allows is truncated, otherwise it is an error.  Returns -1 as model_batch().
 */
int method_batch(struct model *m, const struct record *rec, int64_t number, bool cut, int n,
		 struct arena *mem, struct batch *b, struct err *e) MUST_USE;
/*
 * Makes a batch of `n` copies of the sentence, in the arena of the tape.  Rewinds the tape before,
 * so that r->memory, r->h and r->residual are no longer valid.  Returns -1 as model_batch().
 */
int method_copies(struct method_run *r, int n, struct batch *b, struct err *e) MUST_USE;
/*
 * Runs the model on `n` copies of the sentence, as one batch `b`, which must live as long as the
 * tape.  Copy i is for target position `first` + i.  Sets *sum to a node: the sum over i of the
 * logit at that position in copy i, without bias, for the weights w of logit_weights().  The input
 * of this node is a matrix with the rows of the decoder output.  Row b->tgt.layout.start[i] +
 * `first` + i has the terms w_k h_k of the logit of copy i, and all other rows are 0.  Returns -1
 * as method_copies().
 */
int method_logits(struct method_run *r, int first, int n, struct batch *b, struct node **sum,
		  struct err *e) MUST_USE;
/* The number of copies that should be run in one batch, for a sentence with `rows` tokens. */
int method_together(int rows);

/*
 * A tape_watch (tape/tape.h) for the forward pass over the sentence, which sets the elements of
 * `residual` in the struct method_run at `arg`.
 */
void method_watch(void *arg, const struct node *n, enum tape_phase phase, bool done);

/*
 * The index in `residual` of the first connection of a layer of the encoder or, if `target` is
 * true, of the decoder.  `layer` counts from 0.
 */
int method_layer(const struct model *m, bool target, int layer);

/*
 * For methods that start from the logit of a token, or from the difference of the logits of a token
 * and the foil: this value is w h + bias, where h is a row of the decoder output.  Stores w, [width
 * of the model], at `w`, and returns the bias.  `foil` -1 means no foil.
 */
real logit_weights(const struct model *m, int token, int foil, real *w);

/*
 * Sets *id to the id of the target vocabulary entry `text`.  Returns -1 with EXIT_USAGE if there is
 * none; the message does not name the command-line option.
 */
int logit_token(const struct model *m, const char *text, int *id, struct err *e) MUST_USE;

/*
 * Contributions of tokens to the rows of the last layer, computed from the contributions within
 * each layer.
 *
 * Each output row of a layer is treated as a mixture of the input rows, with weights that sum to 1.
 * These weights form a matrix for each layer, and the matrices of all layers are multiplied (Abnar
 * and Zuidema 2020, Quantifying attention flow in transformers, equation 1).  Rows of the decoder
 * are also mixtures of encoder outputs; these are replaced by the contributions of source tokens to
 * them (Ferrando et al. 2022, Towards opening the black box of neural machine translation, section
 * 4).
 */
struct rollout {
	int sources, targets;		/* S and T: number of rows of the encoder, and of the
					 * decoder */
	double *enc;			/* [S, S] row i: contributions of the source tokens to row i
					 * of the encoder */
	double *src, *tgt;		/* [T, S], [T, T] row i: contributions of source tokens, and
					 * of target tokens, to row i of the decoder; those of
					 * struct lrp_sentence */
	double *room;			/* [max(S, T), max(S, T)] scratch memory */
};

/*
 * Overwrites *r: `src` and `tgt` are those of the result of `run`, and the other matrices are in
 * its memory.  Before the first layer, each row consists of its own token: the contribution of this
 * token is 1, and those of all others are 0.
 */
void rollout_init(struct rollout *r, const struct method_run *run);
/*
 * Adds the next layer of the encoder.  Row i of `self` [S, S] has the weights with which the rows
 * of the encoder are mixed in row i of the layer's output.
 */
void rollout_encoder(struct rollout *r, const double *self);
/*
 * Adds the next layer of the decoder, after all layers of the encoder.  Row i of `self` [T, T] has
 * the weights of the rows of the decoder in row i of the layer's output, and row i of `cross` [T,
 * S] those of the encoder outputs.
 */
void rollout_decoder(struct rollout *r, const double *self, const double *cross);

/*
 * Adds the matrix product a b to `out` [m, n]; a is [m, k] and b is [k, n].  If `turned` is true,
 * `a` is the transpose of the first matrix, [k, m].
 */
void rollout_add_product(int m, int k, int n, bool turned, const double *a, const double *b,
			 double *out);

#endif
