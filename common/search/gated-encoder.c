/* gated-encoder: see gated-encoder.h. */
#include "search/gated-encoder.h"

#include <stdlib.h>
#include <string.h>

#include "attention/attention-heads.h"
#include "base/mem.h"

void
gated_encoder_init(struct gated_encoder *g, struct model *m)
{
	*g = (struct gated_encoder){ .m = m };
	arena_init(&g->mem, 0);
}

void
gated_encoder_release(struct gated_encoder *g)
{
	for (int i = 0; i < g->parts; i++)
		layer_pass_release(&g->part[i].pass);
	free(g->part);
	arena_release(&g->mem);
}

void
gated_encoder_batch(struct gated_encoder *g, const struct batch *b)
{
	g->b = b;
	g->n = 0;
	arena_rewind(&g->mem);
}

void
gated_encoder_gates(struct gated_encoder *g, const real *gates)
{
	g->gates = gates;
	g->at = 0;
}

/* A part that was not encoded before; it has the memory of a part of an earlier batch. */
static void
add_part(struct gated_encoder *g, int from, int to)
{
	struct encoded_part *p;
	struct batch *b;

	g->part = mem_grow(g->part, &g->room, (size_t)g->n + 1, sizeof(*g->part));
	p = &g->part[g->n++];
	if (g->n > g->parts) {
		layer_pass_init(&p->pass, g->m);
		g->parts = g->n;
	}
	layer_pass_next(&p->pass);
	p->from = from;
	p->to = to;
	p->b = g->b;
	if (from || to < g->b->n) {
		b = ARENA_ARRAY(&g->mem, struct batch, 1);
		batch_part(b, g->b, from, to, &g->mem);
		p->b = b;
	}
}

struct node *
gated_encoder_next(struct gated_encoder *g, struct tape *t, int from, int to,
		   const struct batch **part)
{
	struct layer_change change = { 0, 0 };
	struct encoded_part *p;

	if (g->at == g->n)
		add_part(g, from, to);
	p = &g->part[g->at++];
	if (p->from != from || p->to != to)
		bug("gated_encoder_next: sentences %d to %d, expected %d to %d", from, to,
		    p->from, p->to);
	if (p->pass.whole)
		change = layer_pass_change(g->m, p->pass.gates, g->gates);
	p->pass.gates = g->gates;
	*part = p->b;
	return layer_pass_encode(&p->pass, t, p->b, change);
}

bool
gated_encoder_same(const struct model *m, const real *a, const real *b)
{
	return !memcmp(a, b, heads_before(m->sites, (size_t)m->config.enc_layers) * sizeof(*a));
}
