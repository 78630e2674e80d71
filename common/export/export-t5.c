/* export-t5: see export-t5.h. */
#include "export/export-t5.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "bpe/bytes.h"
#include "bpe/spm-file.h"
#include "convert/huggingface-t5.h"
#include "export/tensors-out.h"

/* Settings of the attention variant. */
struct t5_biases { long long buckets, max; bool per_layer; };

static bool
t5_biases_read(const struct model *m, struct t5_biases *b)
{
	struct buf spec = { 0 };
	char per_layer[4] = "";
	int version, n;

	if (m->config.positions != POSITIONS_NONE || attention_set_n(m->attention) != 1)
		return false;
	attention_set_describe(m->attention, 0, &spec, &version);
	n = sscanf(spec.data, "bucket-bias:buckets=%lld,max=%lld,per_layer=%3s", &b->buckets,
		   &b->max, per_layer);
	buf_release(&spec);
	b->per_layer = !strcmp(per_layer, "on");
	return n == 3;
}

bool
export_is_t5(const struct model *m)
{
	struct t5_biases b;

	return t5_biases_read(m, &b);
}

/* --- checks --- */

/* feed_forward_proj; NULL if transformers does not have it.  "gated-gelu" is by tanh there. */
static const char *
t5_activation(const struct model_config *c)
{
	static const char *const names[2][5] = {
		{ "relu", "silu", "gelu", "gelu_new", NULL },
		{ "gated-relu", "gated-silu", NULL, "gated-gelu", NULL },
	};

	return names[c->ff_gate][c->activation];
}

static int
t5_check_settings(const struct export *x, struct err *e)
{
	const struct model_config *c = &x->m->config;
	const struct export_asked asked[] = {
		{ "pre_norm", "on", c->pre_norm }, { "final_norm", "on", c->final_norm },
		{ "norm", "rms", c->norm == NORM_RMS }, { "no_bias", "on", c->no_bias },
		{ "embed_norm", "off", !c->embed_norm }, { "src_bias", "off", !c->src_bias },
		{ "src_eos", "on", c->src_eos }, { "output_bias", "off", !c->output_bias },
		{ "dec_ff", "0", !c->dec_ff }, { "first", "bos or eos", c->first != TARGET_ZERO },
		{ "activation", "relu, swish or gelu_tanh", t5_activation(c) != NULL },
	};

	return export_ask(x, asked, sizeof(asked) / sizeof(*asked), e);
}

/* --- rows --- */

/*
 * Special tokens in the order of the SentencePiece model, by which T5's tokenizer numbers them; of
 * those that it lacks, in the usual order.  <s> can be padding, as in MADLAD-400.
 */
static int
t5_first_rows(const struct model *m, int first[3])
{
	static const struct { const char *text; int id; } tokens[] = {
		{ "<pad>", VOCAB_PAD }, { "</s>", VOCAB_EOS }, { "<unk>", VOCAB_UNK },
		{ "<s>", VOCAB_PAD }
	};
	bool put[VOCAB_SPECIALS] = { false };
	struct spm_entry entry;
	struct spm_walk w;
	struct err unused;
	int n = 0;

	if (m->spm[0])
		spm_walk(&w, m->spm[0], m->spm_n[0]);
	for (int i = 0; m->spm[0] && i < 3 && spm_next(&w, &entry, &unused) > 0; i++)
		for (size_t k = 0; k < 4; k++)
			if (!put[tokens[k].id] && entry.text.n == strlen(tokens[k].text) &&
			    !memcmp(entry.text.s, tokens[k].text, entry.text.n)) {
				first[n++] = tokens[k].id;
				put[tokens[k].id] = true;
			}
	for (size_t k = 0; k < 3; k++)
		if (!put[tokens[k].id])
			first[n++] = tokens[k].id;
	return n;
}

/* Does T5's tokenizer give all entries of the SentencePiece model the numbers of their rows? */
static bool
t5_spm_fits(const struct export *x)
{
	const struct export_rows *r = &x->rows[0];
	const struct model *m = x->m;
	struct spm_entry entry;
	struct spm_walk w;
	struct err unused;
	int row = 0;
	bool fits = m->spm[0] && !m->spm[1];

	if (fits)
		spm_walk(&w, m->spm[0], m->spm_n[0]);
	for (; fits && spm_next(&w, &entry, &unused) > 0; row++) {
		const int id = row < r->n ? r->id[row] : VOCAB_UNK;
		size_t n;
		const char *text = vocab_text(&m->src, id, &n);

		fits = row < r->n && (id < VOCAB_SPECIALS ||
				      (n == entry.text.n && !memcmp(text, entry.text.s, n)));
	}
	return fits;
}

/* Are the rows the bytes of ByT5's tokenizer, after three special tokens? */
static bool
t5_bytes_fit(const struct export *x)
{
	const struct export_rows *r = &x->rows[0];
	bool fits = !x->m->spm[1] && r->n >= 3 + BYTES_ALL && r->pad == 0 && r->eos == 1 &&
		    r->unk == 2;

	for (int byte = 0; fits && byte < BYTES_ALL; byte++) {
		size_t n;
		const char *text = vocab_text(&x->m->src, r->id[3 + byte], &n);

		fits = r->id[3 + byte] >= VOCAB_SPECIALS && bytes_of(text, n) == byte;
	}
	return fits;
}

int
export_t5_check(struct export *x, struct err *e)
{
	static const int own[] = { VOCAB_PAD, VOCAB_EOS, VOCAB_UNK };
	int first[3];

	x->kind = "T5";
	if (t5_check_settings(x, e))
		return -1;
	if (vocab_digest(&x->m->src) != vocab_digest(&x->m->tgt))
		return err_set(e, EXIT_INPUT, "source and target have different vocabularies, "
			       "expected one: T5 has nothing else");
	export_rows(x, 1, first, t5_first_rows(x->m, first));
	x->rows[0] = x->rows[1];
	x->rows[0].id = xreallocarray(NULL, (size_t)x->rows[1].n + 1, sizeof(*first));
	memcpy(x->rows[0].id, x->rows[1].id, (size_t)x->rows[1].n * sizeof(*first));
	if (export_check_texts(x, 1, NULL, own, 3, e))
		return -1;
	if (!export_one_table(x))
		return err_set(e, EXIT_INPUT, "source and target embeddings differ, expected the "
			       "same: T5 has one table for both");
	return export_masks(x) ? export_refuse(x, "output_mask", "off", e) : 0;
}

/* --- tensors --- */

static void
t5_put_biases(struct export *x, const struct t5_biases *b)
{
	const struct tensor_view_layout layout = { .transposed = true };
	const struct model_config *c = &x->m->config;

	for (int side = 0; side < 2; side++)
		for (int i = 0; i < (!b->per_layer ? 1 : side ? c->dec_layers : c->enc_layers);
		     i++) {
			char *param = t5_bias_param(b->per_layer, side, i);
			char *name = t5_bias_tensor(side, i);

			tensor_views_add(&x->views, name, params_find(&x->m->params, param),
					 VIEW_MATRIX, (int)c->heads, (int)b->buckets, &layout);
			free(name);
			free(param);
		}
}

/*
 * T5 multiplies neither embeddings nor scores, and the decoder output only if the output is the
 * table of embeddings.  Other factors of a model become part of the parameters.
 */
static real
t5_embed_factor(const struct model_config *c)
{
	return c->embed_scale == EMBED_SCALE_SQRT ? (real)sqrt((double)c->width) : 1;
}

static bool
t5_is_tied(const struct model_config *c)
{
	const bool divided = c->embed_scale == EMBED_SCALE_SQRT;

	return c->tie != TIE_NONE && divided == (c->output_scale == OUTPUT_SCALE_ONE);
}

static void
t5_divide_queries(struct export *x)
{
	const char *const end = ".q.weight";

	for (size_t i = 0; i < x->views.n; i++) {
		struct tensor_view *v = &x->views.list[i];
		const size_t n = strlen(v->name);

		if (n > strlen(end) && !strcmp(v->name + n - strlen(end), end))
			v->scale = (real)(1 / sqrt((double)x->m->sites[0].head_dim));
	}
}

static void
t5_put_tensors(struct export *x, const struct t5_biases *b)
{
	const struct model_config *c = &x->m->config;
	const char *table = c->tie == TIE_ALL ? "embed.weight" : "tgt.embed.weight";
	struct layer_names names;

	export_table(x, "shared.weight", table, 1, false)->scale = t5_embed_factor(c);
	if (!t5_is_tied(c))
		export_table(x, "lm_head.weight", c->tie == TIE_NONE ? "output.weight" : table, 1,
			     false)->scale = c->output_scale == OUTPUT_SCALE_SQRT
						     ? (real)(1 / sqrt((double)c->width)) : 1;
	layer_names_t5(&names, c->ff_gate);
	export_layers(x, &names, VIEW_VECTOR);
	if (c->score_scale == SCORE_SCALE_SQRT)
		t5_divide_queries(x);
	for (int side = 0; side < 2; side++)
		export_side(x, &names, SIDE_GAIN, side, VIEW_VECTOR);
	t5_put_biases(x, b);
}

/* --- files --- */

void
export_put_float(struct buf *b, const char *key, double value)
{
	char text[40];

	snprintf(text, sizeof(text), "%g", value);
	buf_printf(b, " \"%s\": %s%s,\n", key, text, strpbrk(text, ".e") ? "" : ".0");
}

static void
t5_put_tokens(const struct export *x, struct buf *b)
{
	const struct export_rows *r = &x->rows[1];
	const char *forced = x->m->first_token[1];

	buf_printf(b, " \"pad_token_id\": %d,\n \"eos_token_id\": %d,\n"
		   " \"decoder_start_token_id\": %d,\n", r->pad, r->eos,
		   export_row(x, 1, export_start(x->m)));
	if (forced)
		buf_printf(b, " \"forced_bos_token_id\": %d,\n",
			   export_row(x, 1, vocab_id(&x->m->tgt, forced, strlen(forced))));
	buf_printf(b, " \"num_beams\": %lld,\n", (long long)x->m->recipe.beam);
	export_put_float(b, "length_penalty", export_length_penalty(x));
}

static int
t5_write_config(struct export *x, const struct t5_biases *biases, struct err *e)
{
	const struct model_config *c = &x->m->config;
	struct buf b = { 0 };
	int r;

	buf_printf(&b, "{\n \"architectures\": [\"%sForConditionalGeneration\"],\n"
		   " \"model_type\": \"%s\",\n", biases->per_layer ? "UMT5" : "T5",
		   biases->per_layer ? "umt5" : "t5");
	buf_printf(&b, " \"d_model\": %lld,\n \"d_kv\": %d,\n \"d_ff\": %lld,\n"
		   " \"num_heads\": %lld,\n \"num_layers\": %lld,\n"
		   " \"num_decoder_layers\": %lld,\n",
		   (long long)c->width, x->m->sites[0].head_dim, (long long)c->ff,
		   (long long)c->heads, (long long)c->enc_layers, (long long)c->dec_layers);
	buf_printf(&b, " \"relative_attention_num_buckets\": %lld,\n"
		   " \"relative_attention_max_distance\": %lld,\n", biases->buckets, biases->max);
	buf_printf(&b, " \"vocab_size\": %d,\n \"feed_forward_proj\": \"%s\",\n", x->rows[1].n,
		   t5_activation(c));
	export_put_float(&b, "layer_norm_epsilon", c->norm_eps);
	export_put_float(&b, "dropout_rate", c->dropout_residual);
	buf_printf(&b, " \"tie_word_embeddings\": %s,\n",
		   t5_is_tied(c) ? "true" : "false");
	t5_put_tokens(x, &b);
	buf_add_str(&b, " \"is_encoder_decoder\": true,\n \"torch_dtype\": \"float32\"\n}\n");
	r = export_file(x, "config.json", b.data, b.n, e);
	buf_release(&b);
	return r;
}

static int
t5_write_generation(struct export *x, struct err *e)
{
	struct buf b = { 0 };
	int r;

	buf_add_str(&b, "{\n");
	t5_put_tokens(x, &b);
	buf_printf(&b, " \"max_length\": %d\n}\n", (int)x->m->config.max_length);
	r = export_file(x, "generation_config.json", b.data, b.n, e);
	buf_release(&b);
	return r;
}

/* The tokenizer numbers extra ids after the entries of the SentencePiece model, or the bytes. */
static int
t5_write_pieces(struct export *x, struct err *e)
{
	const bool bytes = bytes_is(x->m->spm[0], x->m->spm_n[0]);
	struct buf b = { 0 };
	int r, extra = 0;

	if (!(bytes ? t5_bytes_fit(x) : t5_spm_fits(x)))
		return 0;
	for (int id = VOCAB_SPECIALS; id < x->m->src.n; id++)
		extra += !strncmp(vocab_text(&x->m->src, id, NULL), "<extra_id_", 10);
	buf_printf(&b, "{\"tokenizer_class\": \"%sTokenizer\", \"extra_ids\": %d}\n",
		   bytes ? "ByT5" : "T5", extra);
	r = (!bytes && export_file(x, T5_SPM, x->m->spm[0], x->m->spm_n[0], e)) ||
	    export_file(x, TOKENIZER_CONFIG, b.data, b.n, e);
	buf_release(&b);
	return r ? -1 : 0;
}

int
export_t5_write(struct export *x, struct err *e)
{
	struct t5_biases b;
	struct output *o;

	if (!t5_biases_read(x->m, &b))
		bug("export_t5_write() of another model");
	t5_put_tensors(x, &b);
	o = export_open(x, "model.safetensors", e);
	return !o || safetensors_write(o, &x->views, e) ||
	       export_vocab(x, 1, NULL, "vocab.json", e) || t5_write_pieces(x, e) ||
	       t5_write_generation(x, e) || t5_write_config(x, &b, e) ? -1 : 0;
}
