/* corrupt: corrupts a share of the arcs or phrases of a sentence; see corrupt.h. */
#include "parser/corrupt.h"

#include <math.h>
#include <string.h>

#include "base/rng.h"
#include "parser/mst.h"

/* The selection has its own random numbers: a larger share selects the same ones and more. */
struct chance { struct rng which, how; };

static struct chance
chance_of(const struct corrupt *c, uint32_t sentence)
{
	struct chance x;

	rng_init(&x.which, c->seed, rng_purpose("corrupt which"), sentence);
	rng_init(&x.how, c->seed, rng_purpose("corrupt how"), sentence);
	return x;
}

static bool
selects(const struct corrupt *c, struct chance *x)
{
	return rng_uniform(&x->which) < c->share;
}

static bool
corrupt_is_other(const char *label, const char *old, const char *not)
{
	return strcmp(label, old) && (!not || strcmp(label, not));
}

/* A random label other than old and not, which may be NULL; old if there is no other. */
static const char *
other_label(const struct corrupt *c, struct chance *x, const char *old, const char *not)
{
	uint32_t others = 0, i;

	for (int k = 0; k < c->n_labels; k++)
		others += corrupt_is_other(c->label[k], old, not);
	if (!others)
		return old;
	i = rng_below(&x->how, others);
	for (int k = 0;; k++)
		if (corrupt_is_other(c->label[k], old, not) && i-- == 0)
			return c->label[k];
}

/* Sets the scores of the heads of a word. */
static void
score_heads(float *score, int n, int old, bool selected, struct chance *x)
{
	for (int h = 0; h <= n; h++)
		score[h] = selected ? (float)rng_uniform(&x->how) : -INFINITY;
	score[old] = selected ? -INFINITY : 0;
}

static void
corrupt_labels(const struct corrupt *c, struct chance *x, int n, const int *head, const int *old,
	       const bool *selected, const char **rel)
{
	const char *root = NULL;

	for (int i = 0; i < n; i++)
		root = old[i] ? root : rel[i];
	for (int i = 0; i < n; i++)
		if (head[i] == 0)
			rel[i] = root;
		else if (selected[i] || head[i] != old[i])
			rel[i] = other_label(c, x, rel[i], root);
}

void
corrupt_heads(const struct corrupt *c, uint32_t sentence, int n, int *head, const char **rel,
	      struct arena *scratch)
{
	struct arena_mark mark = arena_mark(scratch);
	struct chance x = chance_of(c, sentence);
	size_t side = (size_t)n + 1;
	float *score = ARENA_ARRAY(scratch, float, side * side);
	bool *selected = ARENA_ARRAY(scratch, bool, n);
	int *old = arena_copy(scratch, head, (size_t)n * sizeof(*head));

	for (int i = 0; i < n; i++) {
		selected[i] = selects(c, &x);
		score_heads(score + ((size_t)i + 1) * side, n, old[i], selected[i], &x);
	}
	mst_heads(score, side, n, head, scratch);
	if (rel)
		corrupt_labels(c, &x, n, head, old, selected, rel);
	arena_rewind_to(scratch, mark);
}

/* A tree that can be changed: first child and next sibling, or -1. */
struct node {
	int parent, first, next;
	const char *label;
};

struct graft {
	struct node *node;	/* the nodes of the tree, by index; then new nodes */
	int n;
};

static void
graft_init(struct graft *g, const struct tree *t, struct arena *scratch)
{
	g->n = t->n;
	g->node = ARENA_ARRAY(scratch, struct node, 2 * (size_t)t->n);
	for (int i = 0; i < t->n; i++) {
		const struct tree_node *v = &t->node[i];
		bool sibling = v->parent >= 0 && v->last < t->node[v->parent].last;

		g->node[i] = (struct node){ .parent = v->parent, .first = v->leaf ? -1 : i + 1,
					    .next = sibling ? v->last + 1 : -1, .label = v->label };
	}
}

/* The link to the child of this number, from 0. */
static int *
link_to(struct graft *g, int parent, int child)
{
	int *link = &g->node[parent].first;

	while (child-- > 0)
		link = &g->node[*link].next;
	return link;
}

static int
count_from(const struct graft *g, int node)
{
	int n = 0;

	for (; node >= 0; node = g->node[node].next)
		n++;
	return n;
}

struct corrupt_run { int first, end; };		/* consecutive children [first, end) */

/* Replaces a phrase by its children.  Returns their positions among the children of its parent. */
static struct corrupt_run
dissolve(struct graft *g, int phrase)
{
	struct node *v = &g->node[phrase];
	int *link = &g->node[v->parent].first, before = 0, own = count_from(g, v->first);

	for (; *link != phrase; before++)
		link = &g->node[*link].next;
	*link = v->first;
	for (; *link >= 0; link = &g->node[*link].next)
		g->node[*link].parent = v->parent;
	*link = v->next;
	return (struct corrupt_run){ before, before + own };
}

static void
wrap(struct graft *g, int parent, struct corrupt_run r, const char *label)
{
	int *link = link_to(g, parent, r.first), *end, new = g->n++;

	g->node[new] = (struct node){ parent, *link, -1, label };
	*link = new;
	end = link_to(g, new, r.end - r.first);
	g->node[new].next = *end;
	*end = -1;
	for (int i = g->node[new].first; i >= 0; i = g->node[i].next)
		g->node[i].parent = new;
}

/* A random sequence of two or more of n children, not all and not old; empty if n is too small. */
static struct corrupt_run
other_run(struct chance *x, int n, struct corrupt_run old)
{
	struct corrupt_run r = { 0, 0 };

	if (n < 3)
		return r;
	do {
		uint32_t a = rng_below(&x->how, (uint32_t)n), b = rng_below(&x->how, (uint32_t)n);

		r.first = (int)(a < b ? a : b);
		r.end = (int)(a < b ? b : a) + 1;
	} while (r.end - r.first < 2 || r.end - r.first == n ||
		 (r.first == old.first && r.end == old.end));
	return r;
}

static void
corrupt_move(const struct corrupt *c, struct chance *x, struct graft *g, int phrase)
{
	int parent = g->node[phrase].parent;
	struct corrupt_run old = dissolve(g, phrase);
	struct corrupt_run r = other_run(x, count_from(g, g->node[parent].first), old);

	if (r.end)
		wrap(g, parent, r, other_label(c, x, g->node[phrase].label, NULL));
}

static void
write_out(const struct graft *g, const struct tree *tree, struct tree *out)
{
	int i = 0;

	tree_clear(out);
	while (i >= 0) {
		const struct node *v = &g->node[i];
		bool leaf = i < tree->n && tree->node[i].leaf;

		if (!leaf) {
			tree_open(out, v->label, strlen(v->label));
			i = v->first;
			continue;
		}
		tree_leaf(out, v->label, strlen(v->label));
		while (i >= 0 && g->node[i].next < 0) {
			i = g->node[i].parent;
			if (i >= 0)
				tree_close(out);
		}
		i = i < 0 ? -1 : g->node[i].next;
	}
}

/* Moves phrases from last to first, so that inner phrases are done before outer ones. */
void
corrupt_tree(const struct corrupt *c, uint32_t sentence, const struct tree *tree,
	     struct tree *out, struct arena *scratch)
{
	struct arena_mark mark = arena_mark(scratch);
	struct chance x = chance_of(c, sentence);
	struct graft g;

	graft_init(&g, tree, scratch);
	for (int i = tree->n - 1; i > 0; i--)
		if (!tree->node[i].leaf && !tree_is_tag(tree, i) && selects(c, &x))
			corrupt_move(c, &x, &g, i);
	write_out(&g, tree, out);
	arena_rewind_to(scratch, mark);
}
