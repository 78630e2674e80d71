/* layer-names: see layer-names.h. */
#include "convert/layer-names.h"

#include "base/mem.h"

char *
layer_tensor(const struct layer_names *n, bool decoder, int number, const char *group,
	     const char *rest)
{
	return xasprintf("%s%s%d%s%s%s", n->side[decoder], n->before, number + n->first - 1,
			 n->after, group, rest);
}

const char *
side_param(enum side_part part, bool decoder)
{
	static const char *const names[SIDE_PARTS][2] = {
		[SIDE_GAIN] = { "enc.norm.gain", "dec.norm.gain" },
		[SIDE_BIAS] = { "enc.norm.bias", "dec.norm.bias" },
		[SIDE_EMBED_GAIN] = { "src.embed.norm.gain", "tgt.embed.norm.gain" },
		[SIDE_EMBED_BIAS] = { "src.embed.norm.bias", "tgt.embed.norm.bias" },
		[SIDE_POSITIONS] = { "src.position.weight", "tgt.position.weight" },
	};

	return names[part][decoder];
}

char *
side_tensor(const struct layer_names *n, enum side_part part, bool decoder)
{
	return xasprintf("%s%s", n->side[decoder], n->of_side[part]);
}

void
layer_names_marian(struct layer_names *n, bool pre_norm)
{
	*n = (struct layer_names){
		.side = { "encoder", "decoder" }, .before = "_l", .after = "_", .first = 1,
		.transposed = true, .attention = { "self_", "context_" },
		.weight = { "Wq", "Wk", "Wv", "Wo" }, .bias = { "bq", "bk", "bv", "bo" },
		.attention_norm = { { "self_Wo_ln_scale", "self_Wo_ln_bias" },
				    { "context_Wo_ln_scale", "context_Wo_ln_bias" } },
		.ff_group = { "", "" },
		.ff = { "ffn_W1", "ffn_b1", "ffn_W2", "ffn_b2" },
		.ff_norm = { "ffn_ffn_ln_scale", "ffn_ffn_ln_bias" },
		.of_side = { "_top_ln_scale", "_top_ln_bias", "_emb_ln_scale_pre",
			     "_emb_ln_bias_pre" },
	};
	if (!pre_norm)
		return;
	n->attention_norm[0][0] = "self_Wo_ln_scale_pre";
	n->attention_norm[0][1] = "self_Wo_ln_bias_pre";
	n->attention_norm[1][0] = "context_Wo_ln_scale_pre";
	n->attention_norm[1][1] = "context_Wo_ln_bias_pre";
	n->ff_norm[0] = "ffn_ffn_ln_scale_pre";
	n->ff_norm[1] = "ffn_ffn_ln_bias_pre";
}

void
layer_names_huggingface(struct layer_names *n, const char *encoder, const char *decoder)
{
	*n = (struct layer_names){
		.side = { encoder, decoder }, .before = ".layers.", .after = ".", .first = 0,
		.attention = { "self_attn.", "encoder_attn." },
		.weight = { "q_proj.weight", "k_proj.weight", "v_proj.weight", "out_proj.weight" },
		.bias = { "q_proj.bias", "k_proj.bias", "v_proj.bias", "out_proj.bias" },
		.attention_norm = { { "self_attn_layer_norm.weight", "self_attn_layer_norm.bias" },
				    { "encoder_attn_layer_norm.weight",
				      "encoder_attn_layer_norm.bias" } },
		.ff_group = { "", "" },
		.ff = { "fc1.weight", "fc1.bias", "fc2.weight", "fc2.bias" },
		.ff_norm = { "final_layer_norm.weight", "final_layer_norm.bias" },
		.of_side = { ".layer_norm.weight", ".layer_norm.bias",
			     ".layernorm_embedding.weight", ".layernorm_embedding.bias",
			     ".embed_positions.weight" },
		.first_position = HF_POSITION_OFFSET,
	};
}

void
layer_names_t5(struct layer_names *n, bool gated)
{
	*n = (struct layer_names){
		.side = { "encoder", "decoder" }, .before = ".block.", .after = ".layer.",
		.first = 0, .attention = { "0.SelfAttention.", "1.EncDecAttention." },
		.weight = { "q.weight", "k.weight", "v.weight", "o.weight" },
		.attention_norm = { { "0.layer_norm.weight", NULL },
				    { "1.layer_norm.weight", NULL } },
		.ff_group = { "1.", "2." },
		.ff = { gated ? "DenseReluDense.wi_0.weight" : "DenseReluDense.wi.weight", NULL,
			"DenseReluDense.wo.weight", NULL },
		.gate = gated ? "DenseReluDense.wi_1.weight" : NULL,
		.ff_norm = { "layer_norm.weight", NULL },
		.of_side = { ".final_layer_norm.weight" },
	};
}

void
layer_names_ctranslate2(struct layer_names *n)
{
	*n = (struct layer_names){
		.side = { "encoder", "decoder" }, .before = "/layer_", .after = "/", .first = 0,
		.fused = true, .attention = { "self_attention/", "attention/" },
		.weight = { "linear_0/weight", "linear_1/weight", "linear_2/weight" },
		.bias = { "linear_0/bias", "linear_1/bias", "linear_2/bias" },
		.attention_norm = { { "self_attention/layer_norm/gamma",
				      "self_attention/layer_norm/beta" },
				    { "attention/layer_norm/gamma", "attention/layer_norm/beta" } },
		.ff_group = { "", "" },
		.ff = { "ffn/linear_0/weight", "ffn/linear_0/bias", "ffn/linear_1/weight",
			"ffn/linear_1/bias" },
		.ff_norm = { "ffn/layer_norm/gamma", "ffn/layer_norm/beta" },
		.of_side = { "/layer_norm/gamma", "/layer_norm/beta", "/layernorm_embedding/gamma",
			     "/layernorm_embedding/beta", "/position_encodings/encodings" },
	};
}
