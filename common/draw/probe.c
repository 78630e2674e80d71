/* probe: a model without some of its heads; see probe.h. */
#include "draw/probe.h"

#include <stdlib.h>

#include "attention/attention-heads.h"
#include "base/mem.h"
#include "data/side-tokens.h"
#include "ops/ops.h"
#include "search/forced.h"
#include "stream/fields.h"

int
probe_open(struct probe *p, struct model *m, struct runtime *run, const char *name, struct err *e)
{
	*p = (struct probe){ .heads = heads_before(m->sites, m->n_sites), .run = run };
	if (segmenter_init(&p->segmenter, m, name, e)) {
		segmenter_release(&p->segmenter);
		return -1;
	}
	if (!m->gate_name)
		model_gate(m, NULL);	/* the names of the nodes are shared, too */
	p->view = *m;
	p->gates = xcalloc(p->heads + 1, sizeof(*p->gates));
	probe_remove(p, NULL);
	look_set_model(&p->look, &p->view, run);
	p->look.cut = true;	/* a translation can have one token more than a target */
	p->rec = record_new();
	p->scored = record_new();
	return 0;
}

void
probe_close(struct probe *p)
{
	if (p->translates)
		translator_release(&p->translator);
	segmenter_release(&p->segmenter);
	record_free(p->rec);
	record_free(p->scored);
	free(p->piece);
	free(p->gates);
	buf_release(&p->texts);
}

/* Without removed heads, there are no gates: they would take time. */
void
probe_remove(struct probe *p, const bool *removed)
{
	bool any = false;

	for (size_t i = 0; i < p->heads; i++) {
		p->gates[i] = removed && removed[i] ? 0 : 1;
		any |= p->gates[i] == 0;
	}
	model_gate(&p->view, any ? p->gates : NULL);
}

/* --- source and target --- */

int
probe_text(struct probe *p, const char *text, size_t n, struct err *e)
{
	const struct subwords *cut = &p->segmenter.subwords;

	record_clear(p->rec);
	if (segmenter_cut(&p->segmenter, text, n, false, e))
		return -1;
	record_set_str(p->rec, "src", text, n);
	record_set_strs(p->rec, "src.pieces", cut->v, cut->n);
	record_set_ints(p->rec, "src.word", cut->word, cut->n);
	return 0;
}

int
probe_record(struct probe *p, const struct record *rec, struct err *e)
{
	if (record_copy(p->rec, rec))
		return err_set(e, EXIT_INPUT, "the record cannot be copied");
	return 0;
}

int
probe_source_tokens(const struct probe *p)
{
	return side_tokens_count(p->rec, false);
}

void
probe_target_tokens(struct probe *p, const struct str *token, size_t n)
{
	size_t at = 0;

	buf_clear(&p->texts);
	for (size_t i = 0; i < n; i++)
		buf_add(&p->texts, token[i].s, token[i].n);
	buf_add_char(&p->texts, '\0');
	p->piece = mem_grow(p->piece, &p->room, n + 1, sizeof(*p->piece));
	p->n_pieces = n;
	for (size_t i = 0; i < n; i++) {
		p->piece[i] = (struct str){ p->texts.data + at, token[i].n };
		at += token[i].n;
	}
}

int
probe_target_text(struct probe *p, const char *text, size_t n, struct err *e)
{
	const struct subwords *cut = &p->segmenter.subwords;

	if (segmenter_cut(&p->segmenter, text, n, true, e))
		return -1;
	probe_target_tokens(p, cut->v, cut->n);
	return 0;
}

int
probe_target_add(struct probe *p, struct buf *out, struct err *e)
{
	return segmenter_join(&p->segmenter, p->piece, p->n_pieces, out, e);
}

/* --- translation --- */

void
probe_search(const struct probe *p, struct search_settings *s)
{
	const struct recipe *r = &p->view.recipe;

	search_defaults(s, (enum search_variant)r->search);
	s->beam = (int)r->beam;
	s->length_penalty = r->length_penalty;
	s->count_first = r->count_first;
	s->n_best = 1;
	s->noun = "sentence";
}

/* The translator keeps its memory while its settings are the same; see probe_search(). */
static void
open_translator(struct probe *p, const struct search_settings *s)
{
	const struct search_settings *last = &p->translator.search;

	if (p->translates && last->beam == s->beam && last->length_penalty == s->length_penalty)
		return;
	if (p->translates)
		translator_release(&p->translator);
	translator_init(&p->translator, &p->view, &p->run->pass);
	p->translator.search = *s;
	p->translates = true;
}

int
probe_window(struct probe *p, struct translate_job *job, int n, const struct search_settings *s,
	     struct err *e)
{
	open_translator(p, s);
	translate_begin(&p->translator);
	return translate_window(&p->translator, job, n, e);
}

int
probe_translate(struct probe *p, const struct search_settings *s, struct err *e)
{
	struct translate_job job = { .rec = p->rec, .n_tokens = probe_source_tokens(p) };
	const struct hypothesis *best;
	struct arena mem;

	if (probe_window(p, &job, 1, s, e))
		return -1;
	best = &job.out.best[0];
	arena_init(&mem, 0);
	probe_target_tokens(p, translate_pieces(&p->view, best, &mem), (size_t)best->n);
	arena_release(&mem);
	return 0;
}

/* --- scores --- */

/* The sentence with the target as its translation, which becomes the target. */
static int
make_scored(struct probe *p, struct err *e)
{
	struct buf text = { 0 };
	int bad;

	if (record_copy(p->scored, p->rec))
		return err_set(e, EXIT_INPUT, "the record cannot be copied");
	bad = probe_target_add(p, &text, e);
	record_set_str(p->scored, "hyp", text.n ? text.data : "", text.n);
	record_set_strs(p->scored, "hyp.pieces", p->piece, p->n_pieces);
	buf_release(&text);
	return bad || forced_choose(&p->view, p->scored, TARGET_HYP, e) ? -1 : 0;
}

const struct record *
probe_scored(struct probe *p, struct err *e)
{
	if (make_scored(p, e))
		return NULL;
	record_delete(p->scored, side_fields[1].word);	/* the marks of subwords tell more */
	return p->scored;
}

const real *
probe_score_record(struct probe *p, const struct record *rec, int64_t number, int *n,
		   struct err *e)
{
	struct look *l = &p->look;
	struct node *nll;
	real *log_prob;

	if (look_at(l, rec, number, e)) {
		look_clear(l);
		return NULL;
	}
	nll = model_cross_entropy(l->m, l->run->tape, &l->batch, l->decoded);
	*n = l->batch.tgt.layout.len[0];
	log_prob = ARENA_ARRAY(tape_arena(l->run->tape), real, *n + 1);
	for (int i = 0; i < *n; i++)
		log_prob[i] = -op_cross_entropy_rows(nll)[l->batch.tgt.layout.start[0] + i];
	return log_prob;
}

const real *
probe_score(struct probe *p, int *n, struct err *e)
{
	return probe_scored(p, e) ? probe_score_record(p, p->scored, 0, n, e) : NULL;
}

double
probe_sum(const struct probe *p, const real *log_prob, int n)
{
	double sum = 0;

	for (int i = p->view.first_token[1] != NULL; i < n; i++)
		sum += (double)log_prob[i];
	return sum;
}
