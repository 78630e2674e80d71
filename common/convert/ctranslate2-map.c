/* ctranslate2-map: the tensors of CTranslate2, by parameter; see ctranslate2-parts.h. */
#include <stdlib.h>

#include "base/mem.h"
#include "convert/ctranslate2-parts.h"

static const char *const sides[2] = { "encoder", "decoder" };

/* A parameter that each side has, from the tensor of that side. */
static int
map_both(struct import *im, const char *const param[2], const char *tensor, struct err *e)
{
	int r = 0;

	for (int side = 0; !r && side < 2; side++) {
		char *name = xasprintf("%s/%s", sides[side], tensor);

		r = mapping_add_one(&im->map, param[side], name, e);
		free(name);
	}
	return r;
}

/* Settings, which are read already, and those that only training or a beam of CTranslate2 needs. */
static void
ignore_settings(struct import *im)
{
	static const char *const sided[] = {
		"num_heads", "pre_norm", "activation", "embeddings_merge", "scale_embeddings",
		"multi_query_attention", "alignment_layer", "alignment_heads", "alibi",
		"alibi_use_positive_positions", "scale_alibi", "start_from_zero_embedding",
		"embeddings/multiply_by_sqrt_depth", "embeddings_0/multiply_by_sqrt_depth",
	};
	static const char *const both[] = {
		"num_heads", "pre_norm", "activation", "embeddings_merge", "alignment_layer",
		"alignment_heads", "unk_token", "bos_token", "eos_token", "with_source_bos",
		"with_source_eos", "with_target_bos", "user_decoder_start_tokens",
	};

	for (size_t i = 0; i < 2 * sizeof(sided) / sizeof(*sided); i++) {
		char *name = xasprintf("%s/%s", sides[i % 2], sided[i / 2]);

		mapping_ignore(&im->map, name, "a setting");
		free(name);
	}
	for (size_t i = 0; i < sizeof(both) / sizeof(*both); i++)
		mapping_ignore(&im->map, both[i], "a setting");
}

static void
ignore_copies(struct import *im)
{
	static const char *const sinusoids[2] = { "encoder/position_encodings/encodings",
						  "decoder/position_encodings/encodings" };

	for (int side = 0; side < 2; side++) {
		mapping_ignore(&im->map, ct2_table(im, side), "a copy of a table that is tied");
		if (im->config.positions != POSITIONS_LEARNED)
			mapping_ignore(&im->map, sinusoids[side],
				       "the sinusoids that positions are computed with");
	}
	mapping_ignore(&im->map, CT2_OUTPUT, "a copy of a table that is tied");
}

int
ct2_map(struct import *im, struct err *e)
{
	static const char *const gain[2] = { "enc.norm.gain", "dec.norm.gain" };
	static const char *const bias[2] = { "enc.norm.bias", "dec.norm.bias" };
	static const char *const embed_gain[2] = { "src.embed.norm.gain", "tgt.embed.norm.gain" };
	static const char *const embed_bias[2] = { "src.embed.norm.bias", "tgt.embed.norm.bias" };
	static const char *const position[2] = { "src.position.weight", "tgt.position.weight" };
	const struct model_config *c = &im->config;
	struct layer_names names;

	layer_names_ctranslate2(&names);
	if (import_tables(im, ct2_table(im, 0), ct2_table(im, 1), CT2_OUTPUT, false, e) ||
	    import_layers(im, &names, e))
		return -1;
	if (c->final_norm && (map_both(im, gain, "layer_norm/gamma", e) ||
			      map_both(im, bias, "layer_norm/beta", e)))
		return -1;
	if (c->embed_norm && (map_both(im, embed_gain, "layernorm_embedding/gamma", e) ||
			      map_both(im, embed_bias, "layernorm_embedding/beta", e)))
		return -1;
	if (c->positions == POSITIONS_LEARNED &&
	    map_both(im, position, "position_encodings/encodings", e))
		return -1;
	if (c->output_bias &&
	    import_table(im, "output.bias", "decoder/projection/bias", 1, false, e))
		return -1;
	ignore_settings(im);
	ignore_copies(im);
	return 0;
}
