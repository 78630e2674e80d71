/* gated-loss: the loss of a batch with some heads masked; see gated-loss.h. */
#include "analysis/gated-loss.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "attention/attention-heads.h"
#include "base/mem.h"
#include "ops/ops.h"

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
	const struct node *nll = layer_pass_run(&g->pass, t, b, first_changed(g), keep);

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
