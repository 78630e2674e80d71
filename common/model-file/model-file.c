/* model-file: writing a model; see model-file.h and heed-model(5).  model-load.c reads it. */
#include "model-file/model-file.h"

#include <stdlib.h>

#include "base/mem.h"
#include "model/layer-params.h"

const struct bundle_kind model_bundle = {
	.map = MODEL_MAP, .what = "a model of nmt-train", .format = 1, .i8 = true,
	.hint = "nmt-import converts models of Marian, Hugging Face and CTranslate2",
};

static void
set_digest(struct bundle_out *b, const char *key, const struct vocab *v)
{
	char *text = xasprintf("%016llx", (unsigned long long)vocab_digest(v));

	bundle_out_text(b, key, text);
	free(text);
}

static void
set_attention(struct record *map, const struct attention_set *set)
{
	const size_t n = attention_set_n(set);
	struct buf *text = xcalloc(n + 1, sizeof(*text));
	struct str *spec = xcalloc(n + 1, sizeof(*spec));
	int32_t *version = xcalloc(n + 1, sizeof(*version));

	for (size_t i = 0; i < n; i++) {
		int v;

		attention_set_describe(set, i, &text[i], &v);
		spec[i] = (struct str){ text[i].data, text[i].n };
		version[i] = v;
	}
	record_set_strs(map, "attention", spec, n);
	record_set_ints(map, "attention.version", version, n);
	for (size_t i = 0; i < n; i++)
		buf_release(&text[i]);
	free(text);
	free(spec);
	free(version);
}

/* The key is absent if no head was pruned. */
static void
set_removed(struct bundle_out *b, const struct model *m)
{
	struct buf list = { 0 };

	model_removed_heads(m, NULL, &list);
	if (list.n)
		bundle_out_text(b, MODEL_REMOVED, list.data);
	buf_release(&list);
}

static void
set_map(struct bundle_out *b, const struct model *m)
{
	bundle_out_text(b, "preset", m->preset);
	bundle_out_settings(b, "config", model_config_options, &m->config);
	bundle_out_settings(b, "recipe", recipe_options, &m->recipe);
	set_attention(bundle_out_map(b), m->attention);
	set_removed(b, m);
	if (m->rounding.heads)
		bundle_out_settings(b, MODEL_ROUNDED, rounding_options, &m->rounding);
	set_digest(b, "vocab.src", &m->src);
	set_digest(b, "vocab.tgt", &m->tgt);
	record_set_int(bundle_out_map(b), "step", m->step);
	if (m->engine)
		record_set_int(bundle_out_map(b), MODEL_ENGINE, m->engine);
	if (*m->training)
		bundle_out_text(b, MODEL_TRAINING, m->training);
	for (int side = 0; side < 2; side++)
		if (*m->languages.side[side])
			bundle_out_text(b, side ? MODEL_LANGUAGE_TGT : MODEL_LANGUAGE_SRC,
					m->languages.side[side]);
	for (int side = 0; side < 2; side++)
		if (m->first_token[side])
			bundle_out_text(b, side ? MODEL_FIRST_TGT : MODEL_FIRST_SRC,
					m->first_token[side]);
	bundle_out_text(b, "pg", m->pg ? m->pg : "");
}

static void
add_params(struct bundle_out *b, const struct model *m, bundle_fill *fill, void *arg)
{
	for (size_t i = 0; i < m->params.n; i++) {
		const struct param *p = m->params.list[i];

		bundle_out_param(b, p, m->int8 && matrices_have(m, p), fill, arg);
	}
}

static void
add_members(struct bundle_out *b, const struct model *m, bundle_fill *fill, void *arg)
{
	uint64_t h = model_digest_begin(m);
	char digest[MODEL_DIGEST_SIZE];

	bundle_out_vocab(b, MODEL_SRC, &m->src);
	bundle_out_vocab(b, MODEL_TGT, &m->tgt);
	if (m->codes)
		bundle_out_bytes(b, MODEL_CODES, "text", m->codes, m->codes_n);
	if (m->tgt_valid)
		bundle_out_bytes(b, MODEL_MASK, "bytes", m->tgt_valid, (size_t)m->tgt.n);
	bundle_out_digest(b, &h);
	add_params(b, m, fill, arg);
	bundle_out_digest(b, NULL);
	model_digest_text(h, digest);
	bundle_out_text(b, MODEL_DIGEST, digest);
	for (int side = 0; side < 2; side++)
		if (m->spm[side])
			bundle_out_bytes(b, side ? MODEL_SPM_TGT : MODEL_SPM_SRC, "bytes",
					 m->spm[side], m->spm_n[side]);
}

int
model_save_filled(const struct model *m, const char *path, bundle_fill *fill, void *arg,
		  struct err *e)
{
	struct bundle_out *b = bundle_out_open(path, &model_bundle, e);

	if (!b)
		return -1;
	set_map(b, m);
	add_members(b, m, fill, arg);
	return bundle_out_finish(b, e);
}

int
model_save(const struct model *m, const char *path, const struct model_extra *extra, size_t n_extra,
	   struct err *e)
{
	struct bundle_out *b = bundle_out_open(path, &model_bundle, e);

	if (!b)
		return -1;
	set_map(b, m);
	add_members(b, m, NULL, NULL);
	for (size_t i = 0; i < n_extra; i++)
		bundle_out_bytes(b, extra[i].name, "bytes", extra[i].data, extra[i].n);
	return bundle_out_finish(b, e);
}
