/* dep-phrases: see dep-phrases.h. */
#include "text/dep-phrases.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/mem.h"

enum { NONE = -1 };

/* All numbers of words are from 0. */
struct word {
	int child, sibling;	/* the first dependent; the next one of the same head */
	int in, out;		/* numbers in preorder of the word and what it governs: [in, out) */
	int nth;		/* the word whose number is this one's place */
	int first, last;	/* of its phrase */
	int ends;		/* phrases of more than one word that end here */
	int top;		/* whose phrase is the longest found so far to begin or end here */
	int longest, next;	/* whose is the longest to begin here; to begin there, the next one */
};

static int
link_dependents(struct word *w, const struct dep_sentence *s)
{
	int root = NONE;

	for (int i = 0; i < s->n; i++)
		w[i].child = w[i].top = w[i].longest = NONE;
	for (int i = s->n - 1; i >= 0; i--) {
		int *to = s->word[i].head ? &w[s->word[i].head - 1].child : &root;

		w[i].sibling = *to;
		*to = i;
	}
	return root;
}

/* Down to the first dependent while there is one, then the next one of the nearest ancestor. */
static void
number(struct word *w, const struct dep_sentence *s, int root)
{
	int i = root, n = 0;

	while (i != NONE) {
		w[n].nth = i;
		w[i].in = n++;
		if (w[i].child != NONE) {
			i = w[i].child;
			continue;
		}
		for (w[i].out = n; w[i].sibling == NONE && i != root; w[i].out = n)
			i = s->word[i].head - 1;
		i = w[i].sibling;
	}
}

static bool
governs(const struct word *w, int a, int b)
{
	return b != NONE && w[a].in <= w[b].in && w[b].in < w[a].out;
}

/*
 * Words come after what they govern, so each neighbour that the word governs is the end of a phrase
 * that has been found, of a word it governs too: phrase after phrase is joined on either side.
 */
static void
find_phrases(struct word *w, int n)
{
	for (int k = n - 1; k >= 0; k--) {
		const int i = w[k].nth;
		int first = i, last = i;

		while (first > 0 && governs(w, i, w[first - 1].top))
			first = w[w[first - 1].top].first;
		while (last < n - 1 && governs(w, i, w[last + 1].top))
			last = w[w[last + 1].top].last;
		w[i].first = first;
		w[i].last = last;
		w[first].top = w[last].top = i;
		w[last].ends += first < last;
		w[i].next = w[first].longest;
		w[first].longest = i;
	}
}

/* What brackets can hold: no blanks. */
static void
clean(const char *s, struct buf *out)
{
	buf_clear(out);
	buf_add_str(out, s);
	for (char *p = out->data; (p = strpbrk(p, " \t\r\n")); )
		*p = '_';
}

static void
clean_tag(const char *tag, struct buf *out)
{
	clean(*tag && strcmp(tag, "_") ? tag : "X", out);
}

/* Phrases that begin with a word come longest first, the last one perhaps of that word alone. */
static void
build(const struct word *w, const struct dep_sentence *s, struct tree *t)
{
	struct buf text = { 0 };

	for (int i = 0; i < s->n; i++) {
		for (int k = w[i].longest; k != NONE && w[k].last > i; k = w[k].next) {
			clean_tag(s->word[k].upos, &text);
			buf_add_char(&text, 'P');
			tree_open(t, text.data, text.n);
		}
		clean_tag(s->word[i].upos, &text);
		tree_open(t, text.data, text.n);
		clean(s->word[i].form, &text);
		tree_leaf(t, text.data, text.n);
		tree_close(t);
		for (int ends = w[i].ends; ends > 0; ends--)
			tree_close(t);
	}
	buf_release(&text);
}

void
dep_phrases(const struct dep_sentence *s, struct tree *t)
{
	struct word *w = xcalloc((size_t)s->n + 1, sizeof(*w));

	tree_clear(t);
	number(w, s, link_dependents(w, s));
	find_phrases(w, s->n);
	build(w, s, t);
	free(w);
}
