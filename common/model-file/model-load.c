/*
 * model-load: reads a model; see model-file.h and heed-model(5).
 *
 * The file is not trusted.  bundle.h checks the container.  Here the settings of the map must make
 * a model, its digests must match the vocabularies, and its variants must have the versions of this
 * program.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "bpe/bpe.h"
#include "bpe/spm-file.h"
#include "model-file/model-file.h"
#include "model/layer-params.h"
#include "model/runtime.h"

/* Limit on the characters of a list of heads, more than all heads of the largest model need. */
enum { MAX_REMOVED = 1 << 18 };

struct loading {
	struct bundle_in *in;
	struct model *m;
	struct vocab src, tgt;
	bool gradients, narrow;
	model_take *take;
	void *arg;
};

static int
check_digest(const struct loading *l, const char *key, const struct vocab *v, struct err *e)
{
	char *found = bundle_in_text(l->in, key, e), *digest;
	int r = -1;

	if (!found)
		return -1;
	digest = xasprintf("%016llx", (unsigned long long)vocab_digest(v));
	if (strcmp(found, digest))
		err_set(e, EXIT_INPUT, "%s has digest %s, expected %s", key, digest, found);
	else
		r = 0;
	free(digest);
	free(found);
	return r;
}

static int
read_vocab(struct loading *l, const char *name, const char *digest, struct vocab *v, struct err *e)
{
	return bundle_in_vocab(l->in, name, v, e) ? -1 : check_digest(l, digest, v, e);
}

static int
check_versions(const struct loading *l, struct err *e)
{
	const struct attention_set *set = l->m->attention;
	enum bundle_fault fault;
	const struct record *map = bundle_in_map(l->in);
	const int32_t *version;
	size_t n;

	if (record_ints(map, "attention.version", &version, &n) || n != attention_set_n(set))
		return err_set(e, EXIT_INPUT, "attention.version: expected one version for each of "
			       "%zu attention variants", attention_set_n(set));
	for (size_t i = 0; i < n; i++) {
		const struct attention_variant *v = attention_set_variant(set, i);

		if (version[i] == v->version)
			continue;
		err_set(e, EXIT_INPUT, "attention %s has version %d, expected %d", v->name,
			(int)version[i], v->version);
		fault = version[i] > v->version ? BUNDLE_NEWER : BUNDLE_OLDER;
		return bundle_in_fault(l->in, fault, e);
	}
	return 0;
}

/* The attention specs as C strings; NULL-terminated. */
static char **
map_specs(const struct loading *l, size_t *n, struct err *e)
{
	const struct str *v;
	char **spec;

	if (record_strs(bundle_in_map(l->in), "attention", &v, n)) {
		err_set(e, EXIT_INPUT, MODEL_MAP ": no list of attention variants");
		return NULL;
	}
	spec = xcalloc(*n + 1, sizeof(*spec));
	for (size_t i = 0; i < *n; i++)
		spec[i] = xstrndup(v[i].s, v[i].n);
	return spec;
}

/* Sets *text to the text of a key, which the caller frees; NULL if the map lacks the key. */
static int
optional_text(const struct loading *l, const char *key, char **text, struct err *e)
{
	*text = NULL;
	if (!record_has(bundle_in_map(l->in), key))
		return 0;
	*text = bundle_in_text(l->in, key, e);
	return *text ? 0 : -1;
}

static int
map_removed(const struct loading *l, char **list, struct err *e)
{
	if (optional_text(l, MODEL_REMOVED, list, e))
		return -1;
	if (*list && strlen(*list) > MAX_REMOVED)
		return err_set(e, EXIT_INPUT, MODEL_REMOVED ": list of heads longer than %d "
			       "characters", (int)MAX_REMOVED);
	return 0;
}

static int
make_model(struct loading *l, struct err *e)
{
	struct model_config config = presets[0].config;
	size_t n;
	char **spec, *removed;

	if (bundle_in_settings(l->in, "config", model_config_options, &config, e))
		return -1;
	spec = map_specs(l, &n, e);
	if (!spec)
		return -1;
	if (!map_removed(l, &removed, e))
		l->m = model_new_pruned(&config, removed, &l->src, &l->tgt,
					 (const char *const *)spec, n, e);
	free(removed);
	for (size_t i = 0; i < n; i++)
		free(spec[i]);
	free(spec);
	if (l->m)
		return check_versions(l, e);
	return bundle_in_fault(l->in, e->unknown ? BUNDLE_NEWER : BUNDLE_DAMAGED, e);
}

/* Reads a digest, unless the map lacks it. */
static int
fill_digest(struct loading *l, const char *key, char digest[MODEL_DIGEST_SIZE], struct err *e)
{
	char *text;
	int r = 0;

	if (optional_text(l, key, &text, e))
		return -1;
	if (!text)
		return 0;
	if (strlen(text) == 16 && strspn(text, "0123456789abcdef") == 16)
		snprintf(digest, MODEL_DIGEST_SIZE, "%s", text);
	else
		r = err_set(e, EXIT_INPUT, MODEL_MAP ": malformed %s, expected 16 hexadecimal "
			    "digits", key);
	free(text);
	return r;
}

static int
fill_facts(struct loading *l, struct err *e)
{
	struct model *m = l->m;
	char *preset = bundle_in_text(l->in, "preset", e);

	if (!preset)
		return -1;
	snprintf(m->preset, sizeof(m->preset), "%s", preset);
	free(preset);
	m->recipe = presets[0].recipe;
	if (bundle_in_settings(l->in, "recipe", recipe_options, &m->recipe, e))
		return -1;
	if (record_has(bundle_in_map(l->in), MODEL_ROUNDED) &&
	    bundle_in_settings(l->in, MODEL_ROUNDED, rounding_options, &m->rounding, e))
		return -1;
	if (record_int(bundle_in_map(l->in), "step", &m->step) || m->step < 0)
		return err_set(e, EXIT_INPUT, MODEL_MAP ": no step, expected a number from 0");
	m->engine = 0;
	if (record_has(bundle_in_map(l->in), MODEL_ENGINE) &&
	    (record_int(bundle_in_map(l->in), MODEL_ENGINE, &m->engine) || m->engine < 1))
		return err_set(e, EXIT_INPUT, MODEL_MAP ": malformed " MODEL_ENGINE
			       ", expected a number from 1");
	m->pg = bundle_in_text(l->in, "pg", e);
	return m->pg && !fill_digest(l, MODEL_TRAINING, m->training, e) &&
	       !fill_digest(l, MODEL_DIGEST, m->digest, e) ? 0 : -1;
}

/* Checks the BPE codes now, so that programs that apply them later do not fail. */
static int
check_codes(const struct model *m, struct err *e)
{
	struct bpe *codes = bpe_read(m->codes, m->codes_n, BPE_NO_LIMIT, e);

	if (!codes)
		return err_wrap(e, "%s", MODEL_CODES);
	bpe_free(codes);
	return 0;
}

static int
model_load_read_codes(struct loading *l, struct err *e)
{
	if (!bundle_in_is(l->in, MODEL_CODES))
		return 0;
	l->m->codes = bundle_in_bytes(l->in, MODEL_CODES, &l->m->codes_n, e);
	return l->m->codes ? check_codes(l->m, e) : -1;
}

static int
read_mask(struct loading *l, struct err *e)
{
	struct model *m = l->m;
	char *p;
	size_t n;

	if (!m->config.output_mask)
		return 0;
	p = bundle_in_bytes(l->in, MODEL_MASK, &n, e);
	if (!p)
		return -1;
	if (n == (size_t)m->tgt.n)
		memcpy(m->tgt_valid, p, n);
	free(p);
	if (n != (size_t)m->tgt.n)
		return err_set(e, EXIT_INPUT, "%s has %zu entries, expected %d as in the "
			       "vocabulary", MODEL_MASK, n, m->tgt.n);
	return 0;
}

static int
model_load_read_spm(struct loading *l, struct err *e)
{
	static const char *const name[2] = { MODEL_SPM_SRC, MODEL_SPM_TGT };

	for (int side = 0; side < 2; side++) {
		if (!bundle_in_is(l->in, name[side]))
			continue;
		l->m->spm[side] = bundle_in_bytes(l->in, name[side], &l->m->spm_n[side], e);
		if (!l->m->spm[side])
			return -1;
		if (spm_check(l->m->spm[side], l->m->spm_n[side], e))
			return err_wrap(e, "%s", name[side]);
	}
	return 0;
}

static int
read_first_tokens(struct loading *l, struct err *e)
{
	static const char *const key[2] = { MODEL_FIRST_SRC, MODEL_FIRST_TGT };

	for (int side = 0; side < 2; side++) {
		const struct vocab *v = side ? &l->m->tgt : &l->m->src;
		char **token = &l->m->first_token[side];

		if (optional_text(l, key[side], token, e))
			return -1;
		if (*token && vocab_id(v, *token, strlen(*token)) == VOCAB_UNK)
			return err_set(e, EXIT_INPUT, "%s is not in the vocabulary", key[side]);
	}
	return 0;
}

static int
read_languages(struct loading *l, struct err *e)
{
	static const char *const key[2] = { MODEL_LANGUAGE_SRC, MODEL_LANGUAGE_TGT };
	int r = 0;

	for (int side = 0; side < 2 && !r; side++) {
		char *code;

		if (optional_text(l, key[side], &code, e))
			return -1;
		if (!code)
			continue;
		if (language_is_code(code))
			snprintf(l->m->languages.side[side], LANGUAGE_ROOM, "%s", code);
		else
			r = err_set(e, EXIT_INPUT, MODEL_MAP ": malformed %s, expected two or "
				    "three lower-case letters", key[side]);
		free(code);
	}
	return r;
}

static int
read_extras(struct loading *l, struct err *e)
{
	const char *name;

	while (l->take && (name = bundle_in_next(l->in))) {
		size_t n;
		char *p = bundle_in_bytes(l->in, name, &n, e);
		int r = p ? l->take(l->arg, name, p, n, e) : -1;

		free(p);
		if (r)
			return -1;
	}
	return 0;
}

static int
read_params(struct loading *l, struct err *e)
{
	struct model *m = l->m;

	for (size_t i = 0; l->narrow && i < m->params.n; i++)
		m->params.list[i]->narrow = matrices_have(m, m->params.list[i]);
	if (bundle_in_params(l->in, &m->params, l->gradients, e))
		return -1;
	for (size_t i = 0; i < m->params.n; i++)
		m->int8 |= m->params.list[i]->i8;
	return 0;
}

static int
model_load_read_all(struct loading *l, struct err *e)
{
	return read_vocab(l, MODEL_SRC, "vocab.src", &l->src, e) ||
	       read_vocab(l, MODEL_TGT, "vocab.tgt", &l->tgt, e) ||
	       make_model(l, e) || fill_facts(l, e) || read_first_tokens(l, e) ||
	       read_languages(l, e) ||
	       model_load_read_codes(l, e) || read_mask(l, e) ||
	       read_params(l, e) || model_load_read_spm(l, e) || read_extras(l, e) ? -1 : 0;
}

/* Reads the model in a bundle and closes it.  NULL on error, and if b is NULL. */
static struct model *
load_from_bundle(struct bundle_in *b, struct loading l, struct err *e)
{
	if (!b)
		return NULL;
	l.in = b;
	vocab_init(&l.src);
	vocab_init(&l.tgt);
	if (bundle_in_close(b, model_load_read_all(&l, e), e)) {
		model_free(l.m);
		l.m = NULL;
	}
	vocab_release(&l.src);
	vocab_release(&l.tgt);
	return l.m;
}

struct model *
model_load_memory(const char *name, const void *p, size_t n, bool gradients, model_take *take,
		  void *arg, struct err *e)
{
	const struct loading l = { .gradients = gradients, .take = take, .arg = arg };

	return load_from_bundle(bundle_in_memory(name, p, n, &model_bundle, e), l, e);
}

struct model *
model_load(const char *path, bool gradients, model_take *take, void *arg, struct err *e)
{
	const struct loading l = { .gradients = gradients, .take = take, .arg = arg };

	return load_from_bundle(bundle_in_open(path, &model_bundle, e), l, e);
}

struct model *
model_load_narrow(const char *path, struct err *e)
{
	return load_from_bundle(bundle_in_open(path, &model_bundle, e),
				(struct loading){ .narrow = true }, e);
}

struct model *
model_load_narrow_memory(const char *name, const void *p, size_t n, struct err *e)
{
	return load_from_bundle(bundle_in_memory(name, p, n, &model_bundle, e),
				(struct loading){ .narrow = true }, e);
}

/* Only int8 reads narrow values, and is also the default of models that have them. */
struct model *
model_load_to_run(const char *path, int precision, struct err *e)
{
	return precision < 0 || precision == PRECISION_INT8
		? model_load_narrow(path, e) : model_load(path, false, NULL, NULL, e);
}

int
model_check_digest(const struct model *m, struct err *e)
{
	char digest[MODEL_DIGEST_SIZE];

	model_digest_values(m, digest);
	if (!*m->digest || !strcmp(m->digest, digest))
		return 0;
	return err_set(e, EXIT_INPUT, "the parameters have digest %s, expected %s", digest,
		       m->digest);
}

/* --- --init --- */

/* Whether p's vocabulary is the same in both models; rows of tables belong to its entries. */
static bool
same_vocab(const struct model *m, const struct model *other, const struct param *p)
{
	const struct model_layers *l = m->layers;
	const bool src = p == l->src_embed;
	const bool tgt = p == l->tgt_embed || p == l->output || p == l->output_bias;

	return (!src || vocab_digest(&m->src) == vocab_digest(&other->src)) &&
	       (!tgt || vocab_digest(&m->tgt) == vocab_digest(&other->tgt));
}

int64_t
model_init_from(struct model *m, const char *path, struct err *e)
{
	struct model *other = model_load(path, false, NULL, NULL, e);
	int64_t n = 0;

	if (!other)
		return -1;
	for (size_t i = 0; i < m->params.n; i++) {
		struct param *p = m->params.list[i];
		const struct param *from = params_find(&other->params, p->name);

		if (from && same_vocab(m, other, p) && param_copy(p, from))
			n++;
	}
	model_free(other);
	return n;
}
