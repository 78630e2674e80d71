/* linearize: see linearize.h. */
#include "trees/linearize.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/mem.h"

void
linear_release(struct linear *l)
{
	free(l->piece);
	free(l->parent);
	free(l->number);
	texts_release(&l->texts);
	*l = (struct linear){ .n = 0 };
}

void
linear_flat(struct tree *t, int n_words)
{
	tree_clear(t);
	tree_open(t, "S", 1);
	for (int i = 0; i < n_words; i++)
		tree_leaf(t, "", 0);
	tree_close(t);
}

static void
linear_add(struct linear *l, struct str piece, int parent)
{
	const size_t n = (size_t)l->n + 1;

	l->piece = mem_grow(l->piece, &l->piece_room, n, sizeof(*l->piece));
	l->parent = mem_grow(l->parent, &l->parent_room, n, sizeof(*l->parent));
	l->piece[l->n] = piece;
	l->parent[l->n++] = parent;
}

static struct str
linear_label(struct linear *l, const char *text, unsigned flags)
{
	const size_t n = strlen(text);
	struct buf b = { 0 };
	struct str s;

	/* The root may have no label, but an empty token is no vocabulary entry. */
	if (flags & LINEAR_BARE && !n)
		return (struct str){ "S", 1 };
	if (flags & LINEAR_BARE)
		return (struct str){ texts_add(&l->texts, text, n), n };
	buf_add_char(&b, '(');
	buf_add(&b, text, n);
	s = (struct str){ texts_add(&l->texts, b.data, b.n), b.n };
	buf_release(&b);
	return s;
}

static bool
linear_is_left_out(const struct tree *t, int node, unsigned flags)
{
	return flags & LINEAR_NO_TAGS && node > 0 && tree_is_tag(t, node);
}

/* Adds the subwords of the word that begins at subword k; returns the start of the next word. */
static int
linear_add_word(struct linear *l, const struct str *piece, const int32_t *word, int n, int k,
		int parent)
{
	const int32_t w = word[k];

	for (; k < n && word[k] == w; k++)
		linear_add(l, piece[k], parent);
	return k;
}

/* Closes all phrases that end with the node. */
static void
add_ends(struct linear *l, const struct tree *t, int node, unsigned flags)
{
	for (int i = node; i >= 0 && t->node[i].last == node; i = t->node[i].parent)
		if (!t->node[i].leaf && !linear_is_left_out(t, i, flags))
			linear_add(l, (struct str){ ")", 1 }, -1);
}

void
linear_set(struct linear *l, const struct tree *t, const struct str *piece, const int32_t *word,
	   int n, unsigned flags)
{
	const bool brackets = flags & LINEAR_BRACKETS;
	int k = 0;

	l->n = 0;
	texts_clear(&l->texts);
	l->number = mem_grow(l->number, &l->number_room, (size_t)t->n, sizeof(*l->number));
	for (int i = 0; i < t->n; i++) {
		const struct tree_node *p = &t->node[i];
		const int parent = brackets || p->parent < 0 ? -1 : l->number[p->parent];

		if (p->leaf) {
			k = linear_add_word(l, piece, word, n, k, parent);
		} else if (linear_is_left_out(t, i, flags)) {
			l->number[i] = parent;
		} else {
			l->number[i] = l->n;
			linear_add(l, linear_label(l, p->label, flags), parent);
		}
		if (brackets)
			add_ends(l, t, i, flags);
	}
}
