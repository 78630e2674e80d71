/* ctranslate2-map: the tensors of CTranslate2, by parameter; see ctranslate2-parts.h. */
#include <stdlib.h>

#include "base/mem.h"
#include "convert/ctranslate2-parts.h"

static const char *const sides[2] = { "encoder", "decoder" };

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
	static const struct side_tensors tensors = {
		"/layer_norm/gamma", "/layer_norm/beta", "/layernorm_embedding/gamma",
		"/layernorm_embedding/beta", "/position_encodings/encodings", 0
	};
	struct layer_names names;

	layer_names_ctranslate2(&names);
	if (import_tables(im, ct2_table(im, 0), ct2_table(im, 1), CT2_OUTPUT, false, e) ||
	    import_layers(im, &names, e) || import_sides(im, sides, &tensors, e))
		return -1;
	if (im->config.output_bias &&
	    import_table(im, "output.bias", "decoder/projection/bias", 1, false, e))
		return -1;
	ignore_settings(im);
	ignore_copies(im);
	return 0;
}
