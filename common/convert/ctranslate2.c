/*
 * ctranslate2: folders of CTranslate2 with model.bin, config.json and vocabularies, and packages of
 * Argos Translate, which contain one; see import.h.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "convert/ctranslate2-parts.h"
#include "exchange/file.h"
#include "search/search.h"

#define MODEL "model.bin"
enum { NEWEST_REVISION = 7, NUMBER_OF_HEADS = 3, WITH_SIDES = 5, WITH_CONFIG = 6 };

/* Where an Argos package has the SentencePiece model of both sides, from the model's folder. */
#define ARGOS_SPM  "../sentencepiece.model"
#define ARGOS_FILE "../metadata.json"

static int
ct2_refuse(const struct import *im, const char *key, double value, const char *expected,
	   struct err *e)
{
	return err_set(e, EXIT_INPUT, "%s: %s is %g, expected %s", im->file, key, value, expected);
}

int
ct2_integer(const struct import *im, const char *tensor, double *x, struct err *e)
{
	const struct weight *w = weights_find(&im->weights, tensor);
	char value[40];

	if (!w) {
		snprintf(value, sizeof(value), "%g", *x);
		return conf_absent(&im->conf, tensor, value);
	}
	if (!ct2_number(w, x))
		return err_set(e, EXIT_INPUT, "%s: tensor %s has %zu elements, expected one",
			       im->file, tensor, w->n);
	return *x == floor(*x) && fabs(*x) <= INT32_MAX
		       ? 0 : ct2_refuse(im, tensor, *x, "an integer", e);
}

int
ct2_setting(const struct import *im, int side, const char *key, double *x, struct err *e)
{
	char *name = xasprintf("%s/%s", side ? "decoder" : "encoder", key);
	const int r = ct2_integer(im, weights_has(&im->weights, name) ? name : key, x, e);

	free(name);
	return r;
}

static int
refuse_other(const struct import *im, const char *key, double decoder, double encoder,
	     struct err *e)
{
	char expected[60];

	snprintf(expected, sizeof(expected), "%g as in the encoder", encoder);
	return ct2_refuse(im, key, decoder, expected, e);
}

/* A setting that both sides have the same value of. */
static int
want_both(const struct import *im, const char *key, double *x, struct err *e)
{
	double decoder = *x;

	if (ct2_setting(im, 0, key, x, e) || ct2_setting(im, 1, key, &decoder, e))
		return -1;
	return decoder == *x ? 0 : refuse_other(im, key, decoder, *x, e);
}

static int
ct2_check_file(const struct import *im, const struct ct2_file *f, struct err *e)
{
	if (*f->spec && strcmp(f->spec, "TransformerSpec") && strcmp(f->spec, "TransformerBase") &&
	    strcmp(f->spec, "TransformerBig"))
		return err_set(e, EXIT_INPUT, "%s: specification %s, expected TransformerSpec",
			       im->file, f->spec);
	if (f->revision < 1 || f->revision > NEWEST_REVISION)
		return err_set(e, EXIT_INPUT, "%s: revision %lld of TransformerSpec, expected 1 to "
			       "%d", im->file, (long long)f->revision, NEWEST_REVISION);
	return 0;
}

static int
open_files(struct import *im, struct ct2_file *f, struct err *e)
{
	if (!im->file)
		im->file = file_in(im->folder, MODEL);
	if (ct2_open(&im->weights, im->file, f, e) || ct2_check_file(im, f, e))
		return -1;
	if ((f->version >= WITH_CONFIG || import_has(im, "config.json")) &&
	    conf_open_in(&im->conf, im->folder, "config.json", e))
		return -1;
	im->conf.absent = &im->assumed;
	return 0;
}

/* Layers are numbered without gaps. */
static int64_t
count_layers(const struct import *im, const char *side)
{
	int64_t n = 0;
	bool is = true;

	while (is) {
		char *name = xasprintf("%s/layer_%d/ffn/linear_0/weight", side, (int)n);

		is = weights_has(&im->weights, name);
		n += is;
		free(name);
	}
	return n;
}

static int64_t
dimension(const struct import *im, const char *tensor, int i)
{
	const struct weight *w = weights_find(&im->weights, tensor);

	return w && w->n_dim == 2 ? w->d[i] : 0;
}

static int
ct2_read_sizes(struct import *im, const struct ct2_file *f, struct err *e)
{
	struct model_config *m = &im->config;
	double heads = f->revision < NUMBER_OF_HEADS && !strcmp(f->spec, "TransformerBig") ? 16 : 8;

	if (want_both(im, "num_heads", &heads, e))
		return -1;
	if (heads < 1 || heads > 256)
		return ct2_refuse(im, "num_heads", heads, "1 to 256", e);
	m->heads = (int64_t)heads;
	m->enc_layers = count_layers(im, "encoder");
	m->dec_layers = count_layers(im, "decoder");
	m->width = dimension(im, ct2_table(im, 0), 1);
	m->ff = dimension(im, "encoder/layer_0/ffn/linear_0/weight", 0);
	m->dec_ff = dimension(im, "decoder/layer_0/ffn/linear_0/weight", 0);
	if (m->dec_ff == m->ff)
		m->dec_ff = 0;
	return 0;
}

static int
read_activation(struct import *im, struct err *e)
{
	static const int which[] = { ACTIVATION_RELU, ACTIVATION_GELU_TANH, ACTIVATION_SWISH,
				     ACTIVATION_GELU, ACTIVATION_GELU_SIGMOID };
	double x = 0;

	if (want_both(im, "activation", &x, e))
		return -1;
	for (int i = 0; i < 5; i++)
		if (x == i) {
			im->config.activation = which[i];
			return 0;
		}
	return ct2_refuse(im, "activation", x,
			  "0 (ReLU), 1 (GELU by tanh), 2 (Swish), 3 (GELU) or 4 (GELU by sigmoid)",
			  e);
}

/* The factor of embeddings: the file has it, or a switch for the square root of the width. */
static int
scale_of(const struct import *im, const char *const names[2], double *factor, struct err *e)
{
	const double root = sqrt((double)im->config.width);
	const char *name = names[!weights_has(&im->weights, names[0])];
	const struct weight *w = weights_find(&im->weights, name);
	double x = 1;

	if (w && w->type != WEIGHT_OTHER && ct2_number(w, &x)) {
		*factor = fabs(x - root) < 1e-5 * root ? root : x;
		return 0;
	}
	if (ct2_integer(im, name, &x, e))
		return -1;
	*factor = x != 0 ? root : 1;
	return 0;
}

static int
read_scale(struct import *im, struct err *e)
{
	static const char *const names[2][2] = {
		{ "encoder/scale_embeddings", "encoder/embeddings/multiply_by_sqrt_depth" },
		{ "decoder/scale_embeddings", "decoder/embeddings/multiply_by_sqrt_depth" },
	};
	double x, decoder;

	if (scale_of(im, names[0], &x, e) || scale_of(im, names[1], &decoder, e))
		return -1;
	if (x != decoder)
		return refuse_other(im, "scale_embeddings", decoder, x, e);
	im->config.embed_scale = x == 1 ? EMBED_SCALE_ONE : EMBED_SCALE_SQRT;
	return x != 1 && x != sqrt((double)im->config.width)
		       ? ct2_refuse(im, "scale_embeddings", x, "1 or the square root of the width",
				    e)
		       : 0;
}

/* What makes another model of it; other tensors that are not known are refused by their names. */
static int
ct2_check_fixed(const struct import *im, struct err *e)
{
	static const char *const keys[] = { "alibi", "multi_query_attention" };
	int64_t quantization = 0;

	for (int i = 0; i < 4; i++) {
		double x = 0;

		if (ct2_setting(im, i % 2, keys[i / 2], &x, e))
			return -1;
		if (x != 0)
			return ct2_refuse(im, keys[i / 2], x, "0", e);
	}
	if (weights_has(&im->weights, "encoder/layer_0/self_attention/relative_position_keys"))
		return err_set(e, EXIT_INPUT, "%s: relative_position_keys, expected sinusoids or "
			       "trained positions", im->file);
	if (conf_has(&im->conf, "quantization_type") &&
	    conf_want_int(&im->conf, "quantization_type", 0, 1000, &quantization, e))
		return -1;
	return quantization ? conf_refuse(&im->conf, "quantization_type", "0", e) : 0;
}

static int
ct2_read_norms(struct import *im, struct err *e)
{
	struct model_config *m = &im->config;
	double pre = 1;

	m->norm_eps = 1e-5;
	if (want_both(im, "pre_norm", &pre, e) ||
	    (conf_has(&im->conf, "layer_norm_epsilon") &&
	     conf_want_float(&im->conf, "layer_norm_epsilon", &m->norm_eps, e)))
		return -1;
	m->pre_norm = pre != 0;
	m->final_norm = weights_has(&im->weights, "encoder/layer_norm/gamma");
	m->embed_norm = weights_has(&im->weights, "encoder/layernorm_embedding/gamma");
	return 0;
}

/* Does a table have the sinusoids of these settings? */
static bool
is_sinusoids(const struct weight *w, const struct model_config *c)
{
	const double within = w->type == WEIGHT_F32 ? POSITION_ERROR / 10 : POSITION_ERROR;
	real *want = model_positions(c);
	const bool is = weight_near(w, 0, (size_t)(c->max_length * c->width), want, within);

	free(want);
	return is;
}

/*
 * A file without a table of positions has sinusoids as OpenNMT-tf computes them; a table may have
 * those of another toolkit, which are computed here, too, or trained positions.
 */
static void
ct2_read_positions(struct import *im)
{
	static const int kinds[] = { POSITIONS_HALVES, POSITIONS_INTERLEAVED,
				     POSITIONS_HUGGINGFACE };
	const struct weight *w = weights_find(&im->weights, "encoder/position_encodings/encodings");
	struct model_config *m = &im->config;

	m->positions = POSITIONS_HALVES;
	m->position_first = 1;
	m->max_length = 1024;
	if (!w || w->n_dim != 2 || w->d[1] != m->width || w->type == WEIGHT_OTHER || !w->n)
		return;
	if (w->d[0] < m->max_length)
		m->max_length = w->d[0];
	for (int i = 0; i < 3; i++)
		for (m->position_first = 0; m->position_first < 3; m->position_first++) {
			m->positions = kinds[i];
			if (is_sinusoids(w, m))
				return;
		}
	m->positions = POSITIONS_LEARNED;
	m->position_first = 0;
	m->max_length = w->d[0];
}

/* What the search of CTranslate2 has as defaults. */
static void
set_search(struct recipe *r)
{
	r->search = SEARCH_FAIRSEQ;
	r->beam = 2;
	r->length_penalty = 1;
}

static int
ct2_read_model(struct import *im, const struct ct2_file *f, struct ct2_tokens *t, struct err *e)
{
	if (ct2_check_fixed(im, e) || ct2_read_sizes(im, f, e) || read_activation(im, e) ||
	    ct2_read_norms(im, e) || read_scale(im, e) || ct2_tokens_read(t, im, f, e))
		return -1;
	/* The sizes decide how large a table of positions is. */
	if (model_config_check(&im->config, e)) {
		e->status = EXIT_INPUT;
		return err_wrap(e, "%s", im->file);
	}
	ct2_read_positions(im);
	set_search(&im->recipe);
	im->config.output_bias = weights_has(&im->weights, "decoder/projection/bias");
	return ct2_vocabs(im, t, e);
}

static int
read_ctranslate2(struct import *im, struct err *e)
{
	struct ct2_tokens tokens = { .unk = NULL };
	struct ct2_file f;
	int r;

	im->kind = "CTranslate2";
	im->config = presets[0].config;
	im->recipe = presets[0].recipe;
	if (open_files(im, &f, e))
		return -1;
	r = ct2_read_model(im, &f, &tokens, e);
	if (!r && tokens.source_bos)
		im->first_row[0] = ids_row(&im->ids[0], tokens.bos);
	if (!r && !tokens.source_eos && im->config.first != TARGET_BOS && !im->set->src_eos)
		import_note(im, "add_source_eos is false: if %s ends each source of the original, "
			    "use --src-eos", tokens.eos);
	ct2_tokens_release(&tokens);
	return r;
}

static int
segment_ctranslate2(struct import *im, struct err *e)
{
	static const char *const names[2][5] = {
		{ "source.spm", "sentencepiece.bpe.model", "sentencepiece.model", ARGOS_SPM, NULL },
		{ "target.spm", NULL },
	};

	for (int side = 0; side < 2; side++)
		for (int i = 0; !im->m->spm[side] && names[side][i]; i++)
			if ((strcmp(names[side][i], ARGOS_SPM) || import_has(im, ARGOS_FILE)) &&
			    import_spm(im, side, names[side][i], e))
				return -1;
	return 0;
}

const struct import_layout import_ctranslate2 = {
	"CTranslate2", read_ctranslate2, ct2_map, segment_ctranslate2
};

/* --- names of tensors --- */

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
	struct layer_names names;

	layer_names_ctranslate2(&names);
	if (import_tables(im, ct2_table(im, 0), ct2_table(im, 1), CT2_OUTPUT, false, e) ||
	    import_layers(im, &names, e) ||
	    (im->config.output_bias &&
	     import_table(im, "output.bias", "decoder/projection/bias", 1, false, e)))
		return -1;
	ignore_settings(im);
	ignore_copies(im);
	return 0;
}
