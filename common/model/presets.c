/*
 * presets: the architectures and recipes of the papers' host toolkits; see model.h.
 * Sizes are those of "base" unless --size or --arch changes them.
 */
#include <string.h>

#include "model/model.h"
#include "model/search-variant.h"

#define BASE \
	.enc_layers = 6, .dec_layers = 6, .width = 512, .ff = 2048, .heads = 8, .max_length = 1024

const struct preset presets[] = {
	{
		.name = "fairseq",
		.about = "fairseq 0.9: post-norm; decoder embeddings tied to the output",
		.config = {
			BASE, .norm_eps = 1e-5,
			.positions = POSITIONS_HALVES, .position_first = 2,
			.first = TARGET_EOS, .src_eos = true, .tie = TIE_DECODER,
			.init = INIT_STYLE_FAIRSEQ,
			.dropout_embed = 0.1, .dropout_residual = 0.1,
		},
		.recipe = {
			.smoothing_variant = SMOOTHING_FAIRSEQ_OLD, .label_smoothing = 0.1,
			.adam_beta1 = 0.9, .adam_beta2 = 0.98, .adam_eps = 1e-8,
			.schedule = SCHEDULE_INVERSE_SQRT, .lr = 5e-4, .lr_init = 1e-7,
			.lr_factor = 1, .warmup = 4000,
			.search = SEARCH_FAIRSEQ, .length_penalty = 1, .beam = 5,
		},
	}, {
		.name = "onmt",
		.about = "OpenNMT-py: pre-norm; no tied embeddings; dropout in all places",
		.config = {
			BASE, .pre_norm = true, .final_norm = true, .norm_eps = 1e-6,
			.positions = POSITIONS_INTERLEAVED,
			.first = TARGET_BOS, .tie = TIE_NONE, .output_bias = true,
			.init = INIT_STYLE_ONMT,
			.dropout_embed = 0.1, .dropout_residual = 0.1, .dropout_attention = 0.1,
			.dropout_relu = 0.1,
		},
		.recipe = {
			.smoothing_variant = SMOOTHING_ONMT, .label_smoothing = 0.1,
			.adam_beta1 = 0.9, .adam_beta2 = 0.998, .adam_eps = 1e-9,
			.schedule = SCHEDULE_NOAM, .lr = 5e-4, .lr_factor = 2, .warmup = 8000,
			.search = SEARCH_ONMT, .length_penalty = 0.6, .beam = 5,
		},
	}, {
		.name = "witwicky",
		.about = "Witwicky with tree masks: pre-norm; all embeddings tied; word dropout",
		.config = {
			BASE, .pre_norm = true, .final_norm = true, .norm_eps = 1e-6,
			.positions = POSITIONS_INTERLEAVED,
			.first = TARGET_BOS, .tie = TIE_ALL,
			.output_bias = true, .output_mask = true,
			.init = INIT_STYLE_WITWICKY,
			.dropout_embed = 0.3, .dropout_residual = 0.3, .dropout_attention = 0.3,
			.dropout_relu = 0.3, .word_dropout = 0.1,
		},
		.recipe = {
			.smoothing_variant = SMOOTHING_FAIRSEQ_OLD, .label_smoothing = 0.1,
			.adam_beta1 = 0.9, .adam_beta2 = 0.999, .adam_eps = 1e-8,
			.schedule = SCHEDULE_CONSTANT, .lr = 3e-4, .lr_factor = 1, .clip = 1,
			.search = SEARCH_GNMT, .length_penalty = 0.6, .beam = 4,
		},
	}, {
		.name = "story",
		.about = "Voita et al. 2019: pre-norm; zero vector as the first decoder input",
		.config = {
			BASE, .pre_norm = true, .final_norm = true, .norm_eps = 1e-6,
			.positions = POSITIONS_HALVES, .src_bias = true,
			.first = TARGET_ZERO, .src_eos = true, .tie = TIE_NONE,
			.init = INIT_STYLE_STORY,
			.dropout_embed = 0.1, .dropout_residual = 0.1, .dropout_attention = 0.1,
			.dropout_relu = 0.1,
		},
		.recipe = {
			.smoothing_variant = SMOOTHING_T2T, .label_smoothing = 0.1,
			.adam_beta1 = 0.9, .adam_beta2 = 0.98, .adam_eps = 1e-9,
			.schedule = SCHEDULE_NOAM, .lr = 1.4e-3, .lr_factor = 4, .warmup = 16000,
			.search = SEARCH_VOITA, .length_penalty = 0.6, .beam = 4,
		},
	},
	{ .name = NULL }
};

const struct preset *
preset_find(const char *name)
{
	for (const struct preset *p = presets; p->name; p++)
		if (!strcmp(p->name, name))
			return p;
	return NULL;
}
