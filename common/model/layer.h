/*
 * layer: one layer of the encoder or decoder, layer_run(), and the stack of layers, stack_run().
 *
 *	embedding	dropout(scale * table[id] + positions (+ bias)), or with embed_norm
 *			dropout(norm(...)); the node before the norm is "src.embed" or "tgt.embed"
 *	sublayers	self-attention, in the decoder cross-attention, feed-forward
 *	sublayer	post-norm: norm(x + dropout(f(x))); pre-norm: x + dropout(f(norm(x)))
 *	last		with final_norm, a norm
 *
 * There is no other code for a layer.  Its users differ in how a site gets its head outputs, which
 * is the function `attend`:
 *
 *	transformer.c		layer_attend_batch(), for all positions of a batch
 *	layer-pass.c		the same, or head outputs of an earlier pass
 *	value-zeroing.c		the same, with values replaced by zeros
 *	search/decoder.c	one position of each hypothesis, with keys and values from a cache
 */
#ifndef LAYER_H
#define LAYER_H

#include "model/layer-params.h"

/*
 * Sets n->context, the head outputs of a site, from n->x, the input of its sublayer.  Called for
 * each site with heads.  `arg` is that of layer_run().
 */
typedef void layer_attention(struct model *m, struct tape *t, const struct attention_layer *a,
			     struct att_nodes *n, const void *arg);

/*
 * The output of a layer for its input x.  LAYER_DECODER_REST: x is the output of self-attention,
 * and the layer begins with cross-attention.  A site without heads contributes the bias of its
 * output projection, if there is one.
 */
enum layer_part { LAYER_ENCODER, LAYER_DECODER, LAYER_DECODER_REST };
struct node *layer_run(struct model *m, struct tape *t, struct node *x, const struct layer *layer,
		       enum layer_part part, layer_attention *attend, const void *arg);

/* An attend() for all positions of a batch; its arg is a struct layer_batch. */
struct layer_batch {
	const struct batch *batch;
	struct node *memory;		/* output of the encoder; NULL in the encoder */
	struct node *projected;		/* the output of qkv or kv of the site, if the caller has
					 * computed it; or NULL */
	/* A function that replaces the values v of each site, with its argument; or NULL. */
	struct node *(*values)(void *arg, struct tape *t, size_t site, struct node *v);
	void *arg;
};
layer_attention layer_attend_batch;

/*
 * For other functions attend(): the rows of a site, where each query attends to the keys of its
 * sentence.
 */
struct att_rows {
	size_t site;
	const struct layout *queries, *keys;	/* rows of n->q, and of n->k and n->v */
	bool causal;			/* queries do not attend to future keys */
};
/* Sets n->context from n->q, n->k and n->v, with the hooks of the site; ends with layer_heads(). */
void layer_attend(struct model *m, struct tape *t, const struct att_rows *l, struct att_nodes *n);
/* Applies the hooks of context and heads, model_patch(), and gates to n->context. */
void layer_heads(struct model *m, struct tape *t, size_t site, struct att_nodes *n);
/*
 * layer_dense() returns x w' + b, without b if it is NULL; layer_norm() normalizes the rows of x in
 * the way of the model.
 */
struct node *layer_dense(struct tape *t, struct node *x, const struct dense *d);
struct node *layer_norm(const struct model *m, struct tape *t, struct node *x,
			const struct norm *n);

/*
 * Encoder or decoder: embeds one side of a batch and runs all layers; returns the output of the
 * last one.  The side must outlive the tape.
 */
struct node *stack_run(struct model *m, struct tape *t, const struct batch_side *side, bool target,
		       layer_attention *attend, const void *arg);
/* The factor by which embeddings are multiplied: 1, or the square root of the width. */
real stack_embed_scale(const struct model *m);
/* The parts of stack_run() before and after the layers: embeddings, and the final norm. */
struct node *stack_embed(const struct model *m, struct tape *t, const struct batch_side *side,
			 bool target);
struct node *stack_end(const struct model *m, struct tape *t, struct node *x, bool target);

#endif
