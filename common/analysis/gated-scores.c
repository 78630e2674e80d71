/* gated-scores: loss and BLEU of a model with some heads masked; see gated-scores.h. */
#include "analysis/gated-scores.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "attention/attention-heads.h"
#include "base/mem.h"
#include "data/side-tokens.h"
#include "model/model-input.h"
#include "ops/ops.h"
#include "search/decoder.h"
#include "search/forced.h"

/* --- loss --- */

void
gated_loss_begin(struct gated_loss *g, struct model *m)
{
	const size_t heads = heads_before(m->sites, m->n_sites);

	*g = (struct gated_loss){ .m = m, .gates = xcalloc(heads + 1, sizeof(*g->gates)),
				  .last = xcalloc(heads + 1, sizeof(*g->last)) };
	for (size_t i = 0; i < heads; i++)
		g->gates[i] = 1;
	layer_pass_init(&g->pass, m);
	model_gate(m, g->gates);
}

void
gated_loss_release(struct gated_loss *g)
{
	if (!g->m)
		return;
	model_gate(g->m, NULL);
	free(g->gates);
	free(g->last);
	layer_pass_release(&g->pass);
	*g = (struct gated_loss){ .m = NULL };
}

void
gated_loss_next(struct gated_loss *g)
{
	layer_pass_next(&g->pass);
}

double
loss_of_rows(const struct node *nll, int from, int to, int64_t *infinite)
{
	const real *row = op_cross_entropy_rows(nll);
	double sum = 0;

	*infinite = 0;
	for (int i = from; i < to; i++) {
		if (isinf(row[i]))
			++*infinite;
		else
			sum += (double)row[i];
	}
	return sum;
}

double
loss_of_sentence(const struct node *nll, const struct batch *b, int sentence, int64_t *infinite)
{
	const int from = b->tgt.layout.start[sentence];

	return loss_of_rows(nll, from, from + b->tgt.layout.len[sentence], infinite);
}

double
gradient_times(const struct node *gated, const real *x, ptrdiff_t ld, const struct layout *rows,
	       int sentence, int head)
{
	const int d = gated->d[1] / gated->in[1]->d[0], from = rows->start[sentence];
	double sum = 0;

	for (ptrdiff_t r = from; gated->grad && r < from + rows->len[sentence]; r++)
		for (int k = 0; k < d; k++)
			sum += (double)gated->grad[r * gated->ld + head * d + k] *
			       (double)x[r * ld + k];
	return sum;
}

const struct node *
gated_loss_node(struct gated_loss *g, struct tape *t, const struct batch *b)
{
	const size_t heads = heads_before(g->m->sites, g->m->n_sites);
	const bool keep = !g->fixed || !g->pass.whole;
	const struct node *nll;

	model_gate(g->m, g->gates);
	nll = layer_pass_run(&g->pass, t, b, layer_pass_change(g->m, g->gates, g->last),
			     keep);
	if (keep)
		memcpy(g->last, g->gates, heads * sizeof(*g->last));
	return nll;
}

double
gated_loss_of(struct gated_loss *g, struct tape *t, const struct batch *b)
{
	int64_t infinite;

	return loss_of_rows(gated_loss_node(g, t, b), 0, b->tgt.layout.rows, &infinite);
}

int64_t
gated_loss_tokens(const struct model *m, const struct batch *b)
{
	int64_t tokens = b->tgt.layout.rows;

	for (int i = 0; m->tgt_valid && i < b->tgt.layout.rows; i++)
		tokens -= !m->tgt_valid[b->tgt.out[i]];
	return tokens;
}

/* --- BLEU --- */

int
gated_bleu_keep(struct gated_bleu *g, const struct record *rec, struct err *e)
{
	g->text = mem_grow(g->text, &g->room, g->n + 1, sizeof(*g->text));
	g->text[g->n++] = record_new();
	return record_copy(g->text[g->n - 1], rec)
		? err_set(e, EXIT_INPUT, "record %zu: cannot be copied", g->n) : 0;
}

/* Prepares translations of the kept records. */
static void
gated_bleu_begin(struct gated_bleu *g, struct model *m, struct pass *p, int beam, bool cut)
{
	const int64_t tokens = forced_tokens(m);
	struct batch_rules rules;

	model_batch_rules(m, &rules);
	g->m = m;
	g->job = xcalloc(g->n + 1, sizeof(*g->job));
	for (size_t i = 0; i < g->n; i++)
		g->job[i] = (struct translate_job){ .rec = g->text[i], .number = (int64_t)i,
				.n_tokens = side_tokens_count(g->text[i], false) -
					    batch_has_first(g->text[i], &rules, false) };
	translator_init(&g->translator, m, p);
	if (tokens < FORCED_TOKENS)
		g->translator.batch_tokens = tokens;
	g->translator.cut = cut;
	g->translator.search = piece_bleu_search(&m->recipe, beam);
	translate_plan(&g->translator, g->job, (int)g->n, &g->plan);
}

/* Adds the translations of batches [from, to) under n masks. */
static void
add_translations(const struct gated_bleu *g, int from, int to, struct piece_bleu *p, int n)
{
	const struct translate_plan *plan = &g->plan;

	for (int i = from; i < to; i++)
		for (int k = i; k < plan->n; k += plan->n_batches)
			for (int mask = 0; mask < n; mask++)
				piece_bleu_add(&p[mask], g->m, plan->order[k]->rec,
					       &plan->order[k]->out.best[mask]);
}

/* What reports progress: translations of all sentences, of which `before` were done earlier. */
struct report { const struct gated_bleu *g; const struct gated_masks *k; int64_t before; };

static void
report_masks(void *arg, int64_t translations)
{
	const struct report *r = arg;

	r->k->done(r->k->done_arg, (r->before + translations) / r->g->plan.n);
}

/*
 * A batch of a model larger than base takes so much memory that all threads share one: attention
 * variants need the encoder output of the whole batch at once (search.c).
 */
static bool
is_large(const struct gated_bleu *g)
{
	return g->translator.batch_tokens < TRANSLATE_BATCH;
}

/* The masks of a call at most, because the translations under all of them are in memory. */
enum { MASKS = 1024 };

/* Translates batches [from, to) with all masks. */
static int
translate_part(struct gated_bleu *g, const struct gated_masks *k, int from, int to,
	       struct report *r, struct piece_bleu *p, struct err *e)
{
	const size_t heads = heads_before(g->m->sites, g->m->n_sites);
	struct translator *t = &g->translator;
	int sentences = 0;

	for (int i = from; i < to; i++)
		sentences += (g->plan.n - i + g->plan.n_batches - 1) / g->plan.n_batches;
	t->done = k->done ? report_masks : NULL;
	t->done_arg = r;
	for (size_t i = 0; i < k->n; i += (size_t)t->n_masks) {
		t->masks = k->gates + i * heads;
		t->n_masks = k->n - i < MASKS ? (int)(k->n - i) : MASKS;
		translate_begin(t);
		if (translate_batches(t, &g->plan, from, to, e))
			return -1;
		add_translations(g, from, to, &p[i], t->n_masks);
		r->before += (int64_t)t->n_masks * sentences;
	}
	return 0;
}

static int
translate_all(struct gated_bleu *g, const struct gated_masks *k, struct piece_bleu *p,
	      struct err *e)
{
	const int n = g->plan.n_batches, each = is_large(g) ? 1 : g->translator.n_streams;
	struct report r = { g, k, 0 };

	for (int from = 0; from < n; from += each)
		if (translate_part(g, k, from, from + each < n ? from + each : n, &r, p, e))
			return -1;
	return 0;
}

int
gated_bleu_score(struct gated_bleu *g, struct model *m, struct pass *p, int beam, bool cut,
		 const struct gated_masks *k, struct err *e)
{
	static const struct hypothesis empty;
	struct piece_bleu *bleu = xcalloc(k->n + 1, sizeof(*bleu));
	int bad;

	gated_bleu_begin(g, m, p, beam, cut);
	for (size_t i = 0; i < k->n; i++) {
		piece_bleu_open(&bleu[i]);
		for (size_t j = 0; j < g->n; j++)
			if (!g->job[j].n_tokens)
				piece_bleu_add(&bleu[i], m, g->text[j], &empty);
	}
	bad = translate_all(g, k, bleu, e);
	for (size_t i = 0; i < k->n; i++) {
		k->bleu[i] = piece_bleu_score(&bleu[i]);
		piece_bleu_close(&bleu[i]);
	}
	free(bleu);
	return bad;
}

void
gated_bleu_release(struct gated_bleu *g)
{
	for (size_t i = 0; i < g->n; i++)
		record_free(g->text[i]);
	free(g->text);
	free(g->job);
	translate_plan_release(&g->plan);
	if (g->m)
		translator_release(&g->translator);
	*g = (struct gated_bleu){ .n = 0 };
}
