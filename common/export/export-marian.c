/*
 * export-marian: a folder as Marian's training leaves it: model.npz, vocabularies and decoder.yml;
 * see export.h.  The names are those of Marian 1.9 and later.
 */
#include <math.h>

#include "export/export.h"
#include "export/tensors-out.h"

#define MARIAN_EPS 1e-6

static int
export_marian_check(const struct export *x, struct err *e)
{
	const struct model_config *c = &x->m->config;
	/* No version of Marian is known to us that decodes with learned positions. */
	const struct export_asked positions[] = {
		{ "positions", "halves", c->positions == POSITIONS_HALVES },
		{ "position_first", "0", !c->position_first },
		{ "embed_scale", "sqrt", c->embed_scale == EMBED_SCALE_SQRT },
	};
	const struct export_asked others[] = {
		{ "first", "zero", c->first == TARGET_ZERO }, { "src_eos", "on", c->src_eos },
		{ "activation", "relu, swish, gelu or gelu_sigmoid",
		  c->activation != ACTIVATION_GELU_TANH },
		{ "norm_eps", "1e-06", c->norm_eps == MARIAN_EPS },
		{ "src_bias", "off, as all embeddings are tied",
		  !c->src_bias || c->tie != TIE_ALL },
	};

	if (export_ask(x, positions, sizeof(positions) / sizeof(*positions), e) ||
	    export_check_plain(x, e) ||
	    export_ask(x, others, sizeof(others) / sizeof(*others), e))
		return -1;
	return !x->m->first_token[1]
		       ? 0
		       : err_set(e, EXIT_INPUT, "every target begins with %s, expected no first "
				 "token: Marian cannot force one", x->m->first_token[1]);
}

/* Entries 0 and 1 of Marian are the end of a sentence and unknown words, which it knows by text. */
static int
export_marian_set_rows(struct export *x, struct err *e)
{
	static const int first[] = { VOCAB_EOS, VOCAB_UNK };

	for (int side = 0; side < 2; side++) {
		export_rows(x, side, first, 2);
		if (export_check_texts(x, side, NULL, first, 2, e))
			return -1;
	}
	return 0;
}

/* The vector added to source embeddings becomes a part of them, which Marian scales. */
static void
put_tables(struct export *x)
{
	const struct model_config *c = &x->m->config;
	struct tensor_view *source;

	if (c->tie == TIE_ALL) {
		export_table(x, "Wemb", "embed.weight", 1, false);
		return;
	}
	source = export_table(x, "encoder_Wemb", "src.embed.weight", 0, false);
	source->add = params_find(&x->m->params, "src.embed.bias");
	source->factor = (real)(1 / sqrt((double)c->width));
	export_table(x, "decoder_Wemb", "tgt.embed.weight", 1, false);
	if (c->tie == TIE_NONE)
		export_table(x, "decoder_ff_logit_out_W", "output.weight", 1, true);
}

static void
marian_put_norms(struct export *x, const struct layer_names *names, enum side_part gain)
{
	for (int side = 0; side < 2; side++) {
		export_side(x, names, gain, side, VIEW_LINE);
		export_side(x, names, gain + 1, side, VIEW_LINE);
	}
}

static void
put_tensors(struct export *x)
{
	const struct model_config *c = &x->m->config;
	struct layer_names names;

	put_tables(x);
	export_output_bias(x, "decoder_ff_logit_out_b", x->m->tgt_valid);
	layer_names_marian(&names, c->pre_norm);
	export_layers(x, &names, VIEW_LINE);
	if (c->final_norm)
		marian_put_norms(x, &names, SIDE_GAIN);
	if (c->embed_norm)
		marian_put_norms(x, &names, SIDE_EMBED_GAIN);
}

static const char *
export_marian_yes(bool on)
{
	return on ? "true" : "false";
}

/* Marian has one name for both, and computes the other before version 1.12.3. */
static void
put_activation(const struct export *x, struct buf *b)
{
	const int activation = x->m->config.activation;
	const bool exact = activation == ACTIVATION_GELU;

	if (!exact && activation != ACTIVATION_GELU_SIGMOID) {
		buf_printf(b, "transformer-ffn-activation: %s\n",
			   activation == ACTIVATION_RELU ? "relu" : "swish");
		return;
	}
	warn("the activation is %s, which Marian computes %s version 1.12.3",
	     exact ? "gelu" : "gelu_sigmoid", exact ? "from" : "before");
	buf_printf(b, "transformer-ffn-activation: gelu\nversion: %s\n",
		   exact ? "v1.12.3" : "v1.12.0");
}

static void
put_settings(const struct export *x, struct buf *b)
{
	const struct model_config *c = &x->m->config;

	buf_printf(b, "type: transformer\ndim-vocabs:\n  - %d\n  - %d\n", x->rows[0].n,
		   x->rows[1].n);
	buf_printf(b, "dim-emb: %d\nenc-depth: %d\ndec-depth: %d\ntransformer-heads: %d\n",
		   (int)c->width, (int)c->enc_layers, (int)c->dec_layers, (int)c->heads);
	buf_printf(b, "transformer-dim-ffn: %d\ntransformer-decoder-dim-ffn: %d\n", (int)c->ff,
		   (int)(c->dec_ff ? c->dec_ff : c->ff));
	buf_add_str(b, "transformer-ffn-depth: 2\ntransformer-decoder-ffn-depth: 2\n");
	put_activation(x, b);
	buf_printf(b, "transformer-preprocess: \"%s\"\ntransformer-postprocess: %s\n",
		   c->pre_norm ? "n" : "", c->pre_norm ? "da" : "dan");
	buf_printf(b, "transformer-postprocess-emb: %s\ntransformer-postprocess-top: \"%s\"\n",
		   c->embed_norm ? "nd" : "d", c->final_norm ? "n" : "");
	buf_add_str(b, "transformer-train-position-embeddings: false\n");
	buf_printf(b, "max-length: %d\n", (int)c->max_length);
	buf_printf(b, "tied-embeddings: %s\ntied-embeddings-all: %s\ntied-embeddings-src: false\n",
		   export_marian_yes(c->tie == TIE_DECODER), export_marian_yes(c->tie == TIE_ALL));
	buf_add_str(b, "transformer-decoder-autoreg: self-attention\n"
		    "transformer-tied-layers:\n  []\ninput-types:\n  []\n"
		    "transformer-guided-alignment-layer: last\ntransformer-no-projection: false\n"
		    "transformer-no-bias: false\ntransformer-no-affine: false\n"
		    "transformer-pool: false\ntransformer-disable-position-embeddings: false\n"
		    "output-omit-bias: false\nlemma-dim-emb: 0\nulr: false\nskip: false\n"
		    "layer-normalization: false\nright-left: false\n");
}

static void
put_decoder(const struct export *x, const char *const vocab[2], struct buf *b)
{
	buf_printf(b, "relative-paths: true\nmodels:\n  - model.npz\nvocabs:\n  - %s\n  - %s\n",
		   vocab[0], vocab[1]);
	buf_printf(b, "beam-size: %d\nnormalize: %g\nword-penalty: 0\n", (int)x->m->recipe.beam,
		   export_length_penalty(x));
}

static int
write_vocabs(struct export *x, struct err *e)
{
	static const char *const apart[2] = { "vocab.src.yml", "vocab.trg.yml" };
	static const char *const one[2] = { "vocab.yml", "vocab.yml" };
	const bool all = x->m->config.tie == TIE_ALL;
	const char *const *name = all ? one : apart;
	struct buf b = { 0 };
	int r = 0;

	for (int side = all; !r && side < 2; side++)
		r = export_vocab(x, side, NULL, name[side], e);
	put_decoder(x, name, &b);
	if (!r)
		r = export_file(x, "decoder.yml", b.data, b.n, e);
	buf_release(&b);
	return r;
}

static int
write_pieces(struct export *x, struct err *e)
{
	const struct model *m = x->m;
	const int second = m->spm[1] != NULL;

	if (m->codes && export_file(x, "bpe.codes", m->codes, m->codes_n, e))
		return -1;
	if (m->spm[0] && export_file(x, "source.spm", m->spm[0], m->spm_n[0], e))
		return -1;
	return m->spm[second] ? export_file(x, "target.spm", m->spm[second], m->spm_n[second], e) :
	       0;
}

static int
check_marian(struct export *x, struct err *e)
{
	return export_marian_check(x, e) || export_marian_set_rows(x, e) ? -1 : 0;
}

static int
write_marian(struct export *x, struct err *e)
{
	struct buf settings = { 0 };
	struct output *o;
	int r;

	put_tensors(x);
	put_settings(x, &settings);
	o = export_open(x, "model.npz", e);
	r = !o || npz_write(o, &x->views, settings.data, e) || write_pieces(x, e) ||
	    write_vocabs(x, e);
	buf_release(&settings);
	return r ? -1 : 0;
}

static const char *const all[] = {
	"decoder.yml", "model.npz", "vocab.yml", "vocab.src.yml", "vocab.trg.yml", "bpe.codes",
	"source.spm", "target.spm", NULL
};

const struct export_layout export_marian = {
	"Marian", "marian", all, check_marian, write_marian
};
