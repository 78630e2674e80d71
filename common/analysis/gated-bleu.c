/* gated-bleu: see gated-bleu.h. */
#include "analysis/gated-bleu.h"

#include <stdlib.h>

#include "base/mem.h"

int
gated_bleu_keep(struct gated_bleu *g, const struct record *rec, struct err *e)
{
	g->text = mem_grow(g->text, &g->room, g->n + 1, sizeof(*g->text));
	g->text[g->n++] = record_new();
	return record_copy(g->text[g->n - 1], rec)
		? err_set(e, EXIT_INPUT, "record %zu: cannot be copied", g->n) : 0;
}

void
gated_bleu_begin(struct gated_bleu *g, struct model *m, struct pass *p, int beam, bool cut)
{
	g->m = m;
	g->job = xcalloc(g->n + 1, sizeof(*g->job));
	for (size_t i = 0; i < g->n; i++)
		g->job[i] = (struct translate_job){ .rec = g->text[i], .number = (int64_t)i,
				.n_tokens = batch_pieces(g->text[i], false) };
	translator_init(&g->translator, m, p);
	g->translator.cut = cut;
	g->translator.search = piece_bleu_search(&m->recipe, beam);
}

int
gated_bleu_score(struct gated_bleu *g, double *bleu, struct err *e)
{
	struct piece_bleu p;

	translate_begin(&g->translator);
	if (translate_window(&g->translator, g->job, (int)g->n, e))
		return -1;
	piece_bleu_open(&p);
	for (size_t i = 0; i < g->n; i++)
		piece_bleu_add(&p, g->m, g->text[i], &g->job[i].out.best[0]);
	*bleu = piece_bleu_score(&p);
	piece_bleu_close(&p);
	return 0;
}

void
gated_bleu_release(struct gated_bleu *g)
{
	for (size_t i = 0; i < g->n; i++)
		record_free(g->text[i]);
	free(g->text);
	free(g->job);
	if (g->m)
		translator_release(&g->translator);
	*g = (struct gated_bleu){ .n = 0 };
}
