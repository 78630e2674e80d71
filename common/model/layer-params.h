/*
 * layer-params: a model's parameters by layer, and its matrices.  The names of parameters in model
 * files consist of the names of the members below: "enc.1.self.qkv.weight", "dec.2.ff.norm.gain".
 */
#ifndef LAYER_PARAMS_H
#define LAYER_PARAMS_H

#include "model/model.h"

struct dense { struct param *weight, *bias; };		/* [out, in]; [out] or NULL */
struct norm { struct param *gain, *bias; };		/* [width]; bias may be NULL */

/*
 * Self-attention has qkv [3A,D]; cross-attention has q [A,D] and kv [2A,D].  D is the width of the
 * model, and A = heads * head_dim that of all heads of the site; they are equal unless heads were
 * pruned or head_width is set.  A site without heads has only out.bias, if the model has biases,
 * and the norm if it follows the sublayer.
 */
struct attention_layer {
	size_t site;			/* index in m->sites */
	int width;				/* A */
	struct dense qkv, q, kv, out;		/* no out if a variant replaces it */
	struct norm norm;
};

struct layer {
	struct attention_layer self, cross;	/* cross: decoder only */
	struct dense ff_in, ff_gate, ff_out;	/* ff_gate: only with that setting */
	struct norm ff_norm;
};

struct model_layers {
	struct param *src_embed, *tgt_embed, *src_bias;		/* [V,D], [V,D], [D] or NULL */
	struct param *output, *output_bias;		/* output [V,D], which may be a table of
							 * embeddings (tie); output_bias [V] or
							 * NULL */
	const struct prepared **output_part;		/* prepared parts of `output`, by
							 * model_prepare(); or NULL */
	const struct output_rows *output_rows;	/* of model_prepare_candidates(), or NULL */
	struct param *src_position, *tgt_position;	/* [max_length,D], if trained */
	struct norm src_norm, tgt_norm;			/* with embed_norm */
	struct norm enc_norm, dec_norm;				/* with final_norm */
	struct layer *enc, *dec;	/* [enc_layers], [dec_layers] */
};

/* Adds all parameters to m->params, after configuration, vocabularies and sites are set. */
void layer_params_new(struct model *m);
void layer_params_free(struct model *m);

/*
 * Multiplies the columns of the output projection of s, one of m->sites, that read head h by
 * `gate[h]`.  Returns false and does nothing if the site has no heads, or if a variant joins the
 * heads before the projection or replaces it.
 */
bool gates_scale_output(struct model *m, const struct site *s, const real *gate);
/* Frees what model_gate() and model_mask() allocated. */
void gates_free(struct model *m);

/*
 * The weight matrices and embedding tables of a model, which can be rounded to 8-bit integers
 * (tensor/int8.h).
 */

/*
 * Calls `visit` for each weight matrix [out, in] of the encoder and decoder layers: projections and
 * feed-forward layers, but not the parameters of attention variants.
 */
typedef void matrix_visit(void *arg, struct param *weight);
void matrices_visit(const struct model *m, matrix_visit *visit, void *arg);

/* Is p one of these matrices, an embedding table or the output projection? */
bool matrices_have(const struct model *m, const struct param *p);

/*
 * Rounds all rows of the parameters of which matrices_have() is true, as tensor/int8.h does, also
 * those that are narrow (tape/params.h).  This does not change products in int8, which round their
 * factors themselves, but it changes embeddings.  The model then computes the same values as its
 * file with i8 parameters.
 */
void matrices_round_int8(struct model *m);

#endif
