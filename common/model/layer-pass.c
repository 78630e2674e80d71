/* layer-pass: see layer-pass.h. */
#include "model/layer-pass.h"

#include <stdlib.h>
#include <string.h>

#include "attention/attention-heads.h"
#include "base/mem.h"
#include "base/pool.h"
#include "model/layer.h"

void
layer_pass_init(struct layer_pass *p, struct model *m)
{
	const int encoder = (int)m->config.enc_layers;

	*p = (struct layer_pass){ .m = m, .encoder = encoder,
				  .places = encoder + 2 * (int)m->config.dec_layers };
	p->kept = xcalloc((size_t)p->places + 1, sizeof(*p->kept));
	arena_init(&p->arena, 0);
}

void
layer_pass_release(struct layer_pass *p)
{
	if (!p->m)
		return;
	free(p->kept);
	arena_release(&p->arena);
	*p = (struct layer_pass){ .m = NULL };
}

int
layer_pass_place(const struct model *m, size_t site)
{
	const int i = (int)site, encoder = (int)m->config.enc_layers;
	const int cross = encoder + (int)m->config.dec_layers;

	return i < encoder ? i : i < cross ? 2 * i - encoder : 2 * (i - cross) + encoder + 1;
}

struct layer_change
layer_pass_change(const struct model *m, const real *a, const real *b)
{
	struct layer_change c = { (int)m->n_sites, (int)m->n_sites };

	for (size_t i = 0; i < m->n_sites; i++) {
		const size_t at = heads_before(m->sites, i);
		const int place = layer_pass_place(m, i);

		for (int h = 0; h < m->sites[i].heads; h++) {
			if (a[at + (size_t)h] == b[at + (size_t)h])
				continue;
			if (place < c.first)
				c.first = place;
			if (m->sites[i].where != ENCODER_SELF && place < c.decoder)
				c.decoder = place;
		}
	}
	return c;
}

void
layer_pass_next(struct layer_pass *p)
{
	p->whole = false;
}

/* --- rows --- */

static real *
rows_for(struct layer_pass *p, const struct layout *l, int width)
{
	return ARENA_ARRAY(&p->arena, real, (size_t)l->rows * (size_t)width);
}

static void
layer_pass_make_room(struct layer_pass *p, const struct batch *b)
{
	const struct model *m = p->m;
	const struct layout *src = &b->src.layout, *tgt = &b->tgt.layout;
	const int width = (int)m->config.width;

	arena_rewind(&p->arena);
	for (size_t i = 0; i < m->n_sites; i++) {
		const struct site *s = &m->sites[i];
		const struct layout *rows = s->where == ENCODER_SELF ? src : tgt;
		struct kept_site *k = &p->kept[layer_pass_place(m, i)];

		if (!rows->n)		/* a batch without targets */
			continue;
		k->x = rows_for(p, rows, width);
		k->heads = rows_for(p, rows, s->heads * s->head_dim);
		if (s->where == DECODER_CROSS)
			k->kv = rows_for(p, src, 2 * s->heads * s->head_dim);
	}
	p->kept[p->places].x = rows_for(p, tgt, width);
	p->room = rows_for(p, src->rows > tgt->rows ? src : tgt, width);
	p->memory = rows_for(p, src, width);
	p->other_memory = rows_for(p, src, width);
}

enum { COPIED_ROWS = 64 };		/* at a time, by one thread */

struct row_copy { const struct node *n; real *to; };

static void
copy_kept_rows(void *arg, int piece, int thread)
{
	const struct row_copy *c = arg;
	const ptrdiff_t width = c->n->d[1], end = (piece + 1) * COPIED_ROWS;

	(void)thread;
	for (ptrdiff_t r = piece * COPIED_ROWS; r < end && r < c->n->d[0]; r++)
		memcpy(c->to + r * width, c->n->x + r * c->n->ld, (size_t)width * sizeof(*c->to));
}

static real *
layer_pass_keep(struct tape *t, const struct node *n, real *copy)
{
	struct row_copy c = { n, copy };

	pool_run(tape_pass(t)->pool, (n->d[0] + COPIED_ROWS - 1) / COPIED_ROWS, copy_kept_rows, &c);
	return copy;
}

static struct node *
layer_pass_leaf(struct tape *t, const struct batch_side *side, real *x, int width)
{
	const int d[2] = { side->layout.rows, width };
	struct node *n = tape_leaf(t, NULL, 2, d, x, NULL);

	n->rows = &side->layout;
	return n;
}

/* --- layers --- */

struct run {
	struct layer_pass *p;
	const struct batch *b;
	int first;			/* the place whose head outputs are used again, or -1 */
	bool plain;			/* without attention variants */
	bool keep, same_memory;		/* same_memory: kept keys and values are used again */
	bool same_self;			/* the output of self-attention in the first decoder layer
					 * is used again */
	real *memory;
};

/* Keeps what attention computed at a site. */
static void
keep_site(const struct run *r, struct tape *t, const struct attention_layer *a,
	  const struct att_nodes *n)
{
	const struct model *m = r->p->m;
	struct kept_site *k = &r->p->kept[layer_pass_place(m, a->site)];

	layer_pass_keep(t, n->plain_context, k->heads);
	if (m->sites[a->site].where != DECODER_CROSS)
		return;
	layer_pass_keep(t, m->config.pre_norm ? n->x->in[0] : n->x, k->x);
	if (!r->same_memory)
		layer_pass_keep(t, n->k->in[0], k->kv);
}

static void
layer_pass_attend(struct model *m, struct tape *t, const struct attention_layer *a,
		  struct att_nodes *n, const void *arg)
{
	const struct run *r = arg;
	const bool encoder = m->sites[a->site].where == ENCODER_SELF;
	const int place = layer_pass_place(m, a->site);
	const struct kept_site *k = &r->p->kept[place];
	const int width = (int)m->config.width;
	struct layer_batch how = { .batch = r->b, .gates = r->p->gates };

	if (place == r->first) {
		n->gates = r->p->gates;
		n->context = layer_pass_leaf(t, encoder ? &r->b->src : &r->b->tgt, k->heads,
					     a->width);
		layer_heads(m, t, a->site, n);
		return;
	}
	if (!encoder)
		how.memory = layer_pass_leaf(t, &r->b->src, r->memory, width);
	if (k->kv && r->same_memory)
		how.projected = layer_pass_leaf(t, &r->b->src, k->kv, 2 * a->width);
	layer_attend_batch(m, t, a, n, &how);
	if (r->keep && r->plain)
		keep_site(r, t, a, n);
}

/* Each layer has the tape for itself, so that its memory stays in the cache. */
static real *
run_layer(struct run *r, struct tape *t, int place, real *input)
{
	struct layer_pass *p = r->p;
	struct model *m = p->m;
	const bool target = place >= p->encoder;
	const int layer = target ? (place - p->encoder) / 2 : place;
	const bool rest = target && (place - p->encoder) % 2;
	const int next = target ? place + 2 - rest : place + 1;
	struct node *x;

	tape_rewind(t);
	x = layer_pass_leaf(t, target ? &r->b->tgt : &r->b->src, input, (int)m->config.width);
	x = layer_run(m, t, x, (target ? m->layers->dec : m->layers->enc) + layer,
		      !target ? LAYER_ENCODER : rest ? LAYER_DECODER_REST : LAYER_DECODER,
		      layer_pass_attend, r);
	if (next != p->encoder)
		return layer_pass_keep(t, x, r->keep ? p->kept[next].x : p->room);
	r->memory = layer_pass_keep(t, stack_end(m, t, x, false),
				    r->keep ? p->memory : p->other_memory);
	return p->kept[next].x;
}

/* Runs all sites from a place on and before `end`, and returns the output of the last one. */
static real *
run_from(struct run *r, struct tape *t, int place, int end)
{
	const struct layer_pass *p = r->p;
	real *x = p->kept[place].x;

	while (place < end) {
		int in_decoder = place - p->encoder;

		if (!in_decoder && r->same_self) {
			x = p->kept[++place].x;
			in_decoder++;
		}
		x = run_layer(r, t, place, x);
		place += in_decoder < 0 || in_decoder % 2 ? 1 : 2;
	}
	return x;
}

static void
layer_pass_embed(struct layer_pass *p, struct tape *t, const struct batch *b)
{
	layer_pass_make_room(p, b);
	for (int target = 0; target <= (b->tgt.layout.n > 0); target++) {
		tape_rewind(t);
		layer_pass_keep(t, stack_embed(p->m, t, target ? &b->tgt : &b->src, target),
				p->kept[target ? p->encoder : 0].x);
	}
}

/* The first site of the layer of a place. */
static int
layer_start(const struct layer_pass *p, int place)
{
	return place < p->encoder ? place : place - (place - p->encoder) % 2;
}

/* Is the input of cross-attention in the first decoder layer kept, and the same in this pass? */
static bool
has_same_self(const struct layer_pass *p, struct layer_change change)
{
	return change.first < p->encoder && change.decoder > p->encoder && p->places > p->encoder &&
	       p->m->layers->dec[0].cross.width;
}

/* A pass from a place on, or the whole first one, to `end`; returns the last output. */
static real *
layer_pass_between(struct layer_pass *p, struct tape *t, const struct batch *b,
		   struct layer_change change, int end, bool kept)
{
	const bool plain = !attention_set_n(p->m->attention), again = plain && p->whole;
	const int first = p->whole ? change.first : 0;
	struct run r = { .p = p, .b = b, .first = again ? first : -1, .plain = plain,
			 .keep = kept || !p->whole, .same_self = again && has_same_self(p, change),
			 .same_memory = again && first >= p->encoder };

	if (!p->whole)
		layer_pass_embed(p, t, b);
	r.memory = p->memory;
	p->whole = true;
	return run_from(&r, t, plain ? first : layer_start(p, first), end);
}

struct node *
layer_pass_run(struct layer_pass *p, struct tape *t, const struct batch *b,
	       struct layer_change change, bool kept)
{
	real *end = layer_pass_between(p, t, b, change, p->places, kept);
	struct node *x;

	tape_rewind(t);
	x = layer_pass_leaf(t, &b->tgt, end, (int)p->m->config.width);
	return model_cross_entropy(p->m, t, b, stack_end(p->m, t, x, true));
}

struct node *
layer_pass_encode(struct layer_pass *p, struct tape *t, const struct batch *b,
		  struct layer_change change)
{
	layer_pass_between(p, t, b, change, p->encoder, true);
	tape_rewind(t);
	return layer_pass_leaf(t, &b->src, p->memory, (int)p->m->config.width);
}
