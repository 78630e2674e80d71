/*
 * layers: a model's parameters by their place, for the files that compute with
 * them (transformer.c, decoder.c).  Names in model files follow the fields:
 * "enc.1.self.qkv.weight", "dec.2.ff.norm.gain".
 */
#ifndef LAYERS_H
#define LAYERS_H

#include "model/model.h"

struct dense { struct param *weight, *bias; };		/* [out, in], [out] */
struct norm { struct param *gain, *bias; };		/* [width] each */

/*
 * Self-attention reads qkv [3A,D]; cross-attention q [A,D] and kv [2A,D]; A = heads * head_dim
 * is D while no head was removed.  Without heads only out.bias is there, and the norm if it
 * stands behind.
 */
struct attention_layer {
	size_t site;
	int width;				/* A */
	struct dense qkv, q, kv, out;		/* no out where a variant owns it */
	struct norm norm;
};

struct layer {
	struct attention_layer self, cross;	/* cross: decoder only */
	struct dense ff_in, ff_out;
	struct norm ff_norm;
};

struct model_layers {
	struct param *src_embed, *tgt_embed, *src_bias;		/* [V,D], [V,D], [D] or NULL */
	struct param *output, *output_bias;		/* [V,D], maybe an embedding; [V] or NULL */
	const struct prepared **output_part;			/* of model_prepare(), or NULL */
	struct param *src_position, *tgt_position;		/* [max_length,D] if they are learned */
	struct norm src_norm, tgt_norm;				/* with embed_norm */
	struct norm enc_norm, dec_norm;				/* with final_norm */
	struct layer *enc, *dec;
};

/*
 * m->sites by m's configuration, without the heads of a list or NULL.  -1: EXIT_USAGE, and
 * sites_free() all the same.
 */
int sites_new(struct model *m, const char *removed, struct err *e);
void sites_free(struct model *m);

/* Adds all parameters to m->params; m's configuration, vocabularies and sites are there. */
void layers_new(struct model *m);
void layers_free(struct model *m);

/*
 * dropout(scale * table[id] + positions (+ bias)), or dropout(norm(...)) with embed_norm, of one side
 * of a batch, which must outlive the tape.  The node before the norm is called "src.embed" or
 * "tgt.embed".
 */
struct node *layers_embed(const struct model *m, struct tape *t, const struct batch_side *side,
			  bool target);
struct node *layers_dense(struct tape *t, struct node *x, const struct dense *d);
struct node *layers_norm(const struct model *m, struct tape *t, struct node *x,
			 const struct norm *n);

/*
 * Before a sublayer: x, or its norm.  Behind it: x and the sublayer's y joined, maybe with a norm.
 */
struct node *layers_before(const struct model *m, struct tape *t, struct node *x,
			   const struct norm *n);
struct node *layers_after(const struct model *m, struct tape *t, struct node *x, struct node *y,
			   const struct norm *n);
struct node *layers_feed_forward(const struct model *m, struct tape *t, struct node *x,
				 const struct layer *l);

/* Who looks at whom at one site. */
struct att_rows {
	size_t site;
	const struct layout *queries, *keys;
	bool causal;
};

/* Attention from q, k, v to the context, through the hooks of the site if it has any. */
struct node *layers_attend(struct model *m, struct tape *t, const struct att_rows *l,
			   struct att_nodes *n);
/* What the heads bring home, n->context, through the hooks that take it from there. */
struct node *layers_heads(struct model *m, struct tape *t, size_t site, struct att_nodes *n);
/* The context, each head times the model's gate for it if gates are set; see model_gate(). */
struct node *layers_gate(const struct model *m, struct tape *t, size_t site, struct node *context);
/*
 * Multiplies the columns of the site's output projection that read a head by gate[head], for good.
 * s is one of m->sites.  false, and nothing is done: no head is left, or a variant joins the heads
 * first or has a projection of its own.
 */
bool layers_scale_output(struct model *m, const struct site *s, const real *gate);
void gates_free(struct model *m);
/* In the place of a sublayer that has no heads left: its output projection's bias joined with x. */
struct node *layers_headless(struct model *m, struct tape *t, struct node *x,
			     const struct attention_layer *a);
/* What the site gives back, [R,D]: the projection of the context, or what a variant puts there. */
struct node *layers_output(struct model *m, struct tape *t, const struct attention_layer *a,
			   const struct att_nodes *n);

#endif
