/*
 * layer: one layer of the encoder or decoder, layer_run(), and the stack of layers, stack_run().
 *
 *	embedding	dropout(scale * table[id] + positions (+ bias)), or with embed_norm
 *			dropout(norm(...)); the node before the norm is "src.embed" or "tgt.embed"
 *	sublayers	self-attention, in the decoder cross-attention, feed-forward
 *	sublayer	post-norm: norm(x + dropout(f(x))); pre-norm: x + dropout(f(norm(x)))
 *	last		with final_norm, a norm
 *
 * A site is an attention layer (attention/attention.h).  Training and decoding compute layers with
 * the same code, and pass a function, `attend`, that computes the head outputs of a site:
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
 * Sets n->context, the head outputs [rows, heads * head_dim] of the site of `a`, from n->x, the
 * input of the attention sublayer [rows, width], which is normalized with pre-norm.  layer_run()
 * calls it for each site with heads, with the `arg` of layer_run().  The struct att_nodes is
 * described in attention.h.
 */
typedef void layer_attention(struct model *m, struct tape *t, const struct attention_layer *a,
			     struct att_nodes *n, const void *arg);

/*
 * Returns the output [rows, width] of a layer for its input x [rows, width].  With
 * LAYER_DECODER_REST, x is the output of self-attention in a decoder layer, and only the sublayers
 * after it are computed.  A site without heads adds only the bias of its output projection, if
 * there is one.
 */
enum layer_part { LAYER_ENCODER, LAYER_DECODER, LAYER_DECODER_REST };
struct node *layer_run(struct model *m, struct tape *t, struct node *x, const struct layer *layer,
		       enum layer_part part, layer_attention *attend, const void *arg);

/* layer_attend_batch() computes all positions of a batch.  Its `arg` is a struct layer_batch. */
struct layer_batch {
	const struct batch *batch;
	struct node *memory;		/* output of the encoder; NULL in the encoder */
	struct node *projected;		/* output of the projection qkv of self-attention, or kv of
					 * cross-attention, if the caller has computed it; or
					 * NULL */
	const real *gates;		/* [heads of all sites] gates in place of those of
					 * model_gate(); or NULL */
	/*
	 * NULL, or a function that is called with `arg` at each site, and returns the node to use
	 * in place of the values v.
	 */
	struct node *(*values)(void *arg, struct tape *t, size_t site, struct node *v);
	void *arg;
};
layer_attention layer_attend_batch;

/*
 * The rows of queries and keys at a site, for functions `attend` of other files.  A query is
 * allowed to attend to the keys of its own sentence.
 */
struct att_rows {
	size_t site;
	const struct layout *queries, *keys;	/* layouts of n->q, and of n->k and n->v */
	bool causal;			/* no query attends to later keys */
};
/*
 * Sets n->context, the head outputs, from the queries n->q, keys n->k and values n->v, with the
 * hooks of the attention variants at the site.  Ends with layer_heads().
 */
void layer_attend(struct model *m, struct tape *t, const struct att_rows *l, struct att_nodes *n);
/*
 * Changes the head outputs n->context.  Applies the context hooks of the variants, the replacement
 * of model_patch(), the gates (n->row_gates or n->gates, otherwise those of model_gate()), and the
 * heads hooks, in this order.
 */
void layer_heads(struct model *m, struct tape *t, size_t site, struct att_nodes *n);
/*
 * layer_dense() returns x weight' + bias, without a bias if that is NULL.  layer_norm() normalizes
 * the rows of x with layer norm, or with RMS norm, which has no bias.
 */
struct node *layer_dense(struct tape *t, struct node *x, const struct dense *d);
struct node *layer_norm(const struct model *m, struct tape *t, struct node *x,
			const struct norm *n);

/*
 * Runs the encoder or, if `target` is true, the decoder on one side of a batch: stack_embed(), all
 * layers, and stack_end().  Returns [rows, width].  The tape refers to `side`, which must live
 * until the tape is rewound.
 */
struct node *stack_run(struct model *m, struct tape *t, const struct batch_side *side, bool target,
		       layer_attention *attend, const void *arg);
/* The factor of embeddings by config.embed_scale: 1, or the square root of the width. */
real stack_embed_scale(const struct model *m);
/*
 * The parts of stack_run() before and after the layers.  stack_embed() returns the embeddings of a
 * side.  stack_end() applies the final norm, if there is one, and divides the decoder output as
 * config.output_scale says.
 */
struct node *stack_embed(const struct model *m, struct tape *t, const struct batch_side *side,
			 bool target);
struct node *stack_end(const struct model *m, struct tape *t, struct node *x, bool target);

#endif
