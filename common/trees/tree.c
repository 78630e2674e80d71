/* tree: see tree.h. */
#include "trees/tree.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"

void
tree_init(struct tree *t)
{
	*t = (struct tree){ .open = -1 };
}

void
tree_release(struct tree *t)
{
	free(t->node);
	texts_release(&t->texts);
	tree_init(t);
}

void
tree_clear(struct tree *t)
{
	t->n = t->n_words = 0;
	t->open = -1;
	texts_clear(&t->texts);
}

static struct tree_node *
add_node(struct tree *t, const char *label, size_t n)
{
	const int i = t->n;
	struct tree_node *p;

	if (i == INT_MAX)
		bug("a tree of %d nodes", i);
	t->node = mem_grow(t->node, &t->room, (size_t)i + 1, sizeof(*t->node));
	p = &t->node[t->n++];
	*p = (struct tree_node){ .label = texts_add(&t->texts, label, n), .parent = t->open,
				 .last = i, .first = t->n_words, .end = t->n_words };
	return p;
}

void
tree_open(struct tree *t, const char *label, size_t n)
{
	if (t->n == 0)
		t->open = -1;	/* of a zero-initialized tree */
	else if (t->open < 0)
		bug("a second root");
	add_node(t, label, n);
	t->open = t->n - 1;
}

void
tree_leaf(struct tree *t, const char *word, size_t n)
{
	struct tree_node *p;

	if (t->n == 0 || t->open < 0)
		bug("a word outside all phrases");
	p = add_node(t, word, n);
	p->leaf = true;
	p->end = ++t->n_words;
}

void
tree_close(struct tree *t)
{
	struct tree_node *p;

	if (t->n == 0 || t->open < 0)
		bug("no phrase is open");
	p = &t->node[t->open];
	p->last = t->n - 1;
	p->end = t->n_words;
	t->open = p->parent;
}

void
tree_drop(struct tree *t)
{
	const int i = t->open;

	tree_close(t);
	t->n = i;
	t->n_words = t->node[i].first;
}

void
tree_unwrap(struct tree *t, int n)
{
	struct tree_node *p = t->node;

	if (n >= t->n)
		bug("removing %d nodes of a tree of %d", n, t->n);
	if (!n)
		return;
	t->n -= n;
	memmove(p, p + n, (size_t)t->n * sizeof(*p));
	for (int i = 0; i < t->n; i++) {
		p[i].parent -= n;
		p[i].last -= n;
	}
	p[0].parent = -1;
}

bool
tree_is_tag(const struct tree *t, int node)
{
	const struct tree_node *p = &t->node[node];

	return p->last == node + 1 && p[1].leaf;
}

/* In a word, a reader takes a backslash before / or * for an escape (ptb.h): it is escaped. */
static void
tree_write_text(const char *s, bool word, struct buf *out)
{
	for (char before = 0; *s; before = *s++) {
		if (word && before == '\\' && (*s == '/' || *s == '*'))
			buf_add_char(out, '\\');
		if (*s == '(' || *s == ')')
			buf_add_str(out, *s == '(' ? "-LRB-" : "-RRB-");
		else
			buf_add_char(out, *s);
	}
}

/* Closes all phrases that end with the node, which may be one of them. */
static void
write_ends(const struct tree *t, int node, struct buf *out)
{
	for (int i = node; i >= 0 && t->node[i].last == node; i = t->node[i].parent)
		if (!t->node[i].leaf)
			buf_add_char(out, ')');
}

void
tree_write(const struct tree *t, struct buf *out)
{
	for (int i = 0; i < t->n; i++) {
		const struct tree_node *p = &t->node[i];

		if (i > 0)
			buf_add_char(out, ' ');
		if (!p->leaf)
			buf_add_char(out, '(');
		tree_write_text(p->label, p->leaf, out);
		if (p->last == i)
			write_ends(t, i, out);
	}
}
