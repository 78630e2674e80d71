/* phrase-positions: see phrase-positions.h. */
#include "trees/phrase-positions.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "trees/piece-heads.h"

static bool
phrase_counts(const struct tree *t, int node, unsigned flags)
{
	const struct tree_node *p = &t->node[node];
	const struct tree_node *up = p->parent < 0 ? NULL : &t->node[p->parent];

	if (flags & PHRASE_NO_TAGS && tree_is_tag(t, node))
		return false;
	return !(flags & PHRASE_COLLAPSE && up && up->first == p->first && up->end == p->end);
}

/* Climbs to the span.  No node is visited from two words, because it has one word: O(nodes). */
static struct phrase_place
phrase_place_of(const struct tree *t, int leaf, const int *depth)
{
	const struct tree_node *node = t->node;
	const int tag = node[leaf].parent;
	int up = tag;

	while (node[up].end - node[up].first < 2 && node[up].parent >= 0)
		up = node[up].parent;
	return (struct phrase_place){ depth[tag], node[up].first, node[up].end };
}

void
phrase_places(const struct tree *t, unsigned flags, struct phrase_place *word)
{
	/* [nodes] layers down to each node */
	int *depth = xcalloc((size_t)t->n, sizeof(*depth));

	for (int i = 0; i < t->n; i++) {
		const struct tree_node *p = &t->node[i];

		if (p->leaf)
			*word++ = phrase_place_of(t, i, depth);
		else
			depth[i] = (p->parent < 0 ? 0 : depth[p->parent]) +
				   phrase_counts(t, i, flags);
	}
	free(depth);
}

void
phrase_pieces(const struct phrase_place *word, const int32_t *word_of, int n, bool deeper,
	      struct phrase_place *piece)
{
	for (int i = 0, end; i < n; i = end) {
		const struct phrase_place *w = &word[word_of[i]];
		struct phrase_place all;

		end = piece_last(word_of, n, word_of[i]) + 1;
		all = (struct phrase_place){ w->layer, piece_first(word_of, n, w->first),
					     piece_first(word_of, n, w->end) };
		if (deeper && end - i > 1)
			all = (struct phrase_place){ w->layer + 1, i, end };
		for (int k = i; k < end; k++)
			piece[k] = all;
	}
}

static bool
phrase_has(const struct phrase_place *p, int j)
{
	return p->first <= j && j < p->end;
}

static int8_t
phrase_difference(int row, int column, enum phrase_sign sign)
{
	int d = sign == PHRASE_ROW_COL ? row - column : column - row;

	if (sign == PHRASE_ABS && d < 0)
		d = -d;
	if (d > PHRASE_MAX)
		d = PHRASE_MAX;
	return (int8_t)(d < -PHRASE_MAX ? -PHRASE_MAX : d);
}

void
phrase_positions(const struct phrase_place *place, int n, enum phrase_sign sign,
		 enum phrase_symmetry symmetry, int8_t *position)
{
	for (int i = 0; i < n; i++) {
		const struct phrase_place *p = &place[i];
		const int others = symmetry == PHRASE_NONE ? 0 : symmetry == PHRASE_FULL ? n : i;
		int8_t *row = position + (size_t)i * (size_t)n;

		memset(row, PHRASE_OUTSIDE, (size_t)n);
		for (int j = p->first; j < p->end; j++)
			row[j] = phrase_difference(p->layer, place[j].layer, sign);
		for (int j = 0; j < others; j++)
			if (phrase_has(&place[j], i))
				row[j] = phrase_difference(p->layer, place[j].layer, sign);
	}
}
