/*
 * layer-params: the parameters of a model by layer, and functions for all its matrices.
 *
 * The name of a parameter in a model file consists of the names of the members below, with layers
 * counted from 1: "enc.1.self.qkv.weight", "dec.2.ff.norm.gain".  A site is one attention layer
 * (attention/attention.h).
 */
#ifndef LAYER_PARAMS_H
#define LAYER_PARAMS_H

#include "model/model.h"

struct dense { struct param *weight, *bias; };		/* weight [out, in]; bias [out] or NULL.
							 * Empty: both NULL */
struct norm { struct param *gain, *bias; };		/* gain [width]; bias [width], or NULL with
							 * NORM_RMS */

/*
 * Self-attention has the weight qkv [3A,D]; cross-attention has q [A,D] and kv [2A,D].  D is the
 * width of the model.  A is the width of the head outputs: the number of retained heads times
 * head_dim.  A equals D unless heads were pruned or `head_width` is set.  A site without heads has
 * only out.bias, unless the model has no biases, and, with post-norm, the norm of the sublayer.
 */
struct attention_layer {
	size_t site;			/* index in the sites of struct model */
	int width;				/* A */
	struct dense qkv, q, kv, out;		/* out is empty if an attention variant replaces the
						 * output projection */
	struct norm norm;
};

struct layer {
	struct attention_layer self, cross;	/* cross: decoder only */
	struct dense ff_in, ff_gate, ff_out;	/* ff_gate: empty without the setting of this
						 * name */
	struct norm ff_norm;
};

struct model_layers {
	struct param *src_embed, *tgt_embed, *src_bias;		/* [V,D] of each side; [D] or
								 * NULL */
	struct param *output, *output_bias;		/* output [V,D], which is tgt_embed unless
							 * config.tie is TIE_NONE; output_bias [V]
							 * or NULL */
	const struct prepared **output_part;		/* parts of `output` that model_prepare() of
							 * search/next-token.h prepared; or NULL */
	const struct output_rows *output_rows;	/* set by model_prepare_candidates() of
						 * search/next-token.h; or NULL */
	struct param *src_position, *tgt_position;	/* [max_length,D], if trained */
	struct norm src_norm, tgt_norm;			/* empty without embed_norm */
	struct norm enc_norm, dec_norm;				/* empty without final_norm */
	struct layer *enc, *dec;	/* [enc_layers], [dec_layers] */
};

/*
 * Allocates m->layers, and adds its parameters to m->params.  The configuration, vocabularies,
 * sites and attention variants of m must be set.
 */
void layer_params_new(struct model *m);
/* Frees m->layers, which may be NULL, but not the parameters. */
void layer_params_free(struct model *m);

/*
 * Folds gates into the output projection of `s`, a site of m: multiplies the columns that read
 * retained head h by `gate[h]`.  Returns false and does nothing if the site has no heads, or if an
 * attention variant joins the heads before the projection or replaces it.
 */
bool gates_scale_output(struct model *m, const struct site *s, const real *gate);
/* Frees what model_gate() and model_mask() (model.h) allocated. */
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

/* Is p a matrix of matrices_visit(), an embedding table or the output projection? */
bool matrices_have(const struct model *m, const struct param *p);

/*
 * Rounds the parameters for which matrices_have() is true to 8-bit integers with one unit per row
 * (tensor/int8.h), including narrow parameters (tape/params.h).  The model then computes the same
 * values as a model that was saved with these parameters as i8 and loaded again.  Matrix products
 * in int8 do not change, because they round their factors in the same way; embeddings change.
 */
void matrices_round_int8(struct model *m);

#endif
