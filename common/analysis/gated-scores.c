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

/* The place of the first site whose gates have changed since the last pass that was kept. */
static int
first_changed(const struct gated_loss *g)
{
	const struct model *m = g->m;
	int first = g->pass.places;

	for (size_t i = 0; i < m->n_sites; i++) {
		const size_t at = heads_before(m->sites, i);
		const int place = layer_pass_place(m, i);

		for (int h = 0; h < m->sites[i].heads; h++)
			if (g->gates[at + (size_t)h] != g->last[at + (size_t)h] && place < first)
				first = place;
	}
	return first;
}

const struct node *
gated_loss_node(struct gated_loss *g, struct tape *t, const struct batch *b)
{
	const size_t heads = heads_before(g->m->sites, g->m->n_sites);
	const bool keep = !g->fixed || !g->pass.whole;
	const struct node *nll;

	model_gate(g->m, g->gates);
	nll = layer_pass_run(&g->pass, t, b, first_changed(g), keep);
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

static size_t
heads_of_encoder(const struct model *m)
{
	return heads_before(m->sites, (size_t)m->config.enc_layers);
}

void
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

/* Batches [from, to) of the plan, of which the first `done` sentences come before. */
struct part { int from, to, done, n; };

/* Adds the translations under n masks. */
static void
add_translations(const struct gated_bleu *g, const struct part *part, struct piece_bleu *p, int n)
{
	const struct translate_plan *plan = &g->plan;

	for (int i = part->from; i < part->to; i++)
		for (int k = i; k < plan->n; k += plan->n_batches)
			for (int mask = 0; mask < n; mask++)
				piece_bleu_add(&p[mask], g->m, plan->order[k]->rec,
					       &plan->order[k]->out.best[mask]);
}

static real *
gates_of_mask(const struct gated_bleu *g, const struct gated_masks *k, size_t mask)
{
	return k->gates + mask * heads_before(g->m->sites, g->m->n_sites);
}

/* Have two masks the same gates of the encoder? */
static bool
same_encoder(const struct gated_bleu *g, const struct gated_masks *k, size_t a, size_t b)
{
	return !memcmp(gates_of_mask(g, k, a), gates_of_mask(g, k, b),
		       heads_of_encoder(g->m) * sizeof(*k->gates));
}

/*
 * The searches of a batch at a time: enough that few steps have few rows; not all, so that progress
 * is reported.
 */
enum { SEARCHES = 4096 };

/* The number of masks from one on that are searched together. */
static int
count_together(const struct gated_bleu *g, const struct gated_masks *k, size_t mask)
{
	const int sentences = (g->plan.n + g->plan.n_batches - 1) / g->plan.n_batches;
	const int most = decoder_cache_slots(g->m, g->translator.pass) / g->translator.search.beam;
	int n = 1;

	while (mask + (size_t)n < k->n && n < most && (n + 1) * sentences <= SEARCHES &&
	       same_encoder(g, k, mask, mask + (size_t)n))
		n++;
	return n;
}

static int
translate_part(struct gated_bleu *g, const struct gated_masks *k, const struct part *part,
	       struct piece_bleu *p, struct err *e)
{
	struct translator *t = &g->translator;

	for (size_t i = 0; i < k->n; i += (size_t)t->n_masks) {
		t->masks = gates_of_mask(g, k, i);
		t->n_masks = count_together(g, k, i);
		t->repeat = i && same_encoder(g, k, i - 1, i);
		model_gate(g->m, gates_of_mask(g, k, i));
		translate_begin(t);
		if (translate_batches(t, &g->plan, part->from, part->to, e))
			return -1;
		add_translations(g, part, &p[i], t->n_masks);
		if (k->done)
			k->done(k->done_arg, (int64_t)(((size_t)part->done * k->n +
				(size_t)part->n * (i + (size_t)t->n_masks)) / (size_t)g->plan.n));
	}
	return 0;
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

static int
translate_all(struct gated_bleu *g, const struct gated_masks *k, struct piece_bleu *p,
	      struct err *e)
{
	const struct translate_plan *plan = &g->plan;
	struct part part = { .to = 0 };

	while (part.to < plan->n_batches) {
		part.from = part.to;
		part.to = part.from + (is_large(g) ? 1 : g->translator.n_streams);
		if (part.to > plan->n_batches)
			part.to = plan->n_batches;
		part.done += part.n;
		part.n = 0;
		for (int i = part.from; i < part.to; i++)
			part.n += (plan->n - i + plan->n_batches - 1) / plan->n_batches;
		if (translate_part(g, k, &part, p, e))
			return -1;
	}
	return 0;
}

int
gated_bleu_score(struct gated_bleu *g, const struct gated_masks *k, struct err *e)
{
	static const struct hypothesis empty;
	struct piece_bleu *p = xcalloc(k->n + 1, sizeof(*p));
	real *const gates = g->m->gates;
	int bad;

	for (size_t i = 0; i < k->n; i++) {
		piece_bleu_open(&p[i]);
		for (size_t j = 0; j < g->n; j++)
			if (!g->job[j].n_tokens)
				piece_bleu_add(&p[i], g->m, g->text[j], &empty);
	}
	bad = translate_all(g, k, p, e);
	for (size_t i = 0; i < k->n; i++) {
		k->bleu[i] = piece_bleu_score(&p[i]);
		piece_bleu_close(&p[i]);
	}
	free(p);
	model_gate(g->m, gates);
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
