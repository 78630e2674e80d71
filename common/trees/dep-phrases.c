/* dep-phrases: see dep-phrases.h. */
#include "trees/dep-phrases.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/mem.h"

enum { NONE = -1 };

/* Indices of words are from 0. */
struct word {
	int child, sibling;	/* the first dependent; the next dependent of its head */
	int in, out;		/* preorder numbers of the word and its descendants: [in, out) */
	int nth;		/* the word with this preorder number */
	int first, last;	/* of its phrase */
	int ends;		/* number of phrases of more than one word that end here */
	int top;		/* the word of the longest phrase so far that begins or ends here */
	int longest, next;	/* the word of the longest phrase that begins here; the next one */
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

/*
 * Numbers the words in preorder: first dependent, else next sibling of the nearest ancestor.  The
 * other roots are siblings of the first one.
 */
static void
dep_number(struct word *w, const struct dep_sentence *s, int root)
{
	int i = root, n = 0;

	while (i != NONE) {
		w[n].nth = i;
		w[i].in = n++;
		if (w[i].child != NONE) {
			i = w[i].child;
			continue;
		}
		for (w[i].out = n; w[i].sibling == NONE && s->word[i].head; w[i].out = n)
			i = s->word[i].head - 1;
		i = w[i].sibling;
	}
}

/* Is b the word a or a descendant of it? */
static bool
is_below(const struct word *w, int a, int b)
{
	return b != NONE && w[a].in <= w[b].in && w[b].in < w[a].out;
}

/*
 * Visits words after their descendants.  So a neighbor that is a descendant is the end of a phrase
 * that has been found, whose word is a descendant, too: the span grows by whole phrases.
 */
static void
find_phrases(struct word *w, int n)
{
	for (int k = n - 1; k >= 0; k--) {
		const int i = w[k].nth;
		int first = i, last = i;

		while (first > 0 && is_below(w, i, w[first - 1].top))
			first = w[w[first - 1].top].first;
		while (last < n - 1 && is_below(w, i, w[last + 1].top))
			last = w[w[last + 1].top].last;
		w[i].first = first;
		w[i].last = last;
		w[first].top = w[last].top = i;
		w[last].ends += first < last;
		w[i].next = w[first].longest;
		w[first].longest = i;
	}
}

/* Copies a text with whitespace replaced by _. */
static void
dep_clean(const char *s, struct buf *out)
{
	buf_clear(out);
	buf_add_str(out, s);
	for (char *p = out->data; (p = strpbrk(p, " \t\r\n")); )
		*p = '_';
}

static void
clean_tag(const char *tag, struct buf *out)
{
	dep_clean(*tag && strcmp(tag, "_") ? tag : "X", out);
}

/* Phrases that begin at a word are listed longest first; the last one may be that word alone. */
static void
dep_build(const struct word *w, const struct dep_sentence *s, struct tree *t)
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
		dep_clean(s->word[i].form, &text);
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
	const int root = link_dependents(w, s);
	const bool several = root != NONE && w[root].sibling != NONE;

	tree_clear(t);
	dep_number(w, s, root);
	find_phrases(w, s->n);
	if (several)
		tree_open(t, "ROOT", 4);
	dep_build(w, s, t);
	if (several)
		tree_close(t);
	free(w);
}
