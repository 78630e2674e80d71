/*
 * model: construction, with the sites and their retained heads, and destruction; positions, and the
 * digest; see model.h.
 */
#include "model/model.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "attention/attention-heads.h"
#include "base/buf.h"
#include "base/hash.h"
#include "base/mem.h"
#include "model/engine.h"
#include "model/layer-params.h"

/* --- sites and their retained heads --- */

static void
set_site(struct model *m, enum site_where where, int64_t layer, int64_t n_layers)
{
	struct site *s = &m->sites[m->n_sites++];
	int *head = xcalloc((size_t)m->config.heads, sizeof(*head));

	s->where = where;
	s->layer = (int)layer;
	s->n_layers = (int)n_layers;
	s->heads = s->all_heads = (int)m->config.heads;
	s->model_dim = (int)m->config.width;
	s->head_dim = m->config.head_width ? (int)m->config.head_width : s->model_dim / s->heads;
	s->divisor = m->config.score_scale == SCORE_SCALE_ONE ? 1 : sqrt((double)s->head_dim);
	s->name = site_name(where, s->layer);
	for (int h = 0; h < s->all_heads; h++)
		head[h] = h;
	s->head = head;
}

static void
make_sites(struct model *m)
{
	const int64_t enc = m->config.enc_layers, dec = m->config.dec_layers;

	m->sites = xcalloc((size_t)(enc + 2 * dec), sizeof(*m->sites));
	for (int64_t i = 1; i <= enc; i++)
		set_site(m, ENCODER_SELF, i, enc);
	for (int64_t i = 1; i <= dec; i++)
		set_site(m, DECODER_SELF, i, dec);
	for (int64_t i = 1; i <= dec; i++)
		set_site(m, DECODER_CROSS, i, dec);
}

/* Removes heads from the sites, after the list was read: it counts the heads before pruning. */
static void
remove_heads(struct model *m, const bool *removed)
{
	for (size_t i = 0; i < m->n_sites; removed += m->sites[i++].all_heads) {
		struct site *s = &m->sites[i];
		int *head = (int *)s->head;

		s->heads = 0;
		for (int h = 0; h < s->all_heads; h++)
			if (!removed[h])
				head[s->heads++] = h;
	}
}

/*
 * Makes m->sites from m's configuration, without the heads of a list, which may be NULL.  Returns
 * -1 with EXIT_USAGE if the list is malformed; sites_free() must be called in any case.
 */
static int
sites_new(struct model *m, const char *removed, struct err *e)
{
	bool *set;
	int r;

	make_sites(m);
	if (!removed || !*removed)
		return 0;
	set = xcalloc(heads_before(m->sites, m->n_sites), sizeof(*set));
	r = head_set_add(set, removed, m->sites, m->n_sites, e);
	if (!r)
		remove_heads(m, set);
	free(set);
	return r ? err_wrap(e, "pruned heads") : 0;
}

static void
sites_free(struct model *m)
{
	for (size_t i = 0; i < m->n_sites; i++) {
		free((char *)m->sites[i].name);
		free((int *)m->sites[i].head);
	}
	free(m->sites);
}

void
model_removed_heads(const struct model *m, const bool *more, struct buf *out)
{
	struct model whole = { .config = m->config };
	bool *removed, *set;
	size_t n;

	make_sites(&whole);
	n = heads_before(whole.sites, whole.n_sites) * sizeof(*set);
	removed = set = xmalloc(n);
	memset(set, 1, n);
	for (size_t i = 0; i < m->n_sites; set += m->sites[i++].all_heads)
		for (int h = 0; h < m->sites[i].heads; h++)
			set[m->sites[i].head[h]] = more && *more++;
	head_set_describe(removed, whole.sites, whole.n_sites, out);
	free(removed);
	sites_free(&whole);
}

/* --- positions --- */

/* The frequency of sine and cosine number i; see POSITIONS_* in model.h. */
static double
frequency(const struct model_config *c, int64_t i)
{
	const double half = (double)(c->width / 2);
	const double power = c->positions != POSITIONS_HALVES ? (double)i / half
			     : half > 1 ? (double)i / (half - 1) : 0;

	return exp(-log(10000.0) * power);
}

real *
model_positions(const struct model_config *c)
{
	const bool in_turn = c->positions == POSITIONS_INTERLEAVED;
	const int64_t half = c->width / 2, step = in_turn ? 2 : 1, cosine = in_turn ? 1 : half;
	real *table;

	if (c->positions == POSITIONS_LEARNED || c->positions == POSITIONS_NONE)
		return NULL;
	table = xmalloc((size_t)(c->max_length * c->width) * sizeof(*table));
	for (int64_t i = 0; i < half; i++) {
		const double f = frequency(c, i);

		for (int64_t p = 0; p < c->max_length; p++) {
			real *x = table + p * c->width + step * i;

			x[0] = (real)sin((double)(p + c->position_first) * f);
			x[cosine] = (real)cos((double)(p + c->position_first) * f);
		}
	}
	return table;
}

/* --- construction --- */

/* Moves the contents of v into taken; v is empty afterwards. */
static void
take_vocab(struct vocab *taken, struct vocab *v)
{
	*taken = *v;
	vocab_init(v);
}

static void
take_vocabs(struct model *m, struct vocab *src, struct vocab *tgt)
{
	if (src == tgt)
		vocab_copy(&m->tgt, tgt);
	else
		take_vocab(&m->tgt, tgt);
	take_vocab(&m->src, src);
}

/* Builds a model whose configuration and vocabularies are set. */
static int
model_build(struct model *m, const char *removed, const char *const *specs, size_t n_specs,
	    struct err *e)
{
	if (model_config_check(&m->config, e))
		return -1;
	if (m->config.tie == TIE_ALL && vocab_digest(&m->src) != vocab_digest(&m->tgt))
		return err_set(e, EXIT_USAGE,
			       "tie=all with two vocabularies, expected one for both sides");
	if (sites_new(m, removed, e))
		return -1;
	m->attention = attention_set_new(specs, n_specs, m->sites, m->n_sites, e);
	if (!m->attention)
		return -1;
	layer_params_new(m);
	attention_set_params(m->attention, &m->params);
	m->positions = model_positions(&m->config);
	if (m->config.output_mask) {
		m->tgt_valid = xmalloc((size_t)m->tgt.n);
		memset(m->tgt_valid, 1, (size_t)m->tgt.n);
	}
	return 0;
}

struct model *
model_new(const struct model_config *c, struct vocab *src, struct vocab *tgt,
	  const char *const *specs, size_t n_specs, struct err *e)
{
	return model_new_pruned(c, NULL, src, tgt, specs, n_specs, e);
}

struct model *
model_new_pruned(const struct model_config *c, const char *removed, struct vocab *src,
		  struct vocab *tgt, const char *const *specs, size_t n_specs, struct err *e)
{
	struct model *m = xcalloc(1, sizeof(*m));

	m->engine = HEED_ENGINE;
	m->config = *c;
	params_init(&m->params);
	arena_init(&m->prepared, 0);
	take_vocabs(m, src, tgt);
	if (!model_build(m, removed, specs, n_specs, e))
		return m;
	model_free(m);
	return NULL;
}

void
model_free(struct model *m)
{
	if (!m)
		return;
	attention_set_free(m->attention);
	layer_params_free(m);
	gates_free(m);
	params_release(&m->params);
	sites_free(m);
	vocab_release(&m->src);
	vocab_release(&m->tgt);
	free(m->tgt_valid);
	free(m->codes);
	for (int side = 0; side < 2; side++) {
		free(m->spm[side]);
		free(m->first_token[side]);
	}
	free(m->pg);
	free(m->positions);
	arena_release(&m->prepared);
	free(m);
}

int
model_masked_entries(const struct model *m)
{
	int n = 0;

	for (int i = VOCAB_SPECIALS; m->tgt_valid && i < m->tgt.n; i++)
		n += !m->tgt_valid[i];
	return n;
}

bool
model_has_pieces(const struct model *m)
{
	return m->codes || m->spm[0] || m->spm[1];
}

static bool
same_bytes(const char *a, size_t a_n, const char *b, size_t b_n)
{
	return !a == !b && (!a || (a_n == b_n && !memcmp(a, b, a_n)));
}

const char *
model_other_segmentation(const struct model *a, const struct model *b)
{
	if (!same_bytes(a->codes, a->codes_n, b->codes, b->codes_n))
		return "BPE codes";
	for (int side = 0; side < 2; side++)
		if (!same_bytes(a->spm[side], a->spm_n[side], b->spm[side], b->spm_n[side]))
			return "SentencePiece models";
	return NULL;
}

bool
model_same_first_token(const struct model *a, const struct model *b, bool target)
{
	const char *x = a->first_token[target], *y = b->first_token[target];

	return !x == !y && (!x || !strcmp(x, y));
}

static char *
model_copy_text(const char *text, size_t n)
{
	return text ? memcpy(xmalloc(n + 1), text, n + 1) : NULL;
}

void
model_copy_segmentation(struct model *copy, const struct model *original)
{
	copy->codes = model_copy_text(original->codes, original->codes_n);
	copy->codes_n = original->codes_n;
	for (int side = 0; side < 2; side++) {
		const char *first = original->first_token[side];

		copy->spm[side] = model_copy_text(original->spm[side], original->spm_n[side]);
		copy->spm_n[side] = original->spm_n[side];
		copy->first_token[side] = model_copy_text(first, first ? strlen(first) : 0);
	}
}

void
model_add_pg(struct model *m)
{
	char *line;

	if (cli_no_pg)
		return;
	line = xasprintf("%s%s %s %s\n", m->pg ? m->pg : "", err_program_name(), cli_version(),
			 cli_args());
	free(m->pg);
	m->pg = line;
}

/* Scores that are not divided need smaller queries. */
static void
divide_layer(const struct model *m, const struct attention_layer *a)
{
	struct param *p = a->qkv.weight ? a->qkv.weight : a->q.weight;
	const real by = (real)(1 / sqrt((double)m->sites[a->site].head_dim));

	for (size_t i = 0; p && i < (size_t)a->width * (size_t)p->d[1]; i++)
		p->x[i] *= by;
}

static void
divide_queries(struct model *m)
{
	for (int64_t i = 0; i < m->config.enc_layers; i++)
		divide_layer(m, &m->layers->enc[i].self);
	for (int64_t i = 0; i < m->config.dec_layers; i++) {
		divide_layer(m, &m->layers->dec[i].self);
		divide_layer(m, &m->layers->dec[i].cross);
	}
}

void
model_randomize(struct model *m, uint64_t seed)
{
	const struct model_layers *l = m->layers;

	params_randomize(&m->params, seed);
	if (m->config.init == INIT_STYLE_T5 && m->config.score_scale == SCORE_SCALE_ONE)
		divide_queries(m);
	memset(l->src_embed->x + VOCAB_PAD * m->config.width, 0,
	       (size_t)m->config.width * sizeof(real));
	memset(l->tgt_embed->x + VOCAB_PAD * m->config.width, 0,
	       (size_t)m->config.width * sizeof(real));
}

/* --- digest --- */

uint64_t
model_digest_begin(const struct model *m)
{
	const uint64_t vocab[] = { vocab_digest(&m->src), vocab_digest(&m->tgt) };
	struct buf removed = { 0 };
	uint64_t h = hash_fnv1a(HASH_FNV1A, vocab, sizeof(vocab));

	model_removed_heads(m, NULL, &removed);
	h = hash_fnv1a(h, removed.data, removed.n);
	buf_release(&removed);
	return h;
}

void
model_digest_text(uint64_t h, char digest[MODEL_DIGEST_SIZE])
{
	snprintf(digest, MODEL_DIGEST_SIZE, "%016" PRIx64, h);
}

static uint64_t
add_values(uint64_t h, const struct param *p)
{
	const size_t size = p->q ? (size_t)p->d[1] * sizeof(real) : 0;
	real *row;

	if (!p->q)
		return hash_fnv1a(h, p->x, p->n * sizeof(*p->x));
	row = xmalloc(size);
	for (int r = 0; r < p->d[0]; r++) {
		param_row(p, r, row);
		h = hash_fnv1a(h, row, size);
	}
	free(row);
	return h;
}

void
model_digest_values(const struct model *m, char digest[MODEL_DIGEST_SIZE])
{
	uint64_t h = model_digest_begin(m);

	for (size_t i = 0; i < m->params.n; i++) {
		const struct param *p = m->params.list[i];

		h = add_values(param_digest(h, p), p);
	}
	model_digest_text(h, digest);
}

void
model_digest(const struct model *m, char digest[MODEL_DIGEST_SIZE])
{
	if (*m->digest)
		memcpy(digest, m->digest, MODEL_DIGEST_SIZE);
	else
		model_digest_values(m, digest);
}
