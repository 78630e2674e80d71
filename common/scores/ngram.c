/* ngram: see ngram.h. */
#include "scores/ngram.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/utf8.h"
#include "text/unicode.h"

#define FIRST_EDGES 1024

void
ngrams_init(struct ngrams *g)
{
	memset(g, 0, sizeof(*g));
	g->edges = FIRST_EDGES;
	g->edge = xcalloc(g->edges, sizeof(*g->edge));
	ngrams_clear(g);
}

void
ngrams_release(struct ngrams *g)
{
	free(g->edge);
	free(g->node);
	memset(g, 0, sizeof(*g));
}

void
ngrams_clear(struct ngrams *g)
{
	if (!++g->round) {	/* overflow: old edges would become valid again */
		memset(g->edge, 0, g->edges * sizeof(*g->edge));
		g->round = 1;
	}
	g->node = mem_grow(g->node, &g->room, 1, sizeof(*g->node));
	memset(g->node, 0, sizeof(*g->node));
	g->n = 1;
}

static uint64_t
edge_key(uint32_t node, int32_t id)
{
	return (uint64_t)node << 32 | (uint32_t)id;
}

/* The slot of the edge, or the free slot where it belongs. */
static struct ngram_edge *
edge_slot(const struct ngrams *g, uint64_t key)
{
	uint64_t h = key;
	size_t i;

	h = (h ^ h >> 32) * 0x9e3779b97f4a7c15u;
	h = (h ^ h >> 29) * 0xbf58476d1ce4e5b9u;
	for (i = (h ^ h >> 32) & (g->edges - 1); ; i = (i + 1) & (g->edges - 1))
		if (g->edge[i].round != g->round || g->edge[i].key == key)
			return &g->edge[i];
}

static void
grow_edges(struct ngrams *g)
{
	struct ngram_edge *old = g->edge;
	const size_t n = g->edges;

	g->edges = 2 * n;
	g->edge = xcalloc(g->edges, sizeof(*g->edge));
	for (size_t i = 0; i < n; i++)
		if (old[i].round == g->round)
			*edge_slot(g, old[i].key) = old[i];
	free(old);
}

/* The node at the end of an edge, which is created if it does not exist. */
static uint32_t
ngrams_step(struct ngrams *g, uint32_t node, int32_t id)
{
	const uint64_t key = edge_key(node, id);
	struct ngram_edge *e = edge_slot(g, key);

	if (e->round == g->round)
		return e->node;
	if (2 * g->n >= g->edges) {
		grow_edges(g);
		e = edge_slot(g, key);
	}
	g->node = mem_grow(g->node, &g->room, g->n + 1, sizeof(*g->node));
	g->node[g->n] = (struct ngram_node) { .text = g->text };
	*e = (struct ngram_edge) { .key = key, .round = g->round, .node = (uint32_t)g->n++ };
	return e->node;
}

/* Counts an occurrence in the current text; returns the number of earlier ones. */
static int32_t
ngrams_count(struct ngrams *g, uint32_t node)
{
	struct ngram_node *p = &g->node[node];

	if (p->text != g->text) {
		p->text = g->text;
		p->now = 0;
	}
	return p->now++;
}

void
ngrams_add(struct ngrams *g, const int32_t *id, size_t n, int order)
{
	g->text++;
	for (size_t i = 0; i < n; i++) {
		uint32_t node = 0;

		for (size_t k = i; k < n && k < i + (size_t)order; k++) {
			node = ngrams_step(g, node, id[k]);
			if (ngrams_count(g, node) >= g->node[node].max)
				g->node[node].max++;
		}
	}
}

void
ngrams_match(struct ngrams *g, const int32_t *id, size_t n, int order, int32_t *match)
{
	memset(match, 0, (size_t)order * sizeof(*match));
	g->text++;
	for (size_t i = 0; i < n; i++) {
		uint32_t node = 0;

		for (size_t k = i; k < n && k < i + (size_t)order && id[k] >= 0; k++) {
			const struct ngram_edge *e = edge_slot(g, edge_key(node, id[k]));

			if (e->round != g->round)
				break;
			node = e->node;
			if (ngrams_count(g, node) < g->node[node].max)
				match[k - i]++;
		}
	}
}

size_t
ngrams_total(size_t n, int order)
{
	return n < (size_t)order ? 0 : n - (size_t)order + 1;
}

/* --- words --- */

/* A map grown by a very long line is freed: clearing it would slow down all other lines. */
#define MAX_SLOTS 65536

void
word_ids_release(struct word_ids *w)
{
	strmap_release(&w->map);
	free(w->id);
}

void
word_ids_clear(struct word_ids *w)
{
	if (w->map.slots > MAX_SLOTS)
		strmap_release(&w->map);
	strmap_clear(&w->map);
}

/* The length of the whitespace character at s, or 0. */
static size_t
space_length(const char *s, size_t n, bool unicode)
{
	const unsigned char c = (unsigned char)*s;
	size_t len;

	if (c > ' ' && c < 0x80)
		return 0;
	if (c == ' ' || (c >= '\t' && c <= '\r'))
		return 1;
	if (!unicode)
		return 0;
	if (c >= 0x80 && c != 0xc2 && (c < 0xe1 || c > 0xe3))	/* not whitespace */
		return 0;
	return unicode_python_space(utf8_next(s, n, &len)) ? len : 0;
}

static int32_t
word_id(struct strmap *map, const char *s, size_t n, bool reference)
{
	return reference ? strmap_add(map, s, n) : strmap_find(map, s, n);
}

void
word_ids_read(struct word_ids *w, const char *s, size_t n, bool reference, bool unicode)
{
	size_t i = 0;

	w->n = 0;
	w->id = mem_grow(w->id, &w->room, n / 2 + 1, sizeof(*w->id));
	while (i < n) {
		size_t start = i, blank = 0;

		while (i < n && !(blank = space_length(s + i, n - i, unicode)))
			i++;
		if (i > start)
			w->id[w->n++] = word_id(&w->map, s + start, i - start, reference);
		i += blank;
	}
}
