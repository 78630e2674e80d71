/*
 * layer-names: how Marian, Hugging Face transformers and CTranslate2 name the tensors of layers,
 * for nmt-import and nmt-export.
 */
#ifndef LAYER_NAMES_H
#define LAYER_NAMES_H

#include <stdbool.h>

#define HF_POSITION_OFFSET 2		/* rows before the first position of a BART table */

/*
 * The tensors that each side has outside its layers: gain and bias of the final norm, and of the
 * norm after the embeddings; the table of trained positions.
 */
enum side_part {
	SIDE_GAIN, SIDE_BIAS, SIDE_EMBED_GAIN, SIDE_EMBED_BIAS, SIDE_POSITIONS, SIDE_PARTS
};

/*
 * A name consists of six parts: side[0] for the encoder or side[1] for the decoder, `before`, the
 * number of the layer, `after`, a group, which may be empty, and a rest.  An example is "encoder"
 * "_l" "1" "_" "self_" "Wq".  The names of the norms of attention have an empty group.  A rest that
 * is NULL stands for a tensor that the layers do not have.  The texts are constants, except those
 * given to layer_names_huggingface().
 */
struct layer_names {
	const char *side[2], *before, *after;
	int first;			/* number of the first layer: 0 or 1 */
	bool transposed;		/* matrices are [in, out], otherwise [out, in] */
	bool fused;			/* one tensor has the rows for queries, keys and values of
					 * self-attention, in this order; and one tensor those for
					 * keys and values of cross-attention */
	const char *attention[2];	/* the groups of self-attention and of cross-attention */
	/*
	 * The rests of an attention layer: of the projections for queries, keys, values and output.
	 * With `fused`, self-attention has two rests: queries with keys and values; output.
	 * Cross-attention then has three rests: queries; keys with values; output.
	 */
	const char *weight[4], *bias[4];
	const char *attention_norm[2][2];	/* rests: [self, cross][gain, bias] */
	const char *ff_group[2];	/* [encoder, decoder] the group of a feed-forward layer and
					 * its norm */
	const char *ff[4];		/* rests: weight and bias of the hidden layer, weight and
					 * bias of the output */
	const char *gate;		/* rest: weight of the second hidden layer of gated
					 * feed-forward layers */
	const char *ff_norm[2];		/* rests: gain, bias */
	const char *of_side[SIDE_PARTS];	/* ends of the names of tensors outside layers,
						 * which begin with side[]; NULL: no such tensor */
	int first_position;		/* the row of SIDE_POSITIONS for the first position */
};

/*
 * The parameter of a part of the encoder, or the decoder.  side_tensor() returns the name of its
 * tensor, which the caller frees.
 */
const char *side_param(enum side_part part, bool decoder);
char *side_tensor(const struct layer_names *n, enum side_part part, bool decoder);

/*
 * Returns the name of the tensor of layer `number`, from 1, of the encoder or the decoder, that has
 * this group and rest, such as "self_" and "Wq".  The caller frees the name.
 */
char *layer_tensor(const struct layer_names *n, bool decoder, int number, const char *group,
		   const char *rest);

/*
 * The following functions set n to the names of a toolkit.
 *
 * The names of Marian.  If `pre_norm` is true, the norms have the names of models whose norms are
 * before the sublayers (--transformer-preprocess).
 */
void layer_names_marian(struct layer_names *n, bool pre_norm);
/*
 * The names of Hugging Face transformers.  `encoder` and `decoder` are the beginnings of the names,
 * such as "model.encoder" and "model.decoder"; they are not copied, and must outlive n.
 */
void layer_names_huggingface(struct layer_names *n, const char *encoder, const char *decoder);
/*
 * The names of T5, which has no biases.  `gated`: feed-forward layers have two hidden layers, one
 * of which gates the other.
 */
void layer_names_t5(struct layer_names *n, bool gated);
/*
 * The names of CTranslate2's TransformerSpec; ct2_open() gives these names to the tensors of older
 * models, too (ctranslate2-file.h).
 */
void layer_names_ctranslate2(struct layer_names *n);

#endif
