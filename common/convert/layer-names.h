/*
 * layer-names: how Marian, Hugging Face transformers and CTranslate2 name the tensors of layers,
 * for nmt-import and nmt-export.
 */
#ifndef LAYER_NAMES_H
#define LAYER_NAMES_H

#include <stdbool.h>

/*
 * A name consists of side[0 or 1], before, the number of the layer, after, and the rest:
 * "encoder" "_l" "1" "_" "self_" "Wq".
 */
struct layer_names {
	const char *side[2], *before, *after;	/* side: encoder and decoder */
	int first;			/* number of the first layer */
	bool transposed;		/* matrices are [in, out] */
	bool fused;			/* one tensor has queries, keys and values, or keys and
					 * values of cross-attention, one below the other */
	const char *attention[2];	/* self-attention, cross-attention */
	const char *weight[4], *bias[4];	/* names for query, key, value and output; with
						 * `fused`, the fused tensors and the output */
	const char *attention_norm[2][2];	/* gain and bias of the norm of each */
	const char *ff_group[2];	/* of feed-forward layers of each side, and their norms */
	const char *ff[4];		/* weight and bias: of the hidden layer, of the output */
	const char *gate;		/* weight of the second hidden layer, or NULL */
	const char *ff_norm[2];		/* gain, bias */
};

/*
 * The name of a tensor of layer `number`, from 1, such as the tensor `rest` "Wq" of the `group`
 * "self_".  The caller frees it.
 */
char *layer_tensor(const struct layer_names *n, bool decoder, int number, const char *group,
		   const char *rest);

/*
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
