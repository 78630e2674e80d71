/* decoder-cache: keys and values of hypotheses and sources; see decoder.h and decoder-parts.h. */
#include <stdlib.h>
#include <string.h>

#include "attention/attention-heads.h"
#include "base/mem.h"
#include "model/layer.h"
#include "search/decoder-parts.h"
#include "tensor/backend/backend.h"

enum { MAX_SLOTS = 320, POSITIONS = 32, CACHE_BYTES = 256 << 20 };	/* decoder_cache_slots() */

struct cached
decoder_form(const struct site *s, bool bytes)
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
		const size_t self = k_cached_size(decoder_form(&m->sites[d->self.site], bytes));
		const size_t cross = k_cached_size(decoder_form(&m->sites[d->cross.site], bytes));

		max = self > max ? self : max;
		max = cross > max ? cross : max;
	}
	return (ptrdiff_t)max;
}

int
decoder_cache_slots(const struct model *m, const struct pass *p)
{
	const ptrdiff_t row = max_row_size(m, p->backend->caps & BACKEND_INT8);
	const size_t slot = POSITIONS * (size_t)(m->config.dec_layers * row);

	if (slot <= CACHE_BYTES / MAX_SLOTS)
		return MAX_SLOTS;
	return slot < CACHE_BYTES ? (int)(CACHE_BYTES / slot) : 1;
}

static void
find_gates(struct decoder_cache *c, const struct model *m)
{
	for (int k = 0; k < 2; k++) {
		c->gates[k] = xcalloc((size_t)c->n_layers + 1, sizeof(*c->gates[k]));
		for (int l = 0; l < c->n_layers; l++) {
			const struct layer *d = &m->layers->dec[l];
			const size_t site = k ? d->cross.site : d->self.site;

			c->gates[k][l].at = heads_before(m->sites, site);
			c->gates[k][l].n = (size_t)m->sites[site].heads;
		}
	}
}

struct decoder_cache *
decoder_cache_new(const struct model *m, int max_slots, bool bytes)
{
	struct decoder_cache *c = xcalloc(1, sizeof(*c));

	c->n_layers = (int)m->config.dec_layers;
	c->bytes = bytes;
	c->row_size = max_row_size(m, bytes);
	c->max_slots = max_slots;
	find_gates(c, m);
	c->tracks = 1;
	c->slot = xcalloc((size_t)max_slots, sizeof(*c->slot));
	for (int i = 0; i < max_slots; i++)
		c->slot[i].track = xcalloc((size_t)c->n_layers + 1, sizeof(*c->slot->track));
	arena_init(&c->pages, 0);
	arena_init(&c->sources, 0);
	arena_init(&c->moves, 0);
	return c;
}

void
decoder_cache_share(struct decoder_cache *c, bool share)
{
	c->tracks = share ? c->n_layers : 1;
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
		for (int k = 0; k <= c->n_layers; k++)
			free(c->slot[i].track[k].row);
		free(c->slot[i].track);
	}
	free(c->slot);
	free(c->gates[0]);
	free(c->gates[1]);
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
			decoder_put_rows(c, decoder_form(&m->sites[a->site], c->bytes),
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

char *
decoder_own_row(const struct decoder_cache *c, const struct slot *s, int pos)
{
	return s->page[pos / PAGE] + pos % PAGE * c->row_size;
}

void
decoder_extend(struct decoder_cache *c, struct slot *s, int pos)
{
	while (s->n_pages <= (size_t)pos / PAGE) {
		s->page = mem_grow(s->page, &s->pages, s->n_pages + 1, sizeof(*s->page));
		s->page[s->n_pages++] = ARENA_ARRAY(&c->pages, char,
						    c->n_layers * PAGE * c->row_size);
	}
	for (int k = 0; k < c->tracks; k++) {
		struct track *a = &s->track[k];

		a->row = mem_grow(a->row, &a->room, (size_t)pos + 1, sizeof(*a->row));
		a->row[pos] = decoder_own_row(c, s, pos);
	}
}

void
decoder_cache_move(struct decoder_cache *c, int n, const int *from, const int *to, const int *len)
{
	const char ***row = ARENA_ARRAY(&c->moves, const char **, n);

	for (int k = 0; k < c->tracks; k++) {
		for (int i = 0; i < n; i++)
			row[i] = arena_copy(&c->moves, c->slot[from[i]].track[k].row,
					    (size_t)len[i] * sizeof(**row));
		for (int i = 0; i < n; i++) {
			struct track *a = &c->slot[to[i]].track[k];

			a->row = mem_grow(a->row, &a->room, (size_t)len[i], sizeof(*a->row));
			memcpy(a->row, row[i], (size_t)len[i] * sizeof(*a->row));
		}
	}
	arena_rewind(&c->moves);
}
