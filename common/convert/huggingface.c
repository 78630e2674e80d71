/*
 * huggingface: folders of Hugging Face transformers with config.json and safetensors: MarianMT,
 * FSMT (fairseq's WMT19), M2M100 and NLLB, BART and mBART-50, T5; see import.h.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "convert/huggingface-map.h"
#include "convert/huggingface-search.h"
#include "convert/huggingface-t5.h"
#include "convert/huggingface-vocab.h"
#include "convert/import.h"
#include "convert/safetensors.h"
#include "exchange/file.h"
#include "stream/cells.h"

static const struct hf_kind kinds[] = {
	{ .type = "marian", .name = "MarianMT", .positions = POSITIONS_HUGGINGFACE,
	  .activation = ACTIVATION_GELU, .pad_first = true },
	{ .type = "fsmt", .name = "FSMT", .positions = POSITIONS_HALVES,
	  .activation = ACTIVATION_RELU, .scale = true, .two_tables = true },
	{ .type = "m2m_100", .name = "M2M100", .positions = POSITIONS_HALVES,
	  .activation = ACTIVATION_RELU, .scale = true, .pre_norm = true, .forces = true },
	{ .type = "bart", .name = "BART", .positions = POSITIONS_LEARNED,
	  .activation = ACTIVATION_GELU, .embed_norm = true, .source_bos = true,
	  .forces = true },
	{ .type = "mbart", .name = "mBART", .positions = POSITIONS_LEARNED,
	  .activation = ACTIVATION_GELU, .embed_norm = true, .pre_norm = true,
	  .forces = true },
	{ .type = "t5", .name = "T5", .t5 = true, .pre_norm = true },
	{ .type = "mt5", .name = "mT5", .t5 = true, .pre_norm = true, .untied = true },
	{ .type = "umt5", .name = "UMT5", .t5 = true, .pre_norm = true, .per_layer = true },
	{ .type = NULL }
};

static const struct hf_kind *
hf_find_kind(const struct import *im, struct err *e)
{
	struct str s;

	for (const struct hf_kind *k = kinds;
	     conf_text(conf_get(&im->conf, "model_type"), &s) && k->type; k++)
		if (str_is(s, k->type))
			return k;
	conf_refuse(&im->conf, "model_type", "marian, fsmt, m2m_100, bart, mbart, t5, mt5 or umt5",
		    e);
	return NULL;
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
hf_open_files(struct import *im, struct err *e)
{
	if (conf_open_in(&im->conf, im->folder, "config.json", e))
		return -1;
	im->conf.absent = &im->assumed;
	if (import_conf(im, &im->search, "generation_config.json", e))
		return -1;
	im->hf = hf_find_kind(im, e);
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

int
hf_want_int(const struct conf *c, const char *key, const char *alias, int64_t min, int64_t max,
	    int64_t *x, struct err *e)
{
	return conf_want_int(c, conf_has(c, alias) ? alias : key, min, max, x, e);
}

static int
hf_read_sizes(struct import *im, struct err *e)
{
	const struct conf *c = &im->conf;
	struct model_config *m = &im->config;
	int64_t dec_heads;

	m->width = 1024;
	m->enc_layers = m->dec_layers = 12;
	m->heads = 16;
	m->ff = m->dec_ff = 4096;
	if (hf_want_int(c, "d_model", "hidden_size", 2, 16384, &m->width, e) ||
	    conf_want_int(c, "encoder_layers", 1, 64, &m->enc_layers, e) ||
	    conf_want_int(c, "decoder_layers", 1, 64, &m->dec_layers, e) ||
	    hf_want_int(c, "encoder_attention_heads", "num_attention_heads", 1, 256, &m->heads,
			e) ||
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

int
hf_want_activation(const struct conf *c, const char *key, int *activation, struct err *e)
{
	static const char *const names[] = {
		"relu", "gelu", "gelu_python", "gelu_new", "gelu_pytorch_tanh", "gelu_fast",
		"swish", "silu", "quick_gelu", NULL
	};
	static const int which[] = {
		ACTIVATION_RELU, ACTIVATION_GELU, ACTIVATION_GELU, ACTIVATION_GELU_TANH,
		ACTIVATION_GELU_TANH, ACTIVATION_GELU_TANH, ACTIVATION_SWISH, ACTIVATION_SWISH,
		ACTIVATION_GELU_SIGMOID
	};
	int name = 0;

	while (which[name] != *activation)
		name++;
	if (conf_want_choice(c, key, names, &name, e))
		return -1;
	*activation = which[name];
	return 0;
}

static int
hf_read_dropout(struct import *im, struct err *e)
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

/*
 * Positions of BART begin with the third row of their table, and those of FSMT and M2M100 with the
 * number after that of padding.
 */
static int
hf_read_positions(struct import *im, struct err *e)
{
	static const char *const table[] = { "encoder.embed_positions.weight", NULL };
	struct model_config *m = &im->config;
	int64_t pad = 1;
	const char *name = hf_tensor(im, table);
	const struct weight *w = name ? weights_find(&im->weights, name) : NULL;

	m->positions = im->hf->positions;
	m->max_length = 1024;
	if (conf_want_int(&im->conf, "max_position_embeddings", 1, 1000000, &m->max_length, e) ||
	    (conf_has(&im->conf, "pad_token_id") &&
	     conf_want_int(&im->conf, "pad_token_id", 0, 999999, &pad, e)))
		return -1;
	m->position_first = m->positions == POSITIONS_HALVES ? pad + 1 : 0;
	if (m->positions == POSITIONS_LEARNED && w && w->n_dim == 2)
		m->max_length = w->d[0] - HF_POSITION_OFFSET;
	return 0;
}

/*
 * mBART's first tokenizer puts languages after the end of a source, which is not done here;
 * mBART-50's puts them first.
 */
static int
check_tokenizer(const struct import *im, struct err *e)
{
	struct str s = { "", 0 };
	struct conf c;
	int r;

	if (strcmp(im->hf->type, "mbart"))
		return 0;
	if (import_conf(im, &c, TOKENIZER_CONFIG, e))
		return -1;
	r = conf_want_text(&c, "tokenizer_class", &s, e);
	if (!r && s.n >= 8 && !memcmp(s.s, "MBartTok", 8))
		r = conf_refuse(&c, "tokenizer_class", "MBart50Tokenizer", e);
	conf_release(&c);
	return r;
}

static int
hf_rows_of(const struct import *im, int side, int *rows, struct err *e)
{
	const char *name = hf_table(im, side);
	const struct weight *w = name ? weights_find(&im->weights, name) : NULL;

	if (!w || w->n_dim != 2 || w->d[0] < 1 || w->d[0] > 1 << 24)
		return err_set(e, EXIT_INPUT,
			       "%s: no embeddings of the %s, or of a shape that embeddings "
			       "do not have",
			       im->folder, side ? "target" : "source");
	*rows = (int)w->d[0];
	return 0;
}

/* The configuration need not have the number of rows, but transformers loads no other. */
static int
hf_check_size(struct import *im, int side, int rows, struct err *e)
{
	const char *key = im->hf->two_tables ? (side ? "tgt_vocab_size" : "src_vocab_size")
			  : side ? "decoder_vocab_size" : "vocab_size";
	int64_t n = rows;

	if (conf_has(&im->conf, key) && conf_want_int(&im->conf, key, 1, 1 << 24, &n, e))
		return -1;
	if (n == rows && conf_has(&im->conf, key))
		import_checked(im, "%s has %d rows, as %s says", hf_table(im, side), rows, key);
	return n == rows ? 0
			 : err_set(e, EXIT_INPUT, "%s: tensor %s has %d rows, expected %d as %s "
				   "says", im->folder, hf_table(im, side), rows, (int)n, key);
}

/* One vocabulary has a row of both tables for each entry; transformers ties the tables. */
static int
check_same_rows(const struct import *im, int rows, struct err *e)
{
	int target;

	if (hf_rows_of(im, 1, &target, e))
		return -1;
	return target == rows ? 0
			      : err_set(e, EXIT_INPUT, "%s: tensor %s has %d rows and %s %d, "
					"expected the same, for one vocabulary", im->folder,
					hf_table(im, 0), rows, hf_table(im, 1), target);
}

/* Is the row of a table, whose shape hf_rows_of() has checked, all zeros? */
static bool
hf_is_zero(const struct import *im, const char *table, int row)
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
hf_first_of(const struct import *im, const struct hf_special *s)
{
	if (s->start == s->eos)
		return TARGET_EOS;
	return hf_is_zero(im, hf_table(im, 1), s->start) ? TARGET_ZERO : TARGET_BOS;
}

/* A vocabulary that has </s> or <pad> elsewhere may be that of another model. */
static void
note_tokens(struct import *im, int side, const struct hf_special *s)
{
	const struct { const char *text, *key; int row; } tokens[] = {
		{ "</s>", "eos_token_id", s->eos }, { "<pad>", "pad_token_id", s->pad }
	};

	for (int i = 0; i < 2; i++) {
		const int row = ids_row(&im->ids[side], tokens[i].text);

		if (row >= 0 && row != tokens[i].row)
			import_note(im, "%s: %s has number %d, and %s is %d: is it of another "
				    "model?", im->ids[side].name, tokens[i].text, row,
				    tokens[i].key, tokens[i].row);
		else if (row >= 0)
			import_checked(im, "%s has number %d in the vocabulary of the %s, as %s "
				       "says", tokens[i].text, row, side ? "target" : "source",
				       tokens[i].key);
	}
}

static int
build_sides(struct import *im, struct err *e)
{
	for (int side = 0; side < 2 - im->one_vocab; side++) {
		struct hf_special s;
		int rows = 0;

		if (hf_rows_of(im, side, &rows, e) || hf_check_size(im, side, rows, e) ||
		    (im->one_vocab && check_same_rows(im, rows, e)) ||
		    hf_special_read(im, rows, &s, e))
			return -1;
		if (side || im->one_vocab) {
			im->config.first = hf_first_of(im, &s);
			if (hf_search_check(im, rows, s.pad, e))
				return -1;
		}
		if (hf_vocab_open(im, side, rows, e) || hf_special_check(im, side, &s, e))
			return -1;
		note_tokens(im, side, &s);
		if (hf_vocab_build(im, side, rows, &s, e))
			return -1;
	}
	return 0;
}

/* nmt-export writes target_vocab.json for classes that have one table, too. */
static bool
two_vocabs(const struct import *im)
{
	return im->set->n_vocab > 1 || (!im->set->n_vocab && !im->hf->pad_first &&
					import_has(im, "target_vocab.json"));
}

/*
 * Which tables are one.  The output has that of the decoder if the file has the same values for
 * both, as FSMT's, or if tie_word_embeddings is on; hf_map() then refuses a table that differs.  Of
 * T5, transformers 5 says that it is on even if the output has a table of its own, which it uses.
 */
static int
hf_read_ties(struct import *im, struct err *e)
{
	bool shared = !im->hf->two_tables, tied = shared && !im->hf->untied, same;
	const char *target, *output;

	if (conf_want_bool(&im->conf, "tie_word_embeddings", &tied, e) ||
	    (!im->hf->two_tables &&
	     conf_want_bool(&im->conf, "share_encoder_decoder_embeddings", &shared, e)))
		return -1;
	im->one_vocab = shared && !two_vocabs(im);
	target = hf_table(im, 1);
	output = hf_output(im);
	if (!target)
		return err_set(e, EXIT_INPUT, "%s: no embeddings of the target", im->folder);
	if (!tied && !output && !im->hf->two_tables)
		return err_set(e, EXIT_INPUT, "%s: no lm_head.weight, expected it because "
			       "tie_word_embeddings is off", im->folder);
	same = !output || weights_same(&im->weights, target, output);
	if (tied && !same && im->hf->t5)
		import_checked(im, "%s differs from %s, so the output is not tied, whatever "
			       "tie_word_embeddings says", output, target);
	tied = same || (tied && !im->hf->t5);
	im->config.tie = !tied ? TIE_NONE : im->one_vocab ? TIE_ALL : TIE_DECODER;
	im->config.output_bias = weights_has(&im->weights, "final_logits_bias");
	return 0;
}

/* What T5 has otherwise. */
static int
hf_read_settings(struct import *im, struct err *e)
{
	struct model_config *m = &im->config;
	bool scale = im->hf->scale;

	m->activation = im->hf->activation;
	if (check_tokenizer(im, e) || hf_read_sizes(im, e) ||
	    hf_want_activation(&im->conf, "activation_function", &m->activation, e) ||
	    hf_read_dropout(im, e) || hf_read_positions(im, e) ||
	    conf_want_bool(&im->conf, "scale_embedding", &scale, e))
		return -1;
	m->embed_scale = scale ? EMBED_SCALE_SQRT : EMBED_SCALE_ONE;
	m->embed_norm = im->hf->embed_norm;
	m->norm_eps = 1e-5;
	return 0;
}

static int
read_huggingface(struct import *im, struct err *e)
{
	struct model_config *m = &im->config;

	*m = presets[0].config;
	im->recipe = presets[0].recipe;
	if (hf_open_files(im, e) ||
	    (im->hf->t5 ? hf_t5_read(im, e) : hf_read_settings(im, e)) || hf_search_read(im, e))
		return -1;
	im->kind = im->hf->name;
	m->pre_norm = m->final_norm = im->hf->pre_norm;
	m->src_eos = true;
	return hf_read_ties(im, e) || build_sides(im, e) ? -1 : 0;
}

const struct import_layout import_huggingface = {
	"Hugging Face", read_huggingface, hf_map, hf_segment
};
