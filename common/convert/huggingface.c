/*
 * huggingface: folders of Hugging Face transformers with config.json and safetensors: MarianMT,
 * FSMT (fairseq's WMT19), M2M100 and NLLB, BART and mBART-50; see import.h.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "convert/file.h"
#include "convert/huggingface-vocab.h"
#include "convert/import.h"
#include "convert/safetensors.h"
#include "search/search.h"

static const struct hf_kind kinds[] = {
	{ .type = "marian", .name = "MarianMT", .positions = POSITIONS_HUGGINGFACE,
	  .activation = ACTIVATION_GELU, .pad_first = true },
	{ .type = "fsmt", .name = "FSMT", .positions = POSITIONS_HALVES, .position_first = 2,
	  .activation = ACTIVATION_RELU, .scale = true, .two_tables = true },
	{ .type = "m2m_100", .name = "M2M100", .positions = POSITIONS_HALVES, .position_first = 2,
	  .activation = ACTIVATION_RELU, .scale = true, .pre_norm = true },
	{ .type = "bart", .name = "BART", .positions = POSITIONS_LEARNED,
	  .activation = ACTIVATION_GELU, .embed_norm = true },
	{ .type = "mbart", .name = "mBART", .positions = POSITIONS_LEARNED,
	  .activation = ACTIVATION_GELU, .embed_norm = true, .pre_norm = true },
	{ .type = NULL }
};

static const struct hf_kind *
find_kind(const struct import *im, struct err *e)
{
	struct str s;

	for (const struct hf_kind *k = kinds;
	     conf_text(conf_get(&im->conf, "model_type"), &s) && k->type; k++)
		if (s.n == strlen(k->type) && !memcmp(s.s, k->type, s.n))
			return k;
	conf_refuse(&im->conf, "model_type", "marian, fsmt, m2m_100, bart or mbart", e);
	return NULL;
}

/*
 * The tensor of the first of these names that is there, with "model." before it or without; or
 * NULL.
 */
static const char *
tensor_of(const struct import *im, const char *const *name)
{
	for (; *name; name++) {
		char *long_name = xasprintf("model.%s", *name);
		const struct weight *w = weights_find(&im->weights, long_name);

		if (!w)
			w = weights_find(&im->weights, *name);
		free(long_name);
		if (w)
			return w->name;
	}
	return NULL;
}

/* The embeddings of a side.  safetensors keeps one name of a tensor that has several. */
static const char *
table_of(const struct import *im, int side)
{
	static const char *const names[2][5] = {
		{ "encoder.embed_tokens.weight", "shared.weight", NULL },
		{ "decoder.embed_tokens.weight", "shared.weight",
		  "decoder.output_projection.weight", "lm_head.weight", NULL },
	};

	return tensor_of(im, names[side]);
}

/* The table of the output, if there is one under a name of its own. */
static const char *
output_of(const struct import *im)
{
	static const char *const names[] = { "lm_head.weight", "decoder.output_projection.weight",
					     NULL };

	return tensor_of(im, names);
}

static bool
same_values(const struct import *im, const char *a, const char *b)
{
	return weight_same(weights_find(&im->weights, a), weights_find(&im->weights, b));
}

static int
open_weights(struct import *im, struct err *e)
{
	static const char *const names[] = { "model.safetensors", "model.safetensors.index.json" };
	int which = 0, r;
	char *path;

	if (im->file && file_ends(im->file, ".safetensors"))
		return safetensors_open(&im->weights, im->file, e);
	while (which < 2 && !import_has(im, names[which]))
		which++;
	if (which == 2) {
		err_set(e, EXIT_INPUT, "%s: no model.safetensors", im->folder);
		if (import_has(im, "pytorch_model.bin"))
			import_hint_pickle("pytorch_model.bin", e);
		return -1;
	}
	path = file_in(im->folder, names[which]);
	r = which ? safetensors_open_index(&im->weights, path, e)
		  : safetensors_open(&im->weights, path, e);
	free(path);
	return r;
}

static int
open_conf(const struct import *im, struct conf *c, const char *name, struct err *e)
{
	char *path = file_in(im->folder, name);
	const int r = conf_open(c, path, e);

	free(path);
	return r;
}

static int
open_files(struct import *im, struct err *e)
{
	if (open_conf(im, &im->conf, "config.json", e))
		return -1;
	if (import_has(im, "generation_config.json") &&
	    open_conf(im, &im->search, "generation_config.json", e))
		return -1;
	im->hf = find_kind(im, e);
	return im->hf ? open_weights(im, e) : -1;
}

/* Both sides have the same value of a setting, which is written once here. */
static int
same_on_both(const struct import *im, const char *key, const char *other, int64_t a, int64_t b,
	     struct err *e)
{
	char expected[80];

	if (a == b)
		return 0;
	snprintf(expected, sizeof(expected), "%lld as in %s", (long long)a, other);
	return conf_refuse(&im->conf, key, expected, e);
}

static int
read_sizes(struct import *im, struct err *e)
{
	const struct conf *c = &im->conf;
	struct model_config *m = &im->config;
	int64_t dec_heads;

	m->width = 1024;
	m->enc_layers = m->dec_layers = 12;
	m->heads = 16;
	m->ff = m->dec_ff = 4096;
	if (conf_want_int(c, "d_model", 2, 16384, &m->width, e) ||
	    conf_want_int(c, "encoder_layers", 1, 64, &m->enc_layers, e) ||
	    conf_want_int(c, "decoder_layers", 1, 64, &m->dec_layers, e) ||
	    conf_want_int(c, "encoder_attention_heads", 1, 256, &m->heads, e) ||
	    conf_want_int(c, "encoder_ffn_dim", 1, 65536, &m->ff, e) ||
	    conf_want_int(c, "decoder_ffn_dim", 1, 65536, &m->dec_ff, e))
		return -1;
	dec_heads = m->heads;
	if (conf_want_int(c, "decoder_attention_heads", 1, 256, &dec_heads, e) ||
	    same_on_both(im, "decoder_attention_heads", "encoder_attention_heads", m->heads,
			 dec_heads, e))
		return -1;
	if (m->dec_ff == m->ff)
		m->dec_ff = 0;
	return 0;
}

static int
read_activation(struct import *im, struct err *e)
{
	static const char *const names[] = {
		"relu", "gelu", "gelu_python", "gelu_new", "gelu_pytorch_tanh", "gelu_fast",
		"swish", "silu", NULL
	};
	static const int which[] = {
		ACTIVATION_RELU, ACTIVATION_GELU, ACTIVATION_GELU, ACTIVATION_GELU_TANH,
		ACTIVATION_GELU_TANH, ACTIVATION_GELU_TANH, ACTIVATION_SWISH, ACTIVATION_SWISH
	};
	int name = -1;

	if (conf_want_choice(&im->conf, "activation_function", names, &name, e))
		return -1;
	im->config.activation = name < 0 ? im->hf->activation : which[name];
	return 0;
}

static int
read_dropout(struct import *im, struct err *e)
{
	const struct conf *c = &im->conf;
	struct model_config *m = &im->config;

	if (conf_want_float(c, "dropout", &m->dropout_residual, e) ||
	    conf_want_float(c, "attention_dropout", &m->dropout_attention, e) ||
	    conf_want_float(c, "activation_dropout", &m->dropout_relu, e))
		return -1;
	m->dropout_embed = m->dropout_residual;
	return 0;
}

/* Positions of BART begin with the third row of their table. */
static int
read_positions(struct import *im, struct err *e)
{
	static const char *const table[] = { "encoder.embed_positions.weight", NULL };
	struct model_config *m = &im->config;
	const char *name = tensor_of(im, table);
	const struct weight *w = name ? weights_find(&im->weights, name) : NULL;

	m->positions = im->hf->positions;
	m->position_first = im->hf->position_first;
	m->max_length = 1024;
	if (conf_want_int(&im->conf, "max_position_embeddings", 1, 1000000, &m->max_length, e))
		return -1;
	if (m->positions == POSITIONS_LEARNED && w && w->n_dim == 2)
		m->max_length = w->d[0] - HF_POSITION_OFFSET;
	return 0;
}

/* The settings of generation are in either file. */
static int
want_search(const struct import *im, const char *key, int64_t min, int64_t max, int64_t *v,
	    struct err *e)
{
	return conf_want_int(&im->conf, key, min, max, v, e) ||
	       (im->search.name && conf_want_int(&im->search, key, min, max, v, e)) ? -1 : 0;
}

static int
read_search(struct import *im, struct err *e)
{
	struct recipe *r = &im->recipe;

	r->search = SEARCH_FAIRSEQ;
	r->beam = 5;
	r->length_penalty = 1;
	if (want_search(im, "num_beams", 1, 1000, &r->beam, e) ||
	    conf_want_float(&im->conf, "length_penalty", &r->length_penalty, e) ||
	    (im->search.name &&
	     conf_want_float(&im->search, "length_penalty", &r->length_penalty, e)))
		return -1;
	if (r->length_penalty < 0 || r->length_penalty > 1000)
		return conf_refuse(&im->conf, "length_penalty", "0 to 1000", e);
	return 0;
}

/*
 * mBART's first tokenizer puts languages after the end of a source, which is not done here;
 * mBART-50's puts them first.
 */
static int
check_tokenizer(const struct import *im, struct err *e)
{
	struct conf c;
	struct str s;
	int r = 0;

	if (strcmp(im->hf->type, "mbart") || !import_has(im, "tokenizer_config.json"))
		return 0;
	if (open_conf(im, &c, "tokenizer_config.json", e))
		return -1;
	if (conf_text(conf_get(&c, "tokenizer_class"), &s) && s.n >= 8 &&
	    !memcmp(s.s, "MBartTok", 8))
		r = conf_refuse(&c, "tokenizer_class", "MBart50Tokenizer", e);
	conf_release(&c);
	return r;
}

static int
rows_of(const struct import *im, int side, int *rows, struct err *e)
{
	const char *name = table_of(im, side);
	const struct weight *w = name ? weights_find(&im->weights, name) : NULL;

	if (!w || w->n_dim != 2 || w->d[0] < 1 || w->d[0] > 1 << 24)
		return err_set(e, EXIT_INPUT,
			       "%s: no embeddings of the %s, or of a shape that embeddings "
			       "do not have",
			       im->folder, side ? "target" : "source");
	*rows = (int)w->d[0];
	return 0;
}

/* Numbers of special tokens; what decoders read first decides what heed calls <s>. */
static int
read_special(struct import *im, int rows, struct hf_special *s, struct err *e)
{
	int64_t pad = im->hf->pad_first ? rows - 1 : 1, eos = im->hf->pad_first ? 0 : 2;
	int64_t bos = 0, start;

	if (want_search(im, "pad_token_id", 0, rows - 1, &pad, e) ||
	    want_search(im, "eos_token_id", 0, rows - 1, &eos, e) ||
	    want_search(im, "bos_token_id", 0, rows - 1, &bos, e))
		return -1;
	start = im->hf->pad_first ? pad : eos;
	if (want_search(im, "decoder_start_token_id", 0, rows - 1, &start, e))
		return -1;
	*s = (struct hf_special){ (int)pad, (int)bos, (int)eos, (int)start };
	return 0;
}

/* Is the row of a table all zeros? */
static bool
is_zero(const struct import *im, const char *table, int row)
{
	const struct weight *w = weights_find(&im->weights, table);
	const size_t width = (size_t)w->d[1];
	real *x = xmalloc((width + 1) * sizeof(*x));
	bool zero = true;

	if (w->type == WEIGHT_OTHER)
		zero = false;
	else
		weight_get(w, (size_t)row * width, width, x);
	for (size_t i = 0; zero && i < width; i++)
		zero = x[i] == 0;
	free(x);
	return zero;
}

static int
first_of(const struct import *im, const struct hf_special *s)
{
	if (s->start == s->eos)
		return TARGET_EOS;
	return is_zero(im, table_of(im, 1), s->start) ? TARGET_ZERO : TARGET_BOS;
}

static int
build_sides(struct import *im, struct err *e)
{
	for (int side = 0; side < 2 - im->one_vocab; side++) {
		struct hf_special s;
		int rows = 0;

		if (rows_of(im, side, &rows, e) || read_special(im, rows, &s, e))
			return -1;
		if (side || im->one_vocab)
			im->config.first = first_of(im, &s);
		if (hf_vocab_open(im, side, rows, e) || hf_vocab_build(im, side, rows, &s, e))
			return -1;
	}
	return 0;
}

/*
 * Which tables are one.  The output has that of the decoder if tie_word_embeddings is on, whatever
 * is in the file, or if the file has the same values for both, as FSMT's.
 */
static int
read_ties(struct import *im, struct err *e)
{
	bool shared = !im->hf->two_tables, tied = !im->hf->two_tables;
	const char *target, *output;

	if (conf_want_bool(&im->conf, "tie_word_embeddings", &tied, e) ||
	    (!im->hf->two_tables &&
	     conf_want_bool(&im->conf, "share_encoder_decoder_embeddings", &shared, e)))
		return -1;
	im->one_vocab = shared;
	target = table_of(im, 1);
	output = output_of(im);
	if (!target)
		return err_set(e, EXIT_INPUT, "%s: no embeddings of the target", im->folder);
	tied = tied || !output || same_values(im, target, output);
	im->config.tie = !tied ? TIE_NONE : shared ? TIE_ALL : TIE_DECODER;
	im->config.output_bias = weights_find(&im->weights, "final_logits_bias") != NULL;
	return 0;
}

static int
read_huggingface(struct import *im, struct err *e)
{
	struct model_config *m = &im->config;
	bool scale;

	*m = presets[0].config;
	im->recipe = presets[0].recipe;
	if (open_files(im, e) || check_tokenizer(im, e) || read_sizes(im, e) ||
	    read_activation(im, e) || read_dropout(im, e) || read_positions(im, e) ||
	    read_search(im, e))
		return -1;
	im->kind = im->hf->name;
	scale = im->hf->scale;
	if (conf_want_bool(&im->conf, "scale_embedding", &scale, e))
		return -1;
	m->embed_scale = scale ? EMBED_SCALE_SQRT : EMBED_SCALE_ONE;
	m->pre_norm = m->final_norm = im->hf->pre_norm;
	m->embed_norm = im->hf->embed_norm;
	m->norm_eps = 1e-5;
	m->src_eos = true;
	return read_ties(im, e) || build_sides(im, e) ? -1 : 0;
}

/* What the names of all tensors begin with: "model." if there is a head for the output. */
static const char *
prefix_of(const struct import *im)
{
	return weights_find(&im->weights, "model.encoder.layers.0.fc1.weight") ? "model." : "";
}

static int
map_layers(struct import *im, struct err *e)
{
	char *encoder = xasprintf("%sencoder", prefix_of(im));
	char *decoder = xasprintf("%sdecoder", prefix_of(im));
	struct layer_names names;
	int r;

	layer_names_huggingface(&names, encoder, decoder);
	r = import_layers(im, &names, e);
	free(encoder);
	free(decoder);
	return r;
}

/* A parameter that each side has, from the tensor of that side. */
static int
map_both(struct import *im, const char *const param[2], const char *tensor, int first,
	 struct err *e)
{
	static const char *const side[2] = { "encoder", "decoder" };
	const struct tensor_layout layout = { .first = first };
	int r = 0;

	for (int i = 0; !r && i < 2; i++) {
		char *name = xasprintf("%s%s.%s", prefix_of(im), side[i], tensor);
		const char *const list[] = { name };

		r = mapping_add(&im->map, param[i], list, 1, &layout, e);
		free(name);
	}
	return r;
}

static int
map_tables(struct import *im, struct err *e)
{
	const char *target = table_of(im, 1), *output = output_of(im);

	if (im->config.tie == TIE_ALL)
		return import_table(im, "embed.weight", target, 0, false, e);
	if (import_table(im, "src.embed.weight", table_of(im, 0), 0, false, e) ||
	    import_table(im, "tgt.embed.weight", target, 1, false, e))
		return -1;
	return im->config.tie == TIE_DECODER
		       ? 0
		       : import_table(im, "output.weight", output, 1, false, e);
}

/* Sinusoids that a file holds must be those that are computed here, as far as its type can tell. */
static int
check_sinusoids(struct import *im, const char *name, struct err *e)
{
	const struct model_config *c = &im->config;
	struct weight *w = weights_find(&im->weights, name);
	const int64_t from = c->position_first;
	real *x;
	bool same = true;

	if (!w || w->use.n)
		return 0;
	if (w->type == WEIGHT_OTHER || w->n_dim != 2 || w->d[1] != c->width)
		same = false;
	x = xmalloc(((size_t)c->width + 1) * sizeof(*x));
	for (int64_t p = from; same && p < w->d[0] && p - from < c->max_length; p++) {
		weight_get(w, (size_t)(p * c->width), (size_t)c->width, x);
		for (int64_t i = 0; same && i < c->width; i++)
			same = fabs((double)x[i] -
				    (double)im->m->positions[(p - from) * c->width + i]) <
			       HF_POSITION_ERROR;
	}
	free(x);
	if (!same)
		return err_set(e, EXIT_INPUT,
			       "tensor %s has other positions than the sinusoids of %s", name,
			       im->kind);
	mapping_ignore(&im->map, name, "the sinusoids that positions are computed with");
	return 0;
}

/* Tensors that a file may have twice, or that are computed. */
static int
map_rest(struct import *im, struct err *e)
{
	static const char *const positions[] = {
		"encoder.embed_positions.weight", "decoder.embed_positions.weight",
		"encoder.embed_positions.weights", "decoder.embed_positions.weights",
	};
	static const char *const copies[] = {
		"encoder.embed_tokens.weight", "decoder.embed_tokens.weight", "shared.weight",
		"lm_head.weight", "decoder.output_projection.weight",
	};

	for (size_t i = 0; im->m->positions && i < sizeof(positions) / sizeof(*positions); i++) {
		const char *const list[] = { positions[i], NULL };
		const char *name = tensor_of(im, list);

		if (name && check_sinusoids(im, name, e))
			return -1;
	}
	for (size_t i = 0; i < sizeof(copies) / sizeof(*copies); i++) {
		const char *const list[] = { copies[i], NULL };
		const char *name = tensor_of(im, list);

		if (name)
			mapping_ignore(&im->map, name, "a copy of a table that is tied");
	}
	return 0;
}

static int
map_huggingface(struct import *im, struct err *e)
{
	static const char *const gain[2] = { "enc.norm.gain", "dec.norm.gain" };
	static const char *const bias[2] = { "enc.norm.bias", "dec.norm.bias" };
	static const char *const embed_gain[2] = { "src.embed.norm.gain", "tgt.embed.norm.gain" };
	static const char *const embed_bias[2] = { "src.embed.norm.bias", "tgt.embed.norm.bias" };
	static const char *const position[2] = { "src.position.weight", "tgt.position.weight" };
	const struct model_config *c = &im->config;

	if (map_tables(im, e) || map_layers(im, e))
		return -1;
	if (c->final_norm && (map_both(im, gain, "layer_norm.weight", 0, e) ||
			      map_both(im, bias, "layer_norm.bias", 0, e)))
		return -1;
	if (c->embed_norm && (map_both(im, embed_gain, "layernorm_embedding.weight", 0, e) ||
			      map_both(im, embed_bias, "layernorm_embedding.bias", 0, e)))
		return -1;
	if (c->positions == POSITIONS_LEARNED &&
	    map_both(im, position, "embed_positions.weight", HF_POSITION_OFFSET, e))
		return -1;
	if (c->output_bias && import_table(im, "output.bias", "final_logits_bias", 1, false, e))
		return -1;
	return map_rest(im, e);
}

const struct import_layout import_huggingface = {
	"Hugging Face", read_huggingface, map_huggingface, hf_segment
};
