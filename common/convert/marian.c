/*
 * marian: models of Marian (Junczys-Dowmunt et al. 2018): an .npz with settings in the array
 * special:model.yml, vocabularies, and decoder.yml, as OPUS-MT publishes them; see import.h.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "convert/import.h"
#include "convert/marian-vocab.h"
#include "convert/npz.h"
#include "exchange/file.h"
#include "search/search.h"

#define SETTINGS "special:model.yml"

/* Settings that have one value only here. */
struct fixed { const char *key, *value; };

static const struct fixed fixed[] = {
	{ "type", "transformer" },
	{ "transformer-decoder-autoreg", "self-attention" },
	{ "transformer-ffn-depth", "2" },
	{ "transformer-no-projection", "false" },
	{ "transformer-pool", "false" },
	{ "transformer-disable-position-embeddings", "false" },
	{ "transformer-attention-mask", "default" },
	{ "transformer-no-bias", "false" },
	{ "transformer-no-affine", "false" },
	{ "lemma-dim-emb", "0" },
	{ "right-left", "false" },
	{ "ulr", "false" },
};

static int
check_fixed(const struct conf *c, struct err *e)
{
	for (size_t i = 0; i < sizeof(fixed) / sizeof(*fixed); i++) {
		const struct conf_value v = conf_get(c, fixed[i].key);
		struct str s;

		if (!v.p) {
			conf_absent(c, fixed[i].key, fixed[i].value);
			continue;
		}
		if (!conf_text(v, &s) || s.n != strlen(fixed[i].value) ||
		    memcmp(s.s, fixed[i].value, s.n))
			return conf_refuse(c, fixed[i].key, fixed[i].value, e);
	}
	return 0;
}

/* A list of nothing. */
static int
check_tied_layers(const struct conf *c, struct err *e)
{
	const char *key = "transformer-tied-layers";
	struct conf_walk w;

	if (conf_want_list(c, key, &w, e))
		return -1;
	return w.left ? conf_refuse(c, key, "an empty list", e) : 0;
}

/*
 * What is done before or after a layer, as letters: n normalizes, a adds the layer's input, d is
 * dropout, which is for training.
 */
static int
letters(const struct conf *c, const char *key, const char *missing, const char *const *choice,
	int *which, struct err *e)
{
	struct str s = { missing, strlen(missing) };
	char plain[8];
	size_t n = 0;

	if (conf_want_text(c, key, &s, e))
		return -1;
	if (!conf_get(c, key).p)
		conf_absent(c, key, missing);
	for (size_t i = 0; i < s.n && n + 1 < sizeof(plain); i++)
		if (s.s[i] != 'd')
			plain[n++] = s.s[i];
	plain[n] = '\0';
	for (*which = 0; choice[*which]; ++*which)
		if (!strcmp(plain, choice[*which]))
			return 0;
	return conf_refuse(c, key, choice[1] ? "n or nothing, besides d" : choice[0], e);
}

static int
read_norms(struct import *im, struct err *e)
{
	static const char *const maybe[] = { "", "n", NULL };
	static const char *const added[] = { "a", NULL }, *const normed[] = { "an", NULL };
	const struct conf *c = &im->conf;
	struct model_config *m = &im->config;
	int pre, post, top, embed;

	if (letters(c, "transformer-preprocess", "", maybe, &pre, e) ||
	    letters(c, "transformer-postprocess", "dan", pre ? added : normed, &post, e) ||
	    letters(c, "transformer-postprocess-top", "", maybe, &top, e) ||
	    letters(c, "transformer-postprocess-emb", "d", maybe, &embed, e))
		return -1;
	m->pre_norm = pre;
	m->final_norm = top;
	m->embed_norm = embed;
	m->norm_eps = 1e-6;
	return 0;
}

static int
read_dropout(struct import *im, struct err *e)
{
	const struct conf *c = &im->conf;
	struct model_config *m = &im->config;

	if (conf_want_float(c, "transformer-dropout", &m->dropout_residual, e) ||
	    conf_want_float(c, "transformer-dropout-attention", &m->dropout_attention, e) ||
	    conf_want_float(c, "transformer-dropout-ffn", &m->dropout_relu, e))
		return -1;
	m->dropout_embed = m->dropout_residual;
	return 0;
}

/* What Marian calls gelu is x sigmoid(1.702 x) before this version, and x Phi(x) since. */
#define EXACT_GELU 1012003		/* 1.12.3 */

static int
read_gelu(struct import *im, struct err *e)
{
	int major = 0, minor = 0, patch = 0;
	struct str s = { "", 0 };
	char version[16];

	if (conf_want_text(&im->conf, "version", &s, e))
		return -1;
	if (!s.n)
		import_note(im, "no version of Marian in the settings: its gelu is taken for that "
			    "of versions before 1.12.3");
	snprintf(version, sizeof(version), "%.*s", (int)(s.n < 15 ? s.n : 15), s.s);
	sscanf(version, "v%3d.%3d.%3d", &major, &minor, &patch);
	im->config.activation = (major * 1000 + minor) * 1000 + patch < EXACT_GELU
				? ACTIVATION_GELU_SIGMOID : ACTIVATION_GELU;
	return 0;
}

static int
marian_read_sizes(struct import *im, struct err *e)
{
	static const char *const activations[] = { "relu", "swish", "gelu", NULL };
	const struct conf *c = &im->conf;
	struct model_config *m = &im->config;
	int64_t depth = 0;

	m->enc_layers = m->dec_layers = 1;
	m->heads = 8;
	m->ff = 2048;
	m->width = 512;
	m->activation = ACTIVATION_SWISH;
	if (conf_want_int(c, "enc-depth", 1, 64, &m->enc_layers, e) ||
	    conf_want_int(c, "dec-depth", 1, 64, &m->dec_layers, e) ||
	    conf_want_int(c, "dim-emb", 2, 16384, &m->width, e) ||
	    conf_want_int(c, "transformer-heads", 1, 256, &m->heads, e) ||
	    conf_want_int(c, "transformer-dim-ffn", 1, 65536, &m->ff, e) ||
	    conf_want_int(c, "transformer-decoder-dim-ffn", 0, 65536, &m->dec_ff, e) ||
	    conf_want_int(c, "transformer-decoder-ffn-depth", 0, 1000, &depth, e) ||
	    conf_want_choice(c, "transformer-ffn-activation", activations, &m->activation, e))
		return -1;
	if (m->activation == ACTIVATION_GELU && read_gelu(im, e))
		return -1;
	if (m->dec_ff == m->ff)
		m->dec_ff = 0;
	return depth && depth != 2 ? conf_refuse(c, "transformer-decoder-ffn-depth", "2", e) : 0;
}

/*
 * Marian scales embeddings only if positions are sinusoids, and uses a table wherever there is
 * one.
 */
static void
marian_read_positions(struct import *im)
{
	const struct weight *positions = weights_find(&im->weights, "Wpos");
	struct model_config *m = &im->config;

	m->positions = POSITIONS_HALVES;
	m->position_first = 0;
	m->max_length = 1024;
	if (!positions || positions->n_dim != 2)
		return;
	m->positions = POSITIONS_LEARNED;
	m->embed_scale = EMBED_SCALE_ONE;
	m->max_length = positions->d[0];
}

/* The settings in the .npz end with a NUL byte. */
static int
read_settings(struct import *im, struct err *e)
{
	struct weight *w = weights_find(&im->weights, SETTINGS);
	char *name, *text;
	size_t n;
	int r;

	if (!w)
		return err_set(e, EXIT_INPUT, "%s has no " SETTINGS ", expected a model of Marian",
			       im->file);
	buf_add_str(&w->use, "- (settings)");
	n = w->bytes;
	while (n && !w->data[n - 1])
		n--;
	text = xstrndup((const char *)w->data, n);
	name = xasprintf("%s: model.yml", im->file);
	r = conf_yaml(&im->conf, name, text, n, e);
	im->conf.absent = &im->assumed;
	free(name);
	free(text);
	return r;
}

/* Which tables are one: as Marian decides it, and as far as heed can. */
static int
read_ties(struct import *im, struct err *e)
{
	const struct conf *c = &im->conf;
	bool all = false, target = false, source = false;

	if (conf_want_bool(c, "tied-embeddings-all", &all, e) ||
	    conf_want_bool(c, "tied-embeddings", &target, e) ||
	    conf_want_bool(c, "tied-embeddings-src", &source, e))
		return -1;
	im->config.output_bias = weights_has(&im->weights, "decoder_ff_logit_out_b");
	im->config.tie = !all && !target ? TIE_NONE : im->one_vocab ? TIE_ALL : TIE_DECODER;
	if ((all || source) && im->config.tie != TIE_ALL)
		import_note(im,
			    "source and target embeddings are one table in the original, and two "
			    "tables with the same values here");
	return 0;
}

/* Marian then draws translations instead of searching for them; older versions say true. */
static void
note_sampling(struct import *im)
{
	const struct conf_value v = conf_get(&im->search, "output-sampling");
	struct buf text = { 0 };

	if (!v.p)
		return;
	conf_show(v, &text);
	buf_add(&text, "", 1);
	if (strcmp(text.data, "[]") && strcmp(text.data, "false"))
		import_note(im, "decoder.yml: output-sampling is %s: translate with --sample",
			    text.data);
	buf_release(&text);
}

static int
read_search(struct import *im, struct err *e)
{
	struct recipe *r = &im->recipe;
	double word_penalty = 0, factor = 3;
	bool unknown = false;
	struct search_settings s;

	search_defaults(&s, SEARCH_MARIAN);
	r->search = SEARCH_MARIAN;
	r->beam = s.beam;
	r->length_penalty = s.length_penalty;
	if (!im->search.name)
		return 0;
	r->length_penalty = 0;
	if (conf_want_int(&im->search, "beam-size", 1, 1000, &r->beam, e) ||
	    conf_want_float(&im->search, "normalize", &r->length_penalty, e) ||
	    conf_want_float(&im->search, "word-penalty", &word_penalty, e) ||
	    conf_want_float(&im->search, "max-length-factor", &factor, e) ||
	    conf_want_bool(&im->search, "allow-unk", &unknown, e))
		return -1;
	if (r->length_penalty < 0 || r->length_penalty > 1000)
		return conf_refuse(&im->search, "normalize", "0 to 1000", e);
	if (word_penalty != 0)
		import_note(im,
			    "decoder.yml: word-penalty is %g, which the search here does not have",
			    word_penalty);
	if (factor != 3)
		import_note(im,
			    "decoder.yml: max-length-factor is %g: translate with --max-ratio %g",
			    factor, factor);
	if (unknown)
		import_note(im, "decoder.yml: allow-unk is on, but the search here never produces "
			    "<unk>");
	note_sampling(im);
	return 0;
}

/* The only .npz of a folder, or the first that decoder.yml lists. */
static int
find_npz(struct import *im, struct err *e)
{
	char **name, *listed;
	size_t n;
	int models;

	if (im->file)
		return 0;
	models = marian_listed(im, "models", 0, &listed, e);
	if (models == 1 && import_has(im, listed))
		im->file = file_in(im->folder, listed);
	free(listed);
	if (models < 0)
		return -1;
	if (!models && im->search.name)
		import_note(im, "%s: no models, expected a list: it is not a decoder.yml as Marian "
			    "writes it", im->search.name);
	if (models > 1) {
		err_set(e, EXIT_INPUT, "%s: models has %d entries, an ensemble, expected one",
			im->search.name, models);
		err_hint(e, "name the .npz of one of them");
		return -1;
	}
	if (im->file)
		return 0;
	name = file_names(im->folder, "*.npz", &n);
	for (size_t i = 0; i < n; i++) {
		if (strstr(name[i], ".optimizer."))
			continue;
		if (im->file) {
			file_names_free(name);
			return err_set(e, EXIT_INPUT,
				       "%s has several .npz files, expected the name of one",
				       im->folder);
		}
		im->file = file_in(im->folder, name[i]);
	}
	file_names_free(name);
	return im->file ? 0 : err_set(e, EXIT_INPUT, "%s has no .npz with a model", im->folder);
}

static int
read_marian(struct import *im, struct err *e)
{
	im->kind = "marian";
	im->config = presets[0].config;
	im->recipe = presets[0].recipe;
	im->config.first = TARGET_ZERO;
	im->config.src_eos = true;
	/* decoder.yml has the name of the model and settings of the search. */
	if (import_conf(im, &im->search, "decoder.yml", e) || find_npz(im, e) ||
	    npz_open(&im->weights, im->file, e) || read_settings(im, e) ||
	    check_fixed(&im->conf, e) || check_tied_layers(&im->conf, e) ||
	    marian_read_sizes(im, e) || read_norms(im, e) || read_dropout(im, e))
		return -1;
	marian_read_positions(im);
	return read_search(im, e) || marian_vocabs(im, e) || read_ties(im, e) ? -1 : 0;
}

static int
map_tables(struct import *im, struct err *e)
{
	const bool legacy = weights_has(&im->weights, "decoder_ff_logit_out_W");

	return import_tables(im, marian_table(im, 0), marian_table(im, 1),
			     legacy ? "decoder_ff_logit_out_W" : "decoder_ff_logit_out_Wt", legacy,
			     e);
}

static int
map_marian(struct import *im, struct err *e)
{
	const struct model_config *c = &im->config;
	struct layer_names names;

	layer_names_marian(&names, c->pre_norm);
	if (map_tables(im, e) || import_layers(im, &names, e) ||
	    (c->output_bias &&
	     import_table(im, "output.bias", "decoder_ff_logit_out_b", 1, false, e)))
		return -1;
	if (c->positions != POSITIONS_LEARNED)
		return 0;
	return mapping_add_one(&im->map, "src.position.weight", "Wpos", e) ||
	       mapping_add_one(&im->map, "tgt.position.weight", "Wpos", e) ? -1 : 0;
}

/*
 * source.bpe and target.bpe of older models of OPUS-MT, which a model file can only hold if they
 * are the same, or the BPE codes that nmt-export writes.
 */
static int
add_codes(struct import *im, struct err *e)
{
	struct model *m = im->m;
	size_t source_n;
	char *source;
	int r;

	if (!import_has(im, "source.bpe") || !import_has(im, "target.bpe"))
		return import_codes(im, "bpe.codes", "", e);
	if (import_codes(im, "source.bpe", "", e))
		return -1;
	source = m->codes;
	source_n = m->codes_n;
	m->codes = NULL;
	r = import_codes(im, "target.bpe", "", e);
	if (!r && (m->codes_n != source_n || memcmp(m->codes, source, source_n))) {
		free(m->codes);
		m->codes = NULL;
		m->codes_n = 0;
		import_note(im, "source.bpe and target.bpe differ: segment the text with bpe-apply "
			    "--src-codes source.bpe --tgt-codes target.bpe");
	}
	free(source);
	return r;
}

/*
 * source.spm and target.spm of OPUS-MT, or vocabularies that are SentencePiece models themselves.
 */
static int
segment_marian(struct import *im, struct err *e)
{
	static const char *const names[2] = { "source.spm", "target.spm" };

	for (int side = 0; side < 2; side++) {
		const struct ids *v = &im->ids[im->one_vocab ? 0 : side];

		if (import_spm(im, side, names[side], e))
			return -1;
		if (!im->m->spm[side] && v->name && file_ends(v->name, ".spm") &&
		    import_spm_at(im, side, v->name, e))
			return -1;
	}
	return im->m->spm[0] || im->m->spm[1] ? 0 : add_codes(im, e);
}

const struct import_layout import_marian = { "Marian", read_marian, map_marian, segment_marian };
