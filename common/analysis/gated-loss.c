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
	size_t site = 0;

	while (site < m->n_sites && m->sites[site].where == ENCODER_SELF)
		site++;
	*g = (struct gated_loss){ .m = m, .n_encoder = heads_before(m->sites, site),
				  .gates = xcalloc(heads + 1, sizeof(*g->gates)),
				  .kept_gates = xcalloc(heads + 1, sizeof(*g->kept_gates)) };
	for (size_t i = 0; i < heads; i++)
		g->gates[i] = 1;
	arena_init(&g->arena, 0);
	model_gate(m, g->gates);
}

void
gated_loss_release(struct gated_loss *g)
{
	if (!g->m)
		return;
	model_gate(g->m, NULL);
	free(g->gates);
	free(g->kept_gates);
	arena_release(&g->arena);
	*g = (struct gated_loss){ .m = NULL };
}

void
gated_loss_next(struct gated_loss *g)
{
	g->kept = false;
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

/* Runs the encoder if necessary and copies its output, because the tape is rewound. */
static void
encode(struct gated_loss *g, struct tape *t, const struct batch *b)
{
	const size_t size = g->n_encoder * sizeof(*g->gates);
	const struct node *memory;
	ptrdiff_t width;

	if (g->kept && !memcmp(g->kept_gates, g->gates, size))
		return;
	tape_rewind(t);
	arena_rewind(&g->arena);
	memory = model_encode(g->m, t, b);
	width = memory->d[1];
	g->memory = ARENA_ARRAY(&g->arena, real, (size_t)memory->d[0] * (size_t)width);
	for (ptrdiff_t r = 0; r < memory->d[0]; r++)
		memcpy(g->memory + r * width, memory->x + r * memory->ld,
		       (size_t)width * sizeof(*g->memory));
	memcpy(g->kept_gates, g->gates, size);
	g->kept = true;
}

double
gated_loss_of(struct gated_loss *g, struct tape *t, const struct batch *b)
{
	const int d[2] = { b->src.layout.rows, (int)g->m->config.width };
	struct node *in, *nll;
	int64_t infinite;

	encode(g, t, b);
	tape_rewind(t);
	in = tape_leaf(t, NULL, 2, d, g->memory, NULL);
	in->rows = &b->src.layout;
	nll = model_cross_entropy(g->m, t, b, model_decode(g->m, t, b, in));
	return loss_of_rows(nll, 0, b->tgt.layout.rows, &infinite);
}
