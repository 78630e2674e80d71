/*
 * decoder-parts: the structures of the cache of decoder.h, for decoder-cache.c and decoder.c.
 *
 * A row has the keys and values of one position in one layer, as k_cached_put() (tensor/cached.h)
 * stores them.  All rows have the size that the widest layer needs.  A slot has the state of one
 * hypothesis.  The slot owns pages, each with the rows of all layers for PAGE positions.  For each
 * position of its hypothesis it has a pointer to the row, which may be in a page of another slot,
 * so that copying a hypothesis copies only pointers.
 *
 * After decoder_cache_share(), hypotheses of a sentence with the same tokens so far and the same
 * gates in the first layers share the rows of these layers, which one of the hypotheses computes.
 * The rows of a position in different layers may then be in pages of different slots.  The slot
 * therefore has a track, a list of pointers, for each layer, and otherwise only one track.
 */
#ifndef DECODER_PARTS_H
#define DECODER_PARTS_H

#include "search/decoder.h"
#include "tensor/cached.h"

enum { PAGE = 16 };			/* positions */

/*
 * row[i] points to the row of position i in layer 0.  The rows of other layers are at fixed offsets
 * from there.
 */
struct track { const char **row; size_t room; };

struct slot {
	char **page;			/* [n_pages] owned by the slot; each page has rows
					 * [n_layers][PAGE] */
	size_t n_pages, pages;		/* pages: size of the array `page` */
	struct track *track;		/* [n_layers + 1], of which `tracks` of the cache are
					 * used */
};

/*
 * The keys and values of a source sentence of `len` positions for cross-attention: row[i] + l *
 * layer is the row of position i in layer l.
 */
struct source {
	const char **row;
	int len;
	ptrdiff_t layer;
};

struct decoder_cache {
	int n_layers, max_slots;
	int tracks;			/* tracks of each slot: n_layers if rows are shared, else
					 * 1 */
	bool bytes;			/* keys and values are stored as bytes (struct cached) */
	struct { size_t at, n; } *gates[2];	/* [n_layers] for self- and cross-attention: index
						 * of the first gate of the layer, and number of its
						 * gates */
	size_t kept;			/* the site of decoder_cache_keep_weights(); 0: none */
	ptrdiff_t row_size;		/* in bytes, like all offsets in this file */
	struct slot *slot;
	int n_sentences;
	struct source *source;		/* [n_sentences] as added by decoder_cache_add() */
	size_t room;
	struct arena pages, sources, moves;
};

/* The form in which the keys and values of a site are stored. */
struct cached decoder_form(const struct site *s, bool bytes);
/* The row of a position in layer 0, in the pages that the slot owns. */
char *decoder_own_row(const struct decoder_cache *c, const struct slot *s, int pos);
/*
 * Adds position `pos` to the hypothesis of a slot, with a row in the slot's own pages in all
 * layers.
 */
void decoder_extend(struct decoder_cache *c, struct slot *s, int pos);

#endif
