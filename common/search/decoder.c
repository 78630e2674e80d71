/*
 * decoder: incremental decoding with cached keys and values; see decoder.h.
 *
 * A row has the keys and values of a position, in the order of the fused projections' output, as
 * k_cached_put() stores them.  It has the size of the widest layer.  A slot owns pages of PAGE
 * positions, each with the rows of all layers.  For every position of its hypothesis a slot has a
 * pointer to the row, which may be in a page of another slot: copying a hypothesis copies only
 * pointers.
 */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "model/layer.h"
#include "ops/kit/heads.h"
#include "search/decoder.h"
#include "tensor/cached.h"

enum { PAGE = 16 };

struct slot {
	char **page;			/* [n_pages] owned by the slot, each [layer][PAGE][row] */
	const char **row;		/* the row of each position in layer 0 */
	size_t n_pages, pages, rows;	/* pages, rows: allocated */
};

/* The keys and values of a source sentence: row[i] + l * layer is row i of layer l. */
struct source {
	const char **row;
	int len;
	ptrdiff_t layer;
};

struct decoder_cache {
	int n_layers, max_slots;
	bool bytes;			/* struct cached */
	size_t kept;			/* the site whose weights are kept; 0: none */
	ptrdiff_t row_size;		/* in bytes, as all offsets here */
	struct slot *slot;
	int n_sentences;
	struct source *source;		/* [n_sentences] */
	size_t room;
	struct arena pages, sources, moves;
};

static struct cached
form_of_site(const struct site *s, bool bytes)
{
	return (struct cached){ s->heads, s->head_dim, bytes };
}

/* The size of a row of the widest layer; not 0, even if all heads of the decoder are pruned. */
static ptrdiff_t
max_row_size(const struct model *m, bool bytes)
{
	size_t max = 1;

	for (int64_t l = 0; l < m->config.dec_layers; l++) {
		const struct layer *d = &m->layers->dec[l];
		const size_t self = k_cached_size(form_of_site(&m->sites[d->self.site], bytes));
		const size_t cross = k_cached_size(form_of_site(&m->sites[d->cross.site], bytes));

		max = self > max ? self : max;
		max = cross > max ? cross : max;
	}
	return (ptrdiff_t)max;
}

struct decoder_cache *
decoder_cache_new(const struct model *m, int max_slots, bool bytes)
{
	struct decoder_cache *c = xcalloc(1, sizeof(*c));

	c->n_layers = (int)m->config.dec_layers;
	c->bytes = bytes;
	c->row_size = max_row_size(m, bytes);
	c->max_slots = max_slots;
	c->slot = xcalloc((size_t)max_slots, sizeof(*c->slot));
	arena_init(&c->pages, 0);
	arena_init(&c->sources, 0);
	arena_init(&c->moves, 0);
	return c;
}

void
decoder_cache_keep_weights(struct decoder_cache *c, size_t site)
{
	c->kept = site;
}

void
decoder_cache_free(struct decoder_cache *c)
{
	if (!c)
		return;
	for (int i = 0; i < c->max_slots; i++) {
		free(c->slot[i].page);
		free(c->slot[i].row);
	}
	free(c->slot);
	free(c->source);
	arena_release(&c->pages);
	arena_release(&c->sources);
	arena_release(&c->moves);
	free(c);
}

void
decoder_cache_clear(struct decoder_cache *c)
{
	c->n_sentences = 0;
	arena_rewind(&c->sources);
}

static void
decoder_put_rows(const struct decoder_cache *c, struct cached form, const struct node *kv,
		 char *out)
{
	for (int r = 0; r < kv->d[0]; r++)
		k_cached_put(form, kv->x + (ptrdiff_t)r * kv->ld, out + r * c->row_size);
}

void
decoder_cache_add(struct decoder_cache *c, struct model *m, struct tape *t, const struct batch *b,
		  struct node *memory)
{
	const struct layout *rows = &b->src.layout;
	const ptrdiff_t layer = rows->rows * c->row_size;
	const char **row = ARENA_ARRAY(&c->sources, const char *, rows->rows);
	char *x = ARENA_ARRAY(&c->sources, char, c->n_layers * layer);

	for (int l = 0; l < c->n_layers; l++) {
		const struct attention_layer *a = &m->layers->dec[l].cross;

		if (a->width)
			decoder_put_rows(c, form_of_site(&m->sites[a->site], c->bytes),
					 layer_dense(t, memory, &a->kv), x + l * layer);
	}
	for (int r = 0; r < rows->rows; r++)
		row[r] = x + r * c->row_size;
	c->source = mem_grow(c->source, &c->room, (size_t)(c->n_sentences + rows->n),
			     sizeof(*c->source));
	for (int i = 0; i < rows->n; i++)
		c->source[c->n_sentences++] = (struct source){ row + rows->start[i], rows->len[i],
							       layer };
}

/* The row of a position in the slot's own pages, in layer 0. */
static char *
own_row(const struct decoder_cache *c, const struct slot *s, int pos)
{
	return s->page[pos / PAGE] + pos % PAGE * c->row_size;
}

/* Extends the slot's hypothesis to position pos, with a row of its own. */
static void
decoder_extend(struct decoder_cache *c, struct slot *s, int pos)
{
	while (s->n_pages <= (size_t)pos / PAGE) {
		s->page = mem_grow(s->page, &s->pages, s->n_pages + 1, sizeof(*s->page));
		s->page[s->n_pages++] = ARENA_ARRAY(&c->pages, char,
						    c->n_layers * PAGE * c->row_size);
	}
	s->row = mem_grow(s->row, &s->rows, (size_t)pos + 1, sizeof(*s->row));
	s->row[pos] = own_row(c, s, pos);
}

/* What the nodes of a step refer to; in the tape's arena. */
struct step {
	struct decoder_cache *c;
	int n;
	struct batch_side in;		/* one row per hypothesis */
	const int *slot, *sentence;
	const real *const *gates;
};

static struct step *
decoder_plan(struct decoder_cache *c, struct arena *mem, int n, const int *slot,
	     const int *sentence, const int *pos, const int *id, const real *const *gates)
{
	struct step *s = arena_zero(mem, sizeof(*s));
	int *start = ARENA_ARRAY(mem, int, n), *len = ARENA_ARRAY(mem, int, n);

	for (int i = 0; i < n; i++) {
		if (slot[i] < 0 || slot[i] >= c->max_slots || pos[i] < 0 || sentence[i] < 0 ||
		    sentence[i] >= c->n_sentences)
			bug("decoder_step: slot %d, position %d, sentence %d", slot[i], pos[i],
			    sentence[i]);
		decoder_extend(c, &c->slot[slot[i]], pos[i]);
		start[i] = i;
		len[i] = 1;
	}
	s->c = c;
	s->n = n;
	s->in.layout = (struct layout){ .n = n, .rows = n, .start = start, .len = len };
	s->in.id = arena_copy(mem, id, (size_t)n * sizeof(*id));
	s->in.pos = arena_copy(mem, pos, (size_t)n * sizeof(*pos));
	s->slot = arena_copy(mem, slot, (size_t)n * sizeof(*slot));
	s->sentence = arena_copy(mem, sentence, (size_t)n * sizeof(*sentence));
	s->gates = gates;
	return s;
}

/* Keys and values of hypothesis i in a layer: row[0..n), each at offset `layer`. */
struct keys { const char *const *row; int n; ptrdiff_t layer; };

static struct keys
decoder_keys_of(const struct step *s, int i, bool self, int l)
{
	const struct decoder_cache *c = s->c;
	const struct source *source = &c->source[s->sentence[i]];

	if (self)
		return (struct keys){ c->slot[s->slot[i]].row, s->in.pos[i] + 1,
				      l * PAGE * c->row_size };
	return (struct keys){ source->row, source->len, l * source->layer };
}

static int
max_keys(const struct step *s, bool self, int l)
{
	int max = 0;

	for (int i = 0; i < s->n; i++) {
		const int n = decoder_keys_of(s, i, self, l).n;

		max = n > max ? n : max;
	}
	return max;
}

/* The arguments of attend_one(). */
struct plain {
	const struct step *s;
	const struct node *q;
	const struct site *site;
	real *out;
	int layer;
	bool self;
};

static void
attend_one(void *arg, int i, real *room)
{
	const struct plain *p = arg;
	const struct keys k = decoder_keys_of(p->s, i, p->self, p->layer);
	const int width = p->q->d[1];
	struct query q = {
		.form = form_of_site(p->site, p->s->c->bytes), .n = k.n,
		.q = p->q->x + (ptrdiff_t)i * p->q->ld, .row = k.row, .at = k.layer,
		.scale = (real)(1 / p->site->divisor),
		.out = p->out + (ptrdiff_t)i * width,
	};

	if (i + 1 < p->s->n) {
		const struct keys next = decoder_keys_of(p->s, i + 1, p->self, p->layer);

		q.next = next.row;
		q.n_next = next.n;
	}
	k_query(&q, room);
}

/*
 * The context vectors of a site whose scores and weights no variant needs.  Keys and values are
 * read from the cache without copies.
 */
static struct node *
attend_plain(struct tape *t, const struct step *s, const struct site *site, const struct node *q,
	     bool self, int l)
{
	struct pass *pass = tape_pass(t);
	struct arena_mark mark = arena_mark(pass->scratch);
	const int d[2] = { s->n, q->d[1] };
	struct plain p = { .s = s, .q = q, .site = site, .layer = l, .self = self,
			   .out = ARENA_ARRAY(tape_arena(t), real, (ptrdiff_t)d[0] * d[1]) };
	struct node *context = tape_leaf(t, NULL, 2, d, p.out, NULL);

	heads_run(pass, s->n, k_query_room(max_keys(s, self, l)), attend_one, &p);
	arena_rewind_to(pass->scratch, mark);
	context->rows = &s->in.layout;
	return context;
}

/* Copies the keys and values of all hypotheses into one tensor, for variants that need them. */
static void
gather_keys(struct tape *t, const struct step *s, const struct site *site, struct att_nodes *n,
	    struct layout *rows, bool self, int l)
{
	const struct cached form = form_of_site(site, s->c->bytes);
	struct arena *mem = tape_arena(t);
	const int width = n->q->d[1];
	const ptrdiff_t size = 2 * (ptrdiff_t)width;
	int *start = ARENA_ARRAY(mem, int, s->n), *len = ARENA_ARRAY(mem, int, s->n);
	struct node *kv;
	int total = 0;
	real *x;

	for (int i = 0; i < s->n; i++) {
		start[i] = total;
		total += len[i] = decoder_keys_of(s, i, self, l).n;
	}
	x = ARENA_ARRAY(mem, real, total * size);
	for (int i = 0; i < s->n; i++) {
		const struct keys k = decoder_keys_of(s, i, self, l);

		for (int j = 0; j < k.n; j++)
			k_cached_get(form, k.row[j] + k.layer, x + (start[i] + j) * size);
	}
	*rows = (struct layout){ .n = s->n, .rows = total, .start = start, .len = len };
	kv = tape_leaf(t, NULL, 2, (const int[]){ total, (int)size }, x, NULL);
	kv->rows = rows;
	n->k = op_columns(t, kv, 0, width);
	n->v = op_columns(t, kv, width, width);
}

/* Projects the queries; in self-attention also the keys and values, which go into the cache. */
static void
decoder_project(struct tape *t, const struct step *s, const struct attention_layer *a,
		const struct site *site, int l, struct att_nodes *n)
{
	const struct decoder_cache *c = s->c;
	const struct cached form = form_of_site(site, c->bytes);
	struct node *qkv;

	if (site->where != DECODER_SELF) {
		n->q = layer_dense(t, n->x, &a->q);
		return;
	}
	n->memory = n->x;
	qkv = layer_dense(t, n->x, &a->qkv);
	for (int i = 0; i < s->n; i++)
		k_cached_put(form, qkv->x + (ptrdiff_t)i * qkv->ld + a->width,
			     own_row(c, &c->slot[s->slot[i]], s->in.pos[i]) +
			     l * PAGE * c->row_size);
	n->q = op_columns(t, qkv, 0, a->width);
}

/* Attention of one position of each hypothesis; see stack_run(). */
static void
attend_step(struct model *m, struct tape *t, const struct attention_layer *a, struct att_nodes *n,
	    const void *arg)
{
	const struct step *s = arg;
	const struct site *site = &m->sites[a->site];
	const bool self = site->where == DECODER_SELF;
	const int l = site->layer - 1;
	struct att_rows look = { .site = a->site, .queries = &s->in.layout, .causal = self };
	struct layout *rows;

	decoder_project(t, s, a, site, l, n);
	n->first = s->n ? s->in.pos[0] : 0;
	n->sentence = s->sentence;
	n->gates = s->gates;
	if (attention_set_fused(m->attention, a->site) && (self || a->site != s->c->kept)) {
		attention_set_queries(m->attention, a->site, t, n);
		n->context = attend_plain(t, s, site, n->q, self, l);
		layer_heads(m, t, a->site, n);
		return;
	}
	rows = ARENA_ARRAY(tape_arena(t), struct layout, 1);
	gather_keys(t, s, site, n, rows, self, l);
	look.keys = rows;
	layer_attend(m, t, &look, n);
}

struct node *
decoder_step(struct decoder_cache *c, struct model *m, struct tape *t, int n, const int *slot,
	     const int *sentence, const int *pos, const int *id, const real *const *gates)
{
	const struct step *s = decoder_plan(c, tape_arena(t), n, slot, sentence, pos, id, gates);

	return stack_run(m, t, &s->in, true, attend_step, s);
}

void
decoder_cache_move(struct decoder_cache *c, int n, const int *from, const int *to, const int *len)
{
	const char ***row = ARENA_ARRAY(&c->moves, const char **, n);

	for (int i = 0; i < n; i++)
		row[i] = arena_copy(&c->moves, c->slot[from[i]].row,
				    (size_t)len[i] * sizeof(**row));
	for (int i = 0; i < n; i++) {
		struct slot *s = &c->slot[to[i]];

		s->row = mem_grow(s->row, &s->rows, (size_t)len[i], sizeof(*s->row));
		memcpy(s->row, row[i], (size_t)len[i] * sizeof(*s->row));
	}
	arena_rewind(&c->moves);
}
