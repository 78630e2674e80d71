/*
 * decoder-parts: the cache of decoder.h, for decoder-cache.c and decoder.c.
 *
 * A row has the keys and values of a position, in the order of the fused projections' output, as
 * k_cached_put() stores them.  It has the size of the widest layer.  A slot owns pages of PAGE
 * positions, each with the rows of all layers.  For every position of its hypothesis a slot has a
 * pointer to the row, which may be in a page of another slot: copying a hypothesis copies only
 * pointers.
 *
 * Hypotheses of a sentence with the same tokens so far and the same gates in the first layers have
 * the same rows in these layers, and one of them computes them for all.  Then the rows of a
 * position may be in pages of different slots, and a slot has pointers for each layer, its tracks.
 */
#ifndef DECODER_PARTS_H
#define DECODER_PARTS_H

#include "search/decoder.h"
#include "tensor/cached.h"

enum { PAGE = 16 };

/*
 * Pointers to the row of each position in layer 0; the rows of other layers are at fixed offsets
 * from it.
 */
struct track { const char **row; size_t room; };

struct slot {
	char **page;			/* [n_pages] owned by the slot, each [layer][PAGE][row] */
	size_t n_pages, pages;		/* pages: allocated */
	struct track *track;		/* [n_layers] of which c->tracks are used */
};

/* The keys and values of a source sentence: row[i] + l * layer is row i of layer l. */
struct source {
	const char **row;
	int len;
	ptrdiff_t layer;
};

struct decoder_cache {
	int n_layers, max_slots;
	int tracks;			/* 1, or n_layers to share rows */
	bool bytes;			/* struct cached */
	struct { size_t at, n; } *gates[2];	/* [n_layers] of self- and cross-attention: the
						 * first gate of the layer, and their number */
	size_t kept;			/* the site of cross-attention whose weights are kept; 0:
					 * none */
	ptrdiff_t row_size;		/* in bytes, as all offsets here */
	struct slot *slot;
	int n_sentences;
	struct source *source;		/* [n_sentences] */
	size_t room;
	struct arena pages, sources, moves;
};

/* How the keys and values of a site are stored. */
struct cached decoder_form(const struct site *s, bool bytes);
/* The row of a position in the slot's own pages, in layer 0. */
char *decoder_own_row(const struct decoder_cache *c, const struct slot *s, int pos);
/* Extends the slot's hypothesis to position pos, with a row of its own in all layers. */
void decoder_extend(struct decoder_cache *c, struct slot *s, int pos);

#endif
