/*
 * export-huggingface: a folder that transformers loads with from_pretrained(): config.json,
 * model.safetensors, and the files of the tokenizer; see export.h.  The positions and norms of the
 * model decide which of its classes it is.
 */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "convert/huggingface-t5.h"
#include "convert/huggingface-vocab.h"
#include "export/export-t5.h"
#include "export/tensors-out.h"

#define HF_EPS 1e-5

/* A class of transformers, and what it asks of a model. */
struct hf_class {
	const char *type, *name, *class;
	int positions;
	bool pre_norm, embed_norm;
	int64_t position_first;
	bool logits_bias;		/* it has final_logits_bias */
	bool marian;			/* rows begin with the end, unknown and padding */
	bool two_tables;		/* source and target never share one */
	bool one_table;			/* they always do */
	bool source_bos;		/* sources begin with bos_token_id */
};

static const struct hf_class classes[] = {
	{ .type = "marian", .name = "MarianMT", .class = "MarianMTModel",
	  .positions = POSITIONS_HUGGINGFACE, .logits_bias = true, .marian = true },
	{ .type = "fsmt", .name = "FSMT", .class = "FSMTForConditionalGeneration",
	  .positions = POSITIONS_HALVES, .position_first = 2, .two_tables = true },
	{ .type = "m2m_100", .name = "M2M100", .class = "M2M100ForConditionalGeneration",
	  .positions = POSITIONS_HALVES, .position_first = 2, .pre_norm = true, .one_table = true },
	{ .type = "bart", .name = "BART", .class = "BartForConditionalGeneration",
	  .positions = POSITIONS_LEARNED, .embed_norm = true, .logits_bias = true,
	  .one_table = true, .source_bos = true },
	{ .type = "mbart", .name = "mBART", .class = "MBartForConditionalGeneration",
	  .positions = POSITIONS_LEARNED, .embed_norm = true, .pre_norm = true,
	  .logits_bias = true, .one_table = true },
	{ .type = NULL }
};

static const struct hf_class *
find_class(struct export *x)
{
	const struct model_config *c = &x->m->config;

	for (const struct hf_class *k = classes; k->type; k++)
		if (k->positions == c->positions && (k->pre_norm == c->pre_norm || k->marian)) {
			x->kind = k->name;
			return k;
		}
	return NULL;
}

static int
check_architecture(const struct export *x, const struct hf_class *k, struct err *e)
{
	const struct model_config *c = &x->m->config;
	const char *norm = k->pre_norm ? "on" : "off";
	const struct export_asked asked[] = {
		{ "pre_norm", norm, c->pre_norm == k->pre_norm },
		{ "final_norm", norm, c->final_norm == k->pre_norm },
		{ "embed_norm", k->embed_norm ? "on" : "off", c->embed_norm == k->embed_norm },
		{ "position_first", k->position_first ? "2" : "0",
		  c->position_first == k->position_first },
		{ "norm_eps", "1e-05", c->norm_eps == HF_EPS }, { "src_eos", "on", c->src_eos },
		{ "src_bias", "off", !c->src_bias },
		{ "output_bias", "off", !c->output_bias || k->logits_bias },
	};

	return export_check_plain(x, e) ||
	       export_ask(x, asked, sizeof(asked) / sizeof(*asked), e) ? -1 : 0;
}

static int
check_tables(const struct export *x, const struct hf_class *k, struct err *e)
{
	const struct model_config *c = &x->m->config;

	if (k->one_table && !export_one_table(x))
		return err_set(e, EXIT_INPUT, "source and target embeddings differ, expected the "
			       "same: %s has one table for both", x->kind);
	if (c->first == TARGET_ZERO && !k->marian)
		return export_refuse(x, "first", "bos or eos", e);
	if (!k->logits_bias && export_masks(x))
		return export_refuse(x, "output_mask", "off", e);
	return 0;
}

/*
 * What is <s> there: what decoders read first, or the entry <s> of a model that does not use the
 * special token.  Both sides of one table have the target's.
 */
static int
bos_entry(const struct export *x, const struct hf_class *k, int side, int start)
{
	const struct model *m = x->m;
	const bool target = side || k->one_table || m->config.tie == TIE_ALL;
	const int piece = vocab_id(target ? &m->tgt : &m->src, "<s>", 3);

	if (target && (start == VOCAB_BOS || start >= VOCAB_SPECIALS))
		return start;
	return piece != VOCAB_UNK && export_drops(x, target, VOCAB_BOS) ? piece : VOCAB_BOS;
}

static int
export_hf_set_rows(struct export *x, const struct hf_class *k, struct err *e)
{
	static const int own[] = { VOCAB_PAD, VOCAB_EOS, VOCAB_UNK };
	const int start = export_start(x->m);

	for (int side = 0; side < 2; side++) {
		const int bos = bos_entry(x, k, side, start);
		const int first[] = { bos, VOCAB_PAD, VOCAB_EOS, VOCAB_UNK };
		const int marian[] = { VOCAB_EOS, VOCAB_UNK, VOCAB_PAD, VOCAB_BOS };

		if (k->marian)	/* the start token is needed, even if it is never an output */
			export_rows(x, side, marian, start == VOCAB_BOS ? 4 : 3);
		else
			export_rows(x, side, first, 4);
		if (!k->marian)
			x->rows[side].bos = 0;
		if (export_check_texts(x, side, k->two_tables ? hf_unspell_fsmt : NULL, own, 3, e))
			return -1;
	}
	return 0;
}

/* Gain and bias of a norm of both sides. */
static void
hf_put_norms(struct export *x, const struct layer_names *names, enum side_part gain)
{
	for (int i = 0; i < 4; i++)
		export_side(x, names, gain + (enum side_part)(i / 2), i % 2, VIEW_VECTOR);
}

static void
put_positions(struct export *x, const struct layer_names *names, const int *row)
{
	const struct tensor_view_layout layout = { .row = row };

	for (int side = 0; side < 2; side++) {
		char *name = side_tensor(names, SIDE_POSITIONS, side);

		tensor_views_add(&x->views, name,
				 params_find(&x->m->params, side_param(SIDE_POSITIONS, side)),
				 VIEW_MATRIX, (int)x->m->config.max_length + HF_POSITION_OFFSET, 0,
				 &layout);
		free(name);
	}
}

/* Tables of one vocabulary are one tensor unless the class has two. */
static void
export_hf_put_tables(struct export *x, const struct hf_class *k)
{
	const int tie = x->m->config.tie;
	const char *source = tie == TIE_ALL ? "embed.weight" : "src.embed.weight";
	const char *target = tie == TIE_ALL ? "embed.weight" : "tgt.embed.weight";
	const char *output = tie == TIE_NONE ? "output.weight" : target;

	if (k->one_table || (tie == TIE_ALL && !k->two_tables)) {
		export_table(x, "model.shared.weight", target, 1, false);
	} else {
		export_table(x, "model.encoder.embed_tokens.weight", source, 0, false);
		export_table(x, "model.decoder.embed_tokens.weight", target, 1, false);
	}
	if (k->two_tables)
		export_table(x, "model.decoder.output_projection.weight", output, 1, false);
	else if (tie == TIE_NONE)
		export_table(x, "lm_head.weight", output, 1, false);
}

/* The output mask of the model; MarianMT never has padding, whatever the model has learned. */
static unsigned char *
output_mask(const struct model *m, const struct hf_class *k)
{
	const size_t n = (size_t)m->tgt.n;
	unsigned char *valid = xmalloc(n);

	if (m->tgt_valid)
		memcpy(valid, m->tgt_valid, n);
	else
		memset(valid, 1, n);
	if (k->marian)
		valid[VOCAB_PAD] = 0;
	return valid;
}

static void
export_hf_put_tensors(struct export *x, const struct hf_class *k, const int *positions,
		      const unsigned char *valid)
{
	const struct model_config *c = &x->m->config;
	struct layer_names names;

	export_hf_put_tables(x, k);
	layer_names_huggingface(&names, "model.encoder", "model.decoder");
	export_layers(x, &names, VIEW_VECTOR);
	if (k->pre_norm)
		hf_put_norms(x, &names, SIDE_GAIN);
	if (k->embed_norm)
		hf_put_norms(x, &names, SIDE_EMBED_GAIN);
	if (c->positions == POSITIONS_LEARNED)
		put_positions(x, &names, positions);
	if (k->logits_bias)
		export_output_bias(x, "final_logits_bias", valid);
}

static void
put_int(struct buf *b, const char *key, int64_t value)
{
	buf_printf(b, " \"%s\": %lld,\n", key, (long long)value);
}

static void
put_flag(struct buf *b, const char *key, bool on)
{
	buf_printf(b, " \"%s\": %s,\n", key, on ? "true" : "false");
}

static void
put_sizes(const struct export *x, const struct hf_class *k, struct buf *b)
{
	const struct model_config *c = &x->m->config;

	put_int(b, "d_model", c->width);
	put_int(b, "encoder_layers", c->enc_layers);
	put_int(b, "decoder_layers", c->dec_layers);
	put_int(b, "encoder_attention_heads", c->heads);
	put_int(b, "decoder_attention_heads", c->heads);
	put_int(b, "encoder_ffn_dim", c->ff);
	put_int(b, "decoder_ffn_dim", c->dec_ff ? c->dec_ff : c->ff);
	put_int(b, "max_position_embeddings", c->max_length);
	if (k->two_tables) {
		put_int(b, "src_vocab_size", x->rows[0].n);
		put_int(b, "tgt_vocab_size", x->rows[1].n);
		buf_add_str(b, " \"langs\": [\"src\", \"tgt\"],\n");
		return;
	}
	put_int(b, "vocab_size", x->rows[0].n);
	if (k->marian)
		put_int(b, "decoder_vocab_size", x->rows[1].n);
}

/* The row of a model's first token in the tables of a side; -1: there is none. */
static int
export_hf_first_row(const struct export *x, int side)
{
	const struct vocab *v = side ? &x->m->tgt : &x->m->src;
	const char *text = x->m->first_token[side];

	return text ? export_row(x, side, vocab_id(v, text, strlen(text))) : -1;
}

/* The tokenizer of BART begins sources with bos_token_id. */
static void
put_tokens(const struct export *x, const struct hf_class *k, struct buf *b)
{
	const struct export_rows *r = &x->rows[1];
	const int begin = k->source_bos ? export_hf_first_row(x, 0) : -1;
	const int forced = export_hf_first_row(x, 1);

	put_int(b, "pad_token_id", r->pad);
	put_int(b, "eos_token_id", r->eos);
	put_int(b, "bos_token_id", begin >= 0 ? begin : r->bos < 0 ? r->eos : r->bos);
	put_int(b, "decoder_start_token_id", export_row(x, 1, export_start(x->m)));
	put_int(b, "forced_eos_token_id", r->eos);
	if (forced >= 0)
		put_int(b, "forced_bos_token_id", forced);
}

static void
put_search(const struct export *x, struct buf *b)
{
	put_int(b, "num_beams", x->m->recipe.beam);
	export_put_float(b, "length_penalty", export_length_penalty(x));
}

/*
 * transformers generates at most 20 tokens unless a length is set, and takes a file that is there
 * from an older model for this one's.
 */
static int
write_generation(struct export *x, const struct hf_class *k, struct err *e)
{
	struct buf b = { 0 };
	int r;

	buf_add_str(&b, "{\n");
	put_tokens(x, k, &b);
	put_search(x, &b);
	if (k->marian) {
		buf_printf(&b, " \"bad_words_ids\": [[%d]],\n", x->rows[1].pad);
		put_flag(&b, "renormalize_logits", true);
	}
	buf_printf(&b, " \"max_length\": %d\n}\n", (int)x->m->config.max_length);
	r = export_file(x, "generation_config.json", b.data, b.n, e);
	buf_release(&b);
	return r;
}

static void
put_config(const struct export *x, const struct hf_class *k, struct buf *b)
{
	static const char *const activation[] = {
		"relu", "swish", "gelu", "gelu_new", "quick_gelu"
	};
	const struct model_config *c = &x->m->config;

	buf_printf(b, "{\n \"architectures\": [\"%s\"],\n \"model_type\": \"%s\",\n", k->class,
		   k->type);
	put_sizes(x, k, b);
	put_tokens(x, k, b);
	buf_printf(b, " \"activation_function\": \"%s\",\n", activation[c->activation]);
	export_put_float(b, "dropout", c->dropout_residual);
	export_put_float(b, "attention_dropout", c->dropout_attention);
	export_put_float(b, "activation_dropout", c->dropout_relu);
	put_flag(b, "scale_embedding", c->embed_scale == EMBED_SCALE_SQRT);
	put_flag(b, "tie_word_embeddings", c->tie != TIE_NONE && !k->two_tables);
	if (k->marian)
		put_flag(b, "share_encoder_decoder_embeddings", c->tie == TIE_ALL);
	if (k->positions != POSITIONS_LEARNED)
		put_flag(b, "static_position_embeddings", true);
	put_flag(b, "is_encoder_decoder", true);
	put_search(x, b);
	buf_add_str(b, " \"torch_dtype\": \"float32\"\n}\n");
}

/* Codes without the line of their version, which FSMT's tokenizer does not expect. */
static int
write_merges(struct export *x, struct err *e)
{
	const char *codes = x->m->codes, *body = codes;

	if (!strncmp(codes, "#version", 8))
		body = strchr(codes, '\n') ? strchr(codes, '\n') + 1 : codes + x->m->codes_n;
	return export_file(x, "merges.txt", body, x->m->codes_n - (size_t)(body - codes), e);
}

static int
export_hf_write_pieces(struct export *x, const struct hf_class *k, struct err *e)
{
	const struct model *m = x->m;
	const int second = m->spm[1] != NULL;

	if (k->two_tables && m->codes && write_merges(x, e))
		return -1;
	if (!m->spm[second])
		return 0;
	if (!k->marian)
		return m->spm[0] ? export_file(x, "sentencepiece.bpe.model", m->spm[0],
					       m->spm_n[0], e) : 0;
	if (m->spm[0] && export_file(x, "source.spm", m->spm[0], m->spm_n[0], e))
		return -1;
	return export_file(x, "target.spm", m->spm[second], m->spm_n[second], e);
}

static bool
same_texts(const struct export *x)
{
	struct buf text[2] = { { 0 }, { 0 } };
	bool same = x->rows[0].n == x->rows[1].n;

	for (int i = 0; same && i < x->rows[0].n; i++) {
		for (int side = 0; side < 2; side++) {
			buf_clear(&text[side]);
			export_text(x, side, i, NULL, &text[side]);
		}
		same = text[0].n == text[1].n && !memcmp(text[0].data, text[1].data, text[0].n);
	}
	buf_release(&text[0]);
	buf_release(&text[1]);
	return same;
}

static int
export_hf_write_vocabs(struct export *x, const struct hf_class *k, struct err *e)
{
	const bool one = k->one_table ? same_texts(x) : x->m->config.tie == TIE_ALL;

	if (k->two_tables)
		return export_vocab(x, 0, hf_unspell_fsmt, "vocab-src.json", e) ||
		       export_vocab(x, 1, hf_unspell_fsmt, "vocab-tgt.json", e) ? -1 : 0;
	return export_vocab(x, 0, NULL, "vocab.json", e) ||
	       (!one && export_vocab(x, 1, NULL, "target_vocab.json", e)) ? -1 : 0;
}

static int
write_files(struct export *x, const struct hf_class *k, struct err *e)
{
	struct output *o = export_open(x, "model.safetensors", e);
	struct buf config = { 0 };
	int r;

	put_config(x, k, &config);
	r = !o || safetensors_write(o, &x->views, e) || export_hf_write_vocabs(x, k, e) ||
	    export_hf_write_pieces(x, k, e) || write_generation(x, k, e) ||
	    export_file(x, "config.json", config.data, config.n, e);
	buf_release(&config);
	return r ? -1 : 0;
}

static int
check_huggingface(struct export *x, struct err *e)
{
	const struct hf_class *k = find_class(x);

	if (export_is_t5(x->m))
		return export_t5_check(x, e);
	if (!k)
		return export_refuse(x, "positions", "halves, huggingface or learned", e);
	return check_architecture(x, k, e) || export_hf_set_rows(x, k, e) || check_tables(x, k, e)
	       ? -1 : 0;
}

static int
write_huggingface(struct export *x, struct err *e)
{
	const struct hf_class *k = find_class(x);
	unsigned char *valid;
	int r, *positions;

	if (export_is_t5(x->m))
		return export_t5_write(x, e);
	if (k->source_bos && !x->m->first_token[0])
		warn("the tokenizer of %s begins every source with bos_token_id, which the sources "
		     "of this model lack: remove it from the input", x->kind);
	positions = xcalloc((size_t)x->m->config.max_length + HF_POSITION_OFFSET,
			    sizeof(*positions));
	for (int i = 0; i < x->m->config.max_length + HF_POSITION_OFFSET; i++)
		positions[i] = i < HF_POSITION_OFFSET ? -1 : i - HF_POSITION_OFFSET;
	valid = output_mask(x->m, k);
	export_hf_put_tensors(x, k, positions, valid);
	r = write_files(x, k, e);
	free(valid);
	free(positions);
	return r;
}

static const char *const all[] = {
	"config.json", "generation_config.json", "model.safetensors", "vocab.json",
	"target_vocab.json", "vocab-src.json", "vocab-tgt.json", "merges.txt", "source.spm",
	"target.spm", "sentencepiece.bpe.model", T5_SPM, TOKENIZER_CONFIG, NULL
};

const struct export_layout export_huggingface = {
	"Hugging Face", "hf", all, check_huggingface, write_huggingface
};
