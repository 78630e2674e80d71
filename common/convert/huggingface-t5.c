/* huggingface-t5: see huggingface-t5.h. */
#include "convert/huggingface-t5.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "convert/huggingface-map.h"
#include "convert/huggingface-vocab.h"

/* Without positions, nothing limits the length; this is that of training and of memory. */
enum { T5_LENGTH = 1024 };

/* --- settings --- */

/* transformers has other defaults for mT5 and UMT5. */
static bool
t5_is_original(const struct import *im)
{
	return !strcmp(im->hf->type, "t5");
}

static int
t5_read_sizes(struct import *im, struct err *e)
{
	const bool first = t5_is_original(im);
	const struct conf *c = &im->conf;
	struct model_config *m = &im->config;

	m->width = 512;
	m->head_width = 64;
	m->heads = first ? 8 : 6;
	m->ff = first ? 2048 : 1024;
	m->enc_layers = first ? 6 : 8;
	if (hf_want_int(c, "d_model", "hidden_size", 2, 16384, &m->width, e) ||
	    hf_want_int(c, "d_kv", "head_dim", 1, 1024, &m->head_width, e) ||
	    hf_want_int(c, "num_heads", "num_attention_heads", 1, 256, &m->heads, e) ||
	    conf_want_int(c, "d_ff", 1, 65536, &m->ff, e) ||
	    conf_want_int(c, "num_layers", 1, 64, &m->enc_layers, e))
		return -1;
	m->dec_layers = m->enc_layers;	/* that of num_layers, also if the alias has another */
	if (conf_has(c, "num_hidden_layers") &&
	    conf_want_int(c, "num_hidden_layers", 1, 64, &m->enc_layers, e))
		return -1;
	if (m->head_width * m->heads == m->width)
		m->head_width = 0;
	return conf_has(c, "num_decoder_layers")
		       ? conf_want_int(c, "num_decoder_layers", 1, 64, &m->dec_layers, e)
		       : 0;
}

/*
 * "gated-gelu" is by tanh, and "gelu" is not.  transformers derives two settings from
 * feed_forward_proj and saves all three; when it loads them, these two win.
 */
static int
t5_read_activation(struct import *im, struct err *e)
{
	static const char *const names[] = {
		"relu", "gelu", "gelu_new", "silu", "swish", "gated-relu", "gated-gelu",
		"gated-gelu_new", "gated-silu", "gated-swish", NULL
	};
	static const int which[] = {
		ACTIVATION_RELU, ACTIVATION_GELU, ACTIVATION_GELU_TANH, ACTIVATION_SWISH,
		ACTIVATION_SWISH, ACTIVATION_RELU, ACTIVATION_GELU_TANH, ACTIVATION_GELU_TANH,
		ACTIVATION_SWISH, ACTIVATION_SWISH
	};
	int name = t5_is_original(im) ? 0 : 6;

	if (conf_want_choice(&im->conf, "feed_forward_proj", names, &name, e))
		return -1;
	im->config.activation = which[name];
	im->config.ff_gate = name > 4;
	if (conf_has(&im->conf, "is_gated_act") &&
	    conf_want_bool(&im->conf, "is_gated_act", &im->config.ff_gate, e))
		return -1;
	return conf_has(&im->conf, "dense_act_fn")
		       ? hf_want_activation(&im->conf, "dense_act_fn", &im->config.activation, e)
		       : 0;
}

static int
t5_read_buckets(struct import *im, struct err *e)
{
	int64_t buckets = 32, max = 128;
	char expected[60];

	if (conf_want_int(&im->conf, "relative_attention_num_buckets", 4, 4096, &buckets, e) ||
	    conf_want_int(&im->conf, "relative_attention_max_distance", 3, 1000000, &max, e))
		return -1;
	if (buckets % 4)
		return conf_refuse(&im->conf, "relative_attention_num_buckets", "a multiple of 4",
				   e);
	snprintf(expected, sizeof(expected), "more than half of the %lld buckets",
		 (long long)buckets);
	if (max <= buckets / 2)
		return conf_refuse(&im->conf, "relative_attention_max_distance", expected, e);
	im->attention = xasprintf("bucket-bias:buckets=%lld,max=%lld,per_layer=%s",
				  (long long)buckets, (long long)max,
				  im->hf->per_layer ? "on" : "off");
	return 0;
}

/* config.json names the version of transformers that wrote it, unless that is an old one. */
static bool
t5_is_of_version_5(const struct import *im)
{
	struct str v;

	return conf_text(conf_get(&im->conf, "transformers_version"), &v) && v.n > 1 &&
	       !(v.s[1] == '.' && v.s[0] < '5');
}

/* Only transformers 4 divides the decoder output of mT5; 5 says of each mT5 that it is tied. */
static bool
mt5_divides(struct import *im, bool tied)
{
	if (!tied || t5_is_of_version_5(im))
		return false;
	import_note(im, "the decoder output is divided by the square root of d_model, as in "
		    "transformers 4 with tie_word_embeddings; transformers 5 does not do so");
	return true;
}

/* By default, the decoder output is divided if the output is the table of embeddings. */
static int
t5_read_scales(struct import *im, struct err *e)
{
	struct model_config *m = &im->config;
	const bool mt5 = !strcmp(im->hf->type, "mt5");
	bool divided = !mt5;

	if (conf_want_bool(&im->conf, "tie_word_embeddings", &divided, e) ||
	    (!mt5 && conf_has(&im->conf, "scale_decoder_outputs") &&
	     conf_want_bool(&im->conf, "scale_decoder_outputs", &divided, e)))
		return -1;
	if (mt5)
		divided = mt5_divides(im, divided);
	m->output_scale = divided ? OUTPUT_SCALE_SQRT : OUTPUT_SCALE_ONE;
	m->embed_scale = EMBED_SCALE_ONE;
	m->score_scale = SCORE_SCALE_ONE;
	return 0;
}

/*
 * ByT5 has no file of a vocabulary, but the class of its tokenizer.  tokenizer_config.json counts,
 * or else config.json.
 */
static int
t5_read_tokenizer(struct import *im, struct err *e)
{
	const char *const key = "tokenizer_class";
	struct str s = { "", 0 };
	struct conf c;
	int r;

	if ((conf_has(&im->conf, key) && conf_want_text(&im->conf, key, &s, e)) ||
	    import_conf(im, &c, TOKENIZER_CONFIG, e))
		return -1;
	r = conf_has(&c, key) ? conf_want_text(&c, key, &s, e) : 0;
	im->bytes = s.n >= 4 && !memcmp(s.s, "ByT5", 4);
	conf_release(&c);
	return r;
}

int
hf_t5_read(struct import *im, struct err *e)
{
	struct model_config *m = &im->config;
	double dropout = 0.1;

	m->norm = NORM_RMS;
	m->norm_eps = 1e-6;
	m->no_bias = true;
	m->positions = POSITIONS_NONE;
	m->position_first = 0;
	m->max_length = T5_LENGTH;
	m->init = INIT_STYLE_T5;
	if (t5_read_tokenizer(im, e) || t5_read_sizes(im, e) || t5_read_activation(im, e) ||
	    t5_read_buckets(im, e) || t5_read_scales(im, e) ||
	    conf_want_float(&im->conf, "layer_norm_epsilon", &m->norm_eps, e) ||
	    conf_want_float(&im->conf, "dropout_rate", &dropout, e))
		return -1;
	m->dropout_embed = m->dropout_residual = m->dropout_attention = m->dropout_relu = dropout;
	return 0;
}

/* --- vocabulary --- */

int
hf_t5_extra_ids(struct import *im, int side, int rows, struct err *e)
{
	struct ids *v = &im->ids[side];
	int64_t n = t5_is_original(im) ? 100 : 0;
	const int first = v->rows;
	struct conf c;
	int r = 0;

	if (im->set->n_vocab)
		return 0;
	if (import_conf(im, &c, TOKENIZER_CONFIG, e))
		return -1;
	if (conf_has(&c, "extra_ids"))
		r = conf_want_int(&c, "extra_ids", 0, 1 << 20, &n, e);
	conf_release(&c);
	for (int64_t i = 0; !r && i < n && first + n <= rows; i++) {
		char text[40];
		const int length = snprintf(text, sizeof(text), "<extra_id_%lld>", (long long)i);

		if (ids_row(v, text) < 0)
			r = ids_add(v, text, (size_t)length, first + n - 1 - i, rows, e);
	}
	return r;
}

int
hf_byt5_ids(struct import *im, int side, int rows, struct err *e)
{
	int64_t extra = 125;
	struct conf c;
	int r = 0;

	if (im->set->n_vocab)
		return err_set(e, EXIT_USAGE, "--vocabulary with ByT5, expected no such option: "
			       "its entries are the bytes");
	if (import_conf(im, &c, TOKENIZER_CONFIG, e))
		return -1;
	if (conf_has(&c, "extra_ids"))
		r = conf_want_int(&c, "extra_ids", 0, 1 << 20, &extra, e);
	if (!r)
		r = ids_bytes(&im->ids[side], c.name ? c.name : im->conf.name,
			      conf_get(&c, "added_tokens_decoder"), extra, rows, e);
	conf_release(&c);
	return r;
}

/* --- tensors --- */

char *
t5_bias_tensor(bool decoder, int64_t layer)
{
	return xasprintf("%s.block.%lld.layer.0.SelfAttention.relative_attention_bias.weight",
			 decoder ? "decoder" : "encoder", (long long)layer);
}

char *
t5_bias_param(bool per_layer, bool decoder, int64_t layer)
{
	const char *side = decoder ? "dec" : "enc";

	return per_layer ? xasprintf("%s.%lld.self.bucket.weight", side, (long long)layer + 1)
			 : xasprintf("%s.bucket.weight", side);
}

static int
t5_map_biases(struct import *im, struct err *e)
{
	const struct tensor_layout layout = { .transposed = true };
	const int64_t layers[2] = { im->config.enc_layers, im->config.dec_layers };
	const bool per_layer = im->hf->per_layer;
	int r = 0;

	for (int side = 0; side < 2; side++)
		for (int64_t i = 0; !r && i < (per_layer ? layers[side] : 1); i++) {
			char *param = t5_bias_param(per_layer, side, i);
			char *name = t5_bias_tensor(side, i);
			const char *const list[] = { name };

			r = mapping_add(&im->map, param, list, 1, &layout, e);
			free(name);
			free(param);
		}
	return r;
}

/* transformers has one table of embeddings, whatever the file has. */
static int
t5_check_tables(const struct import *im, struct err *e)
{
	static const char *const others[] = { "encoder.embed_tokens.weight",
					      "decoder.embed_tokens.weight" };
	const struct weight *table = weights_find(&im->weights, hf_table(im, 1));

	for (int i = 0; i < 2; i++) {
		const struct weight *w = weights_find(&im->weights, others[i]);
		const struct weight *all = weights_find(&im->weights, "shared.weight");

		if ((w && !weight_same(w, table)) || (all && !weight_same(all, table)))
			return err_set(e, EXIT_INPUT, "the tensors of embeddings differ, expected "
				       "%s to be the same as %s", others[i], table->name);
	}
	return 0;
}

int
hf_t5_map(struct import *im, struct err *e)
{
	struct layer_names names;

	layer_names_t5(&names, im->config.ff_gate);
	if (t5_check_tables(im, e) || import_layers(im, &names, e) || t5_map_biases(im, e))
		return -1;
	mapping_ignore(&im->map, "decoder.block.0.layer.1.EncDecAttention."
		       "relative_attention_bias.weight", "never read: only self-attention has "
		       "biases");
	return 0;
}
