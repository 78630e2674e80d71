/*
 * layer-names: how Marian, Hugging Face transformers and CTranslate2 name the tensors of layers,
 * for nmt-import and nmt-export.
 */
#ifndef LAYER_NAMES_H
#define LAYER_NAMES_H

#include <stdbool.h>

/*
 * A name consists of side[0 or 1], before, the number of the layer, after, the group, which may be
 * empty, and the rest: "encoder" "_l" "1" "_" "self_" "Wq".  The names of norms of attention have
 * no group.  A rest that is NULL stands for a tensor that the layers do not have.  All texts are
 * constants, except those of layer_names_huggingface().
 */
struct layer_names {
	const char *side[2], *before, *after;	/* side: encoder and decoder */
	int first;			/* number of the first layer */
	bool transposed;		/* matrices are [in, out], otherwise [out, in] */
	bool fused;			/* one tensor has queries, keys and values, or keys and
					 * values of cross-attention, one below the other */
	const char *attention[2];	/* groups: self-attention, cross-attention */
	/*
	 * Rests of an attention layer: queries, keys, values, output.  With `fused`, there are only
	 * the first two or three.  Self-attention: queries with keys and values; output.
	 * Cross-attention: queries; keys with values; output.
	 */
	const char *weight[4], *bias[4];
	const char *attention_norm[2][2];	/* [self, cross][gain, bias] rests */
	const char *ff_group[2];	/* [encoder, decoder] the group of a feed-forward layer and
					 * its norm */
	const char *ff[4];		/* rests: weight and bias of the hidden layer, weight and
					 * bias of the output */
	const char *gate;		/* rest: weight of the second hidden layer */
	const char *ff_norm[2];		/* rests: gain, bias */
};

/*
 * The name of a tensor of layer `number`, from 1, such as that with the rest "Wq" in the group
 * "self_".  The caller frees it.
 */
char *layer_tensor(const struct layer_names *n, bool decoder, int number, const char *group,
		   const char *rest);

/*
 * These functions overwrite n.
 *
 * With `pre_norm`, the names of the norms are those of models whose norms come before the layers
 * (--transformer-preprocess).
 */
void layer_names_marian(struct layer_names *n, bool pre_norm);
/*
 * `encoder` and `decoder` are the beginnings of the names, such as "model.encoder" and
 * "model.decoder"; they must outlive n.
 */
void layer_names_huggingface(struct layer_names *n, const char *encoder, const char *decoder);
/* The names of T5, which has no biases; `gated`: feed-forward layers have two hidden layers. */
void layer_names_t5(struct layer_names *n, bool gated);
/* The names of TransformerSpec, which nmt-import gives to the tensors of older models, too. */
void layer_names_ctranslate2(struct layer_names *n);

#endif
