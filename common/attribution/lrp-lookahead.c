/* lrp-lookahead: sentences that are read ahead and traced together; see lrp-lookahead.h. */
#include <stdlib.h>
#include <string.h>

#include "attribution/lrp-lookahead.h"
#include "base/mem.h"
#include "data/side-tokens.h"

int
lrp_lookahead_init(struct lrp_lookahead *l, struct model *m, struct pass *p, const struct lrp *lrp,
		   enum forced_target target, int too_long, struct err *e)
{
	memset(l, 0, sizeof(*l));
	l->m = m;
	l->target = target;
	translator_init(&l->translator, m, p);
	lrp_init(&l->tracer, m, p, lrp);
	arena_init(&l->mem, 0);
	for (int i = 0; i < LRP_SENTENCES; i++) {
		l->ahead[i].rec = record_new();
		l->ahead[i].traced = record_new();
	}
	l->audit.too_long = too_long;
	l->translator.cut = l->tracer.cut = too_long == TOO_LONG_CUT;
	return model_audit(m, true, &l->audit, e);
}

void
lrp_lookahead_release(struct lrp_lookahead *l)
{
	for (int i = 0; i < LRP_SENTENCES; i++) {
		record_free(l->ahead[i].rec);
		record_free(l->ahead[i].traced);
	}
	arena_release(&l->mem);
	lrp_release(&l->tracer);
	translator_release(&l->translator);
}

static int
lrp_lookahead_copy(struct record *copied, const struct record *rec)
{
	record_clear(copied);
	return record_copy(copied, rec);
}

static void
add_jobs(struct lrp_lookahead *l, struct lrp_ahead *a, int64_t number, int source_tokens,
	 bool translate)
{
	a->job = NULL;
	a->lrp = NULL;
	if (a->skipped)
		return;
	if (source_tokens) {
		a->lrp = &l->lrp[l->n_lrp++];
		*a->lrp = (struct lrp_job){ .rec = a->traced, .number = number };
	}
	if (translate) {
		a->job = &l->job[l->n_jobs++];
		*a->job = (struct translate_job){ .rec = a->rec, .number = number,
						  .n_tokens = source_tokens };
	}
	audit_fields(&l->audit, a->traced);
	audit_tokens(&l->audit.tokens, a->traced, &l->m->src, translate ? NULL : &l->m->tgt);
}

int
lrp_lookahead_add(struct lrp_lookahead *l, const struct record *rec, int64_t number,
		  const struct reader *reader, struct err *e)
{
	const bool translate = l->target == TARGET_HYP && !forced_has_hyp(l->m, rec);
	const int source_tokens = side_tokens_count(rec, false);
	struct lrp_ahead *a = &l->ahead[l->n];
	int skip;

	if (lrp_lookahead_copy(a->rec, rec) || lrp_lookahead_copy(a->traced, rec))
		return err_set(e, EXIT_INPUT, "cannot be copied");
	if (source_tokens < 0)
		return err_set(e, EXIT_INPUT, "no src.pieces or src, expected one of them");
	if (!translate && forced_choose(l->m, a->traced, l->target, e))
		return -1;
	l->audit.rules.with_target = !translate;
	skip = audit_length(&l->audit, a->traced, reader, NULL, e);
	if (skip < 0)
		return -1;
	a->skipped = skip;
	audit_set_cut(&l->audit, a->traced, a->rec);
	add_jobs(l, a, number, source_tokens, translate);
	l->n++;
	return 0;
}

static int
lrp_lookahead_translate(struct lrp_lookahead *l, struct err *e)
{
	if (l->n_jobs && translate_window(&l->translator, l->job, l->n_jobs, e))
		return -1;
	for (int i = 0; i < l->n; i++) {
		struct lrp_ahead *a = &l->ahead[i];
		const struct hypothesis *h = a->job ? &a->job->out.best[0] : NULL;
		struct str *piece = h ? translate_pieces(l->m, h, &l->mem) : NULL;

		if (!h)
			continue;
		record_set_strs(a->rec, "hyp.pieces", piece, (size_t)h->n);
		record_set_strs(a->traced, "hyp.pieces", piece, (size_t)h->n);
		if (forced_choose(l->m, a->traced, TARGET_HYP, e))
			return -1;
	}
	return 0;
}

int
lrp_lookahead_trace(struct lrp_lookahead *l, struct err *e)
{
	return lrp_lookahead_translate(l, e) || lrp_trace(&l->tracer, l->lrp, l->n_lrp, e) ? -1 : 0;
}

void
lrp_lookahead_clear(struct lrp_lookahead *l)
{
	l->n = l->n_jobs = l->n_lrp = 0;
	translate_begin(&l->translator);
	arena_rewind(&l->mem);
}

/* --- tokens --- */

const struct field lrp_token_fields[] = {
	{ "relevance.best", "[str]", 0 }, { "relevance.src", "f32[t,s]", 0 },
	{ "relevance.tgt", "f32[t,t]", 0 }, { 0 }
};

static void
set_matrix(struct record *rec, const char *name, int rows, int columns, const double *x)
{
	const size_t n = (size_t)rows * (size_t)columns;
	float *y = xcalloc(n + 1, sizeof(*y));
	const struct tensor t = { .type = TENSOR_F32, .n_dim = 2, .d = { rows, columns },
				  .data = y };

	for (size_t i = 0; i < n; i++)
		y[i] = (float)x[i];
	record_set_tensor(rec, name, &t);
	free(y);
}

static void
set_tokens(struct lrp_lookahead *l, struct record *rec, const struct lrp_sentence *out)
{
	struct str *best = ARENA_ARRAY(&l->mem, struct str, out->positions + 1);

	for (int t = 0; t < out->positions; t++)
		best[t].s = vocab_text(&l->m->tgt, out->token[t], &best[t].n);
	record_set_strs(rec, "relevance.best", best, (size_t)out->positions);
	set_matrix(rec, "relevance.src", out->positions, out->source_tokens, out->src);
	set_matrix(rec, "relevance.tgt", out->positions, out->positions, out->tgt);
}

struct record *
lrp_lookahead_tokens(struct lrp_lookahead *l, int i)
{
	static const struct lrp_sentence none;
	const struct lrp_ahead *a = &l->ahead[i];

	if (!a->skipped)
		set_tokens(l, a->rec, a->lrp ? &a->lrp->out : &none);
	for (const struct field *f = lrp_token_fields; a->skipped && f->name; f++)
		record_delete(a->rec, f->name);
	return a->rec;
}
