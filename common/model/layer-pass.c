/* layer-pass: see layer-pass.h. */
#include "model/layer-pass.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "model/layers.h"

void
layer_pass_init(struct layer_pass *p, struct model *m)
{
	const int encoder = (int)m->config.enc_layers;

	*p = (struct layer_pass){ .m = m, .encoder = encoder,
				  .layers = encoder + (int)m->config.dec_layers };
	p->input = xcalloc((size_t)p->layers + 1, sizeof(*p->input));
	arena_init(&p->arena, 0);
}

void
layer_pass_release(struct layer_pass *p)
{
	if (!p->m)
		return;
	free(p->input);
	arena_release(&p->arena);
	*p = (struct layer_pass){ .m = NULL };
}

int
layer_pass_of(const struct model *m, size_t site)
{
	const size_t cross = (size_t)(m->config.enc_layers + m->config.dec_layers);

	return (int)(site < cross ? site : site - (size_t)m->config.dec_layers);
}

void
layer_pass_next(struct layer_pass *p)
{
	p->whole = false;
}

static const struct batch_side *
side_of(const struct layer_pass *p, const struct batch *b, int layer)
{
	return layer < p->encoder ? &b->src : &b->tgt;
}

static void
make_room(struct layer_pass *p, const struct batch *b)
{
	const size_t width = (size_t)p->m->config.width;

	arena_rewind(&p->arena);
	for (int i = 0; i <= p->layers; i++)
		p->input[i] = ARENA_ARRAY(&p->arena, real,
					  (size_t)side_of(p, b, i)->layout.rows * width);
	p->memory = ARENA_ARRAY(&p->arena, real, (size_t)b->src.layout.rows * width);
}

static void
keep(const struct node *n, real *to)
{
	const ptrdiff_t width = n->d[1];

	for (ptrdiff_t r = 0; r < n->d[0]; r++)
		memcpy(to + r * width, n->x + r * n->ld, (size_t)width * sizeof(*to));
}

static struct node *
leaf(const struct layer_pass *p, struct tape *t, const struct batch_side *side, real *x)
{
	const int d[2] = { side->layout.rows, (int)p->m->config.width };
	struct node *n = tape_leaf(t, NULL, 2, d, x, NULL);

	n->rows = &side->layout;
	return n;
}

static void
embed(struct layer_pass *p, struct tape *t, const struct batch *b)
{
	make_room(p, b);
	for (int target = 0; target < 2; target++) {
		tape_rewind(t);
		keep(layers_embed(p->m, t, target ? &b->tgt : &b->src, target),
		     p->input[target ? p->encoder : 0]);
	}
}

/* Each layer has the tape for itself, so that its memory stays in the cache. */
static void
run_layer(struct layer_pass *p, struct tape *t, const struct batch *b, int layer)
{
	const bool target = layer >= p->encoder;
	struct node *x, *memory = NULL;

	tape_rewind(t);
	x = leaf(p, t, side_of(p, b, layer), p->input[layer]);
	if (target)
		memory = leaf(p, t, &b->src, p->memory);
	x = model_layer(p->m, t, b, target ? layer - p->encoder : layer, x, memory, NULL, NULL);
	if (layer == p->encoder - 1)
		keep(layers_end(p->m, t, x, false), p->memory);
	else
		keep(x, p->input[layer + 1]);
}

struct node *
layer_pass_run(struct layer_pass *p, struct tape *t, const struct batch *b, int first)
{
	struct node *x;

	if (!p->whole)
		embed(p, t, b);
	for (int i = p->whole ? first : 0; i < p->layers; i++)
		run_layer(p, t, b, i);
	p->whole = true;
	tape_rewind(t);
	x = leaf(p, t, &b->tgt, p->input[p->layers]);
	return model_cross_entropy(p->m, t, b, layers_end(p->m, t, x, true));
}
