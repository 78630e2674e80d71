/*
 * layers: a model's parameters by layer, and the recipe of a layer, which training (transformer.c)
 * and incremental decoding (decoder.c) share.  Names in model files follow the members:
 * "enc.1.self.qkv.weight", "dec.2.ff.norm.gain".
 */
#ifndef LAYERS_H
#define LAYERS_H

#include "model/model.h"

struct dense { struct param *weight, *bias; };		/* [out, in], [out] */
struct norm { struct param *gain, *bias; };		/* [width] each */

/*
 * Self-attention has qkv [3A,D]; cross-attention has q [A,D] and kv [2A,D].  A = heads * head_dim
 * is D unless heads were pruned.  A site without heads has only out.bias, and the norm if it
 * follows the sublayer.
 */
struct attention_layer {
	size_t site;
	int width;				/* A */
	struct dense qkv, q, kv, out;		/* no out if a variant replaces it */
	struct norm norm;
};

struct layer {
	struct attention_layer self, cross;	/* cross: decoder only */
	struct dense ff_in, ff_out;
	struct norm ff_norm;
};

struct model_layers {
	struct param *src_embed, *tgt_embed, *src_bias;		/* [V,D], [V,D], [D] or NULL */
	struct param *output, *output_bias;		/* [V,D], may be a tied embedding; [V] or
							 * NULL */
	const struct prepared **output_part;		/* of model_prepare(), or NULL */
	const struct output_rows *output_rows;	/* of model_prepare_candidates(), or NULL */
	struct param *src_position, *tgt_position;	/* [max_length,D], if trained */
	struct norm src_norm, tgt_norm;			/* with embed_norm */
	struct norm enc_norm, dec_norm;				/* with final_norm */
	struct layer *enc, *dec;
};

/*
 * Makes m->sites from m's configuration, without the heads of a list, which may be NULL.  -1 and
 * EXIT_USAGE on error; sites_free() is needed then, too.
 */
int sites_new(struct model *m, const char *removed, struct err *e);
void sites_free(struct model *m);

/* Adds all parameters to m->params, after configuration, vocabularies and sites are set. */
void layers_new(struct model *m);
void layers_free(struct model *m);

struct node *layers_dense(struct tape *t, struct node *x, const struct dense *d);

/*
 * Encoder or decoder: embeds one side of a batch and runs all layers; returns the output of the
 * last one.  The side must outlive the tape.  This is the only recipe of a layer; training and
 * decoding differ in attend, which is called once for each site with heads:
 *
 *	embedding	dropout(scale * table[id] + positions (+ bias)), or with embed_norm
 *			dropout(norm(...)); the node before the norm is "src.embed" or "tgt.embed"
 *	sublayers	self-attention, in the decoder cross-attention, feed-forward
 *	sublayer	post-norm: norm(x + dropout(f(x))); pre-norm: x + dropout(f(norm(x)))
 *	last		with final_norm, a norm
 *
 * attend gets the input of the sublayer as n->x and sets n->context, the head outputs; the output
 * projection follows.  A site without heads has the bias of its output projection as f.
 */
typedef void layers_attention(struct model *m, struct tape *t, const struct attention_layer *a,
			      struct att_nodes *n, const void *arg);
struct node *layers_stack(struct model *m, struct tape *t, const struct batch_side *side,
			  bool target, layers_attention *attend, const void *arg);
/* The parts of layers_stack() before and after the layers. */
struct node *layers_embed(const struct model *m, struct tape *t, const struct batch_side *side,
			  bool target);
struct node *layers_end(const struct model *m, struct tape *t, struct node *x, bool target);
/*
 * The sublayers of one layer of the encoder or the decoder; LAYER_DECODER_REST: those after
 * self-attention.
 */
enum layer_part { LAYER_ENCODER, LAYER_DECODER, LAYER_DECODER_REST };
struct node *layers_one(struct model *m, struct tape *t, struct node *x, const struct layer *layer,
			enum layer_part part, layers_attention *attend, const void *arg);

/* An attend() for all positions of a batch; its argument. */
struct layers_batch {
	const struct batch *batch;
	struct node *memory;		/* output of the encoder; NULL in the encoder */
	struct node *projected;		/* the output of the site's qkv or kv, if known, or NULL */
	/* Replaces the values v of each site; or NULL. */
	struct node *(*values)(void *arg, struct tape *t, size_t site, struct node *v);
	void *arg;
};
void layers_attend_batch(struct model *m, struct tape *t, const struct attention_layer *a,
			 struct att_nodes *n, const void *arg);

/* The rows of a site: queries attend to the keys of their sentence. */
struct att_rows {
	size_t site;
	const struct layout *queries, *keys;
	bool causal;			/* not to future keys */
};

/* Attention from q, k, v to the head outputs, with the hooks of the site; then layers_heads(). */
struct node *layers_attend(struct model *m, struct tape *t, const struct att_rows *l,
			   struct att_nodes *n);
/* Runs the hooks of context and heads on the head outputs n->context. */
struct node *layers_heads(struct model *m, struct tape *t, size_t site, struct att_nodes *n);
/* The head outputs after model_patch() and model_gate(). */
struct node *layers_gate(const struct model *m, struct tape *t, size_t site, struct node *context);
/*
 * Multiplies the columns of the site's output projection that read a head by gate[head].  s is one
 * of m->sites.  Returns false and does nothing if the site has no heads, or if a variant joins the
 * heads before the projection or replaces it.
 */
bool layers_scale_output(struct model *m, const struct site *s, const real *gate);
void gates_free(struct model *m);

#endif
