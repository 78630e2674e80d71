/* corrupt: spoils a share of a sentence's arcs or phrases; see corrupt.h. */
#include "parser/corrupt.h"

#include <math.h>
#include <string.h>

#include "base/rng.h"
#include "parser/mst.h"

/* Which are touched has numbers of its own: a larger share touches the same and more. */
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
touches(const struct corrupt *c, struct chance *x)
{
	return rng_uniform(&x->which) < c->share;
}

static bool
is_other(const char *label, const char *old, const char *not)
{
	return strcmp(label, old) && (!not || strcmp(label, not));
}

/* A label at random that is neither of two (not may be NULL); the old one if there is none. */
static const char *
other_label(const struct corrupt *c, struct chance *x, const char *old, const char *not)
{
	uint32_t others = 0, i;

	for (int k = 0; k < c->n_labels; k++)
		others += is_other(c->label[k], old, not);
	if (!others)
		return old;
	i = rng_below(&x->how, others);
	for (int k = 0;; k++)
		if (is_other(c->label[k], old, not) && i-- == 0)
			return c->label[k];
}

/* The scores for a word's heads. */
static void
score_heads(float *score, int n, int old, bool touched, struct chance *x)
{
	for (int h = 0; h <= n; h++)
		score[h] = touched ? (float)rng_uniform(&x->how) : -INFINITY;
	score[old] = touched ? -INFINITY : 0;
}

static void
corrupt_labels(const struct corrupt *c, struct chance *x, int n, const int *head, const int *old,
	       const bool *touched, const char **rel)
{
	const char *root = NULL;

	for (int i = 0; i < n; i++)
		root = old[i] ? root : rel[i];
	for (int i = 0; i < n; i++)
		if (head[i] == 0)
			rel[i] = root;
		else if (touched[i] || head[i] != old[i])
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
	bool *touched = ARENA_ARRAY(scratch, bool, n);
	int *old = arena_copy(scratch, head, (size_t)n * sizeof(*head));

	for (int i = 0; i < n; i++) {
		touched[i] = touches(c, &x);
		score_heads(score + ((size_t)i + 1) * side, n, old[i], touched[i], &x);
	}
	mst_heads(score, side, n, head, scratch);
	if (rel)
		corrupt_labels(c, &x, n, head, old, touched, rel);
	arena_rewind_to(scratch, mark);
}

/* A tree that can be changed: first child, next sister, -1 for none. */
struct node {
	int mother, first, next;
	const char *label;
};

struct graft {
	struct node *node;	/* the old ones under their old numbers, then the new ones */
	int n;
};

static void
graft_init(struct graft *g, const struct tree *t, struct arena *scratch)
{
	g->n = t->n;
	g->node = ARENA_ARRAY(scratch, struct node, 2 * (size_t)t->n);
	for (int i = 0; i < t->n; i++) {
		const struct tree_node *v = &t->node[i];
		bool sister = v->parent >= 0 && v->last < t->node[v->parent].last;

		g->node[i] = (struct node){ .mother = v->parent, .first = v->leaf ? -1 : i + 1,
					    .next = sister ? v->last + 1 : -1, .label = v->label };
	}
}

/* Where the number of the mother's child, counted from 0, stands. */
static int *
link_to(struct graft *g, int mother, int child)
{
	int *link = &g->node[mother].first;

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

struct run { int first, end; };		/* of children */

/* Children take their phrase's place; returns which of the mother's they are now. */
static struct run
dissolve(struct graft *g, int phrase)
{
	struct node *v = &g->node[phrase];
	int *link = &g->node[v->mother].first, before = 0, own = count_from(g, v->first);

	for (; *link != phrase; before++)
		link = &g->node[*link].next;
	*link = v->first;
	for (; *link >= 0; link = &g->node[*link].next)
		g->node[*link].mother = v->mother;
	*link = v->next;
	return (struct run){ before, before + own };
}

static void
wrap(struct graft *g, int mother, struct run r, const char *label)
{
	int *link = link_to(g, mother, r.first), *end, new = g->n++;

	g->node[new] = (struct node){ mother, *link, -1, label };
	*link = new;
	end = link_to(g, new, r.end - r.first);
	g->node[new].next = *end;
	*end = -1;
	for (int i = g->node[new].first; i >= 0; i = g->node[i].next)
		g->node[i].mother = new;
}

/*
 * A run of two or more of n children, but not all and not old; the range is empty if there is
 * none.
 */
static struct run
other_run(struct chance *x, int n, struct run old)
{
	struct run r = { 0, 0 };

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
move(const struct corrupt *c, struct chance *x, struct graft *g, int phrase)
{
	int mother = g->node[phrase].mother;
	struct run old = dissolve(g, phrase);
	struct run r = other_run(x, count_from(g, g->node[mother].first), old);

	if (r.end)
		wrap(g, mother, r, other_label(c, x, g->node[phrase].label, NULL));
}

static void
write_out(const struct graft *g, const struct tree *in, struct tree *out)
{
	int i = 0;

	tree_clear(out);
	while (i >= 0) {
		const struct node *v = &g->node[i];
		bool leaf = i < in->n && in->node[i].leaf;

		if (!leaf) {
			tree_open(out, v->label, strlen(v->label));
			i = v->first;
			continue;
		}
		tree_leaf(out, v->label, strlen(v->label));
		while (i >= 0 && g->node[i].next < 0) {
			i = g->node[i].mother;
			if (i >= 0)
				tree_close(out);
		}
		i = i < 0 ? -1 : g->node[i].next;
	}
}

/* From the last phrase to the first: what is inside of one is done before. */
void
corrupt_tree(const struct corrupt *c, uint32_t sentence, const struct tree *in,
	     struct tree *out, struct arena *scratch)
{
	struct arena_mark mark = arena_mark(scratch);
	struct chance x = chance_of(c, sentence);
	struct graft g;

	graft_init(&g, in, scratch);
	for (int i = in->n - 1; i > 0; i--)
		if (!in->node[i].leaf && !tree_is_tag(in, i) && touches(c, &x))
			move(c, &x, &g, i);
	write_out(&g, in, out);
	arena_rewind_to(scratch, mark);
}
