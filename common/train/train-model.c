/* train-model: the model of a training, its vocabularies and segmentation; see trainer.h. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cli.h"
#include "base/hash.h"
#include "base/mem.h"
#include "bpe/bpe.h"
#include "bpe/spm.h"
#include "model-file/model-file.h"
#include "model/model-input.h"
#include "search/segmenter.h"
#include "stream/store.h"
#include "train/trainer.h"

#define COMPARED 100	/* sentences whose subwords are compared with the model's segmentation */

/*
 * output_mask: masks the tokens that never occur on the target side.  End-of-sentence, unknown, and
 * tokens that the model of --init can produce, which has the same vocabulary, are never masked.
 */
static void
mask_tokens(struct model *m, const struct word_count *tgt, const struct model *init)
{
	memset(m->tgt_valid, 0, (size_t)m->tgt.n);
	m->tgt_valid[VOCAB_EOS] = m->tgt_valid[VOCAB_UNK] = 1;
	for (size_t i = 0; i < tgt->words.n; i++) {
		size_t n;
		const char *s = strmap_text(&tgt->words, (int)i, &n);

		m->tgt_valid[vocab_id(&m->tgt, s, n)] = 1;
	}
	for (int i = VOCAB_SPECIALS; init && i < m->tgt.n; i++)
		m->tgt_valid[i] |= !init->tgt_valid || init->tgt_valid[i];
}

static void
print_mask(const struct trainer *t)
{
	const struct model *m = t->model;

	if (!t->set->quiet)
		fprintf(stderr, "output mask: %d of %d target vocabulary entries are masked\n",
			model_masked_entries(m), m->tgt.n - VOCAB_SPECIALS);
}

static void
make_vocabs(struct trainer *t, const struct model *init, const struct word_count *src,
	    const struct word_count *tgt, struct vocab *v_src, struct vocab *v_tgt)
{
	const struct train_settings *s = t->set;

	if (!init) {
		corpus_vocab(src, tgt, s->joint_vocab || t->config.tie == TIE_ALL, s->min_count,
			     (int)s->max_types, v_src, v_tgt);
		return;
	}
	vocab_copy(v_src, &init->src);
	vocab_copy(v_tgt, &init->tgt);
}

/*
 * Copies parameters from the model of --init.  Those of other shapes or vocabularies, and of new
 * variants, keep their random values.
 */
static int
init_params(struct trainer *t, struct err *e)
{
	const size_t all = t->model->params.n;
	const int64_t taken = model_init_from(t->model, t->set->init, e);

	if (taken < 0)
		return -1;
	if (!taken)
		warn("%s: no matching parameters, all are initialized at random", t->set->init);
	else if ((size_t)taken < all && !t->set->quiet)
		fprintf(stderr,
			"%s: %lld of %zu parameters copied, the others initialized at random\n",
			t->set->init, (long long)taken, all);
	return 0;
}

int
trainer_new_model(struct trainer *t, const struct model *init, struct vocab *src,
		  struct vocab *tgt, struct err *e)
{
	struct buf removed = { 0 };

	if (init && t->set->preset < 0)
		model_removed_heads(init, NULL, &removed);
	t->model = model_new_pruned(&t->config, removed.data, src, tgt, t->specs.v, t->specs.n, e);
	buf_release(&removed);
	vocab_release(src);
	vocab_release(tgt);
	return t->model ? 0 : -1;
}

int
trainer_begin_model(struct trainer *t, const struct model *init, const struct word_count *src,
		    const struct word_count *tgt, struct err *e)
{
	const struct train_settings *s = t->set;
	const struct preset *p = preset_find(train_preset_names[s->preset < 0 ? 0 : s->preset]);
	struct vocab v_src, v_tgt;

	make_vocabs(t, init, src, tgt, &v_src, &v_tgt);
	if (trainer_new_model(t, init, &v_src, &v_tgt, e))
		return -1;
	snprintf(t->model->preset, sizeof(t->model->preset), "%s",
		 init && s->preset < 0 ? init->preset : p->name);
	params_allocate(&t->model->params, true);
	model_randomize(t->model, (uint64_t)s->seed);
	if (t->model->tgt_valid) {
		mask_tokens(t->model, tgt, init);
		print_mask(t);
	}
	if (init)
		t->model->languages = init->languages;
	if (init && init_params(t, e))
		return -1;
	return trainer_prepare(t, e);
}

int
trainer_freeze(struct trainer *t, struct err *e)
{
	const struct opt_list *freeze = &t->set->freeze;

	for (size_t i = 0; i < freeze->n; i++)
		if (!params_freeze(&t->model->params, freeze->v[i]))
			return err_set(e, EXIT_USAGE, "--freeze %s matches no parameter",
				       freeze->v[i]);
	return 0;
}

int
trainer_prepare(struct trainer *t, struct err *e)
{
	const struct recipe *r = &t->recipe;
	struct params *p = &t->model->params;

	if (trainer_freeze(t, e))
		return -1;
	t->model->recipe = *r;
	gradient_sum_init(&t->sum, p, t->ranks, GRADIENT_CHUNK);
	if (t->set->gradients == GRADIENTS_BF16)
		gradient_sum_round(&t->sum);
	optimizer_init(&t->optimizer, p, r->adam_beta1, r->adam_beta2, r->adam_eps,
		       r->weight_decay);
	if (!t->optimizer.n_chunks)
		return err_set(e, EXIT_USAGE, "--freeze leaves no parameter to train");
	if (t->set->keep_best)
		t->best = xcalloc(p->total + 1, sizeof(*t->best));
	return 0;
}

static void
drop_segmentation(struct model *m)
{
	free(m->codes);
	m->codes = NULL;
	for (int side = 0; side < 2; side++) {
		free(m->spm[side]);
		m->spm[side] = NULL;
	}
}

/* Parses the BPE codes like the programs that apply them, so that errors appear before training. */
static int
read_codes(struct model *m, const char *path, struct err *e)
{
	struct bpe *codes = bpe_open(path, BPE_NO_LIMIT, e);
	const char *text;

	if (!codes)
		return -1;
	text = bpe_text(codes, &m->codes_n);
	m->codes = xstrndup(text, m->codes_n);
	bpe_free(codes);
	return 0;
}

static int
read_spm(struct model *m, const char *const path[2], struct err *e)
{
	for (int side = 0; side < 2; side++) {
		if (!path[side])
			continue;
		m->spm[side] = spm_load(path[side], &m->spm_n[side], e);
		if (!m->spm[side])
			return -1;
	}
	return 0;
}

/* The settings and checksums of the data are the same after resuming, and in all its models. */
static void
name_training(struct trainer *t)
{
	const uint64_t h = hash_fnv1a(HASH_FNV1A, t->settings.data, t->settings.n);

	*t->model->training = '\0';
	if (!cli_no_pg)
		snprintf(t->model->training, sizeof(t->model->training), "%016" PRIx64, h);
}

int
trainer_add_origin(struct trainer *t, const struct model *init, struct err *e)
{
	struct model *m = t->model;

	if (init && !model_has_pieces(m) && !m->first_token[0] && !m->first_token[1])
		model_copy_segmentation(m, init);
	if (t->set->codes || t->set->spm[0] || t->set->spm[1])
		drop_segmentation(m);
	if ((t->set->codes && read_codes(m, t->set->codes, e)) || read_spm(m, t->set->spm, e))
		return -1;
	free(m->pg);
	m->pg = init && init->pg ? xstrdup(init->pg) : NULL;
	model_add_pg(m);
	name_training(t);
	return 0;
}

/* Has a source other subwords than the model gives its text, apart from the model's first token? */
static bool
train_model_is_other(struct segmenter *s, const struct record *rec, const struct batch_rules *rules)
{
	const struct subwords *cut = &s->subwords;
	const struct str *piece;
	struct str text;
	struct err e;
	size_t n;

	if (record_str(rec, "src", &text) || record_strs(rec, "src.pieces", &piece, &n) ||
	    segmenter_cut(s, text.s, text.n, false, &e))
		return false;
	if (batch_has_first(rec, rules, false)) {
		piece++;
		n--;
	}
	for (size_t i = 0; i < n && n == cut->n; i++)
		if (piece[i].n != cut->v[i].n || memcmp(piece[i].s, cut->v[i].s, piece[i].n))
			return true;
	return n != cut->n;
}

static int64_t
count_other(const struct trainer *t, struct segmenter *s, int64_t n)
{
	struct record *rec = record_new();
	struct batch_rules rules;
	int64_t other = 0;
	struct err e;

	model_batch_rules(t->model, &rules);
	for (int64_t i = 0; i < n && !store_record(t->corpus.store, i, rec, &e); i++)
		other += train_model_is_other(s, rec, &rules);
	record_free(rec);
	return other;
}

/*
 * Only nmt-translate --text uses the segmentation, so that nothing is checked if the model needs
 * further fields.  Random segmentation, which the provenance shows, differs in any case.
 */
void
trainer_check_segmentation(const struct trainer *t)
{
	const struct header *h = store_header(t->corpus.store);
	const struct model *m = t->model;
	const int64_t all = store_count(t->corpus.store), n = all < COMPARED ? all : COMPARED;
	struct segmenter s;
	struct err e;
	int64_t other;

	if (t->ranks->me || !model_has_pieces(m) || header_ran_with(h, "--dropout") ||
	    header_ran_with(h, "--alpha") || attention_set_needs(m->attention, false)->name)
		return;
	if (!segmenter_init(&s, m, t->set->output, &e)) {
		other = count_other(t, &s, n);
		if (2 * other > n)
			warn("the training data was not segmented with the model's %s, with which "
			     "nmt-translate --text segments: %lld of the first %lld source "
			     "sentences have other subwords", m->codes ? "BPE codes" :
			     "SentencePiece model", (long long)other, (long long)n);
	}
	segmenter_release(&s);
}
