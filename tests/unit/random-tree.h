/* random-tree: random constituency trees, as nodes with lists of children. */
#ifndef RANDOM_TREE_H
#define RANDOM_TREE_H

#include <string.h>

#include "base/rng.h"
#include "trees/tree.h"

enum { WORDS = 14 };

/* A node over words [first, end); a node without children is a word. */
struct node {
	struct node *child[WORDS], *up;
	int n, first, end;
	const char *label;
};

static struct rng rng;		/* initialized by the caller */
static struct node pool[64 * WORDS];
static int n_pool;

/* There may be unary chains and words without a tag. */
static struct node *
random_node(struct node *up, int first, int end)
{
	static const char *const label[] = { "S", "NP", "VP-1", "X" };
	struct node *p = &pool[n_pool++];
	int at = first;

	*p = (struct node){ .up = up, .first = first, .end = end,
			    .label = label[rng_below(&rng, 4)] };
	if (end - first == 1) {
		if (!up || !rng_below(&rng, 3))
			p->child[p->n++] = random_node(p, first, end);
		return p;
	}
	while (at < end) {
		const int k = 1 + (int)rng_below(&rng, (uint32_t)(end - at));
		const int cut = at == first && k == end - at && rng_below(&rng, 4) ? k - 1 : k;

		p->child[p->n++] = random_node(p, at, at + cut);
		at += cut;
	}
	return p;
}

/* The tree is valid until the next call. */
static const struct node *
random_tree(int n_words)
{
	n_pool = 0;
	return random_node(NULL, 0, n_words);
}

static void
build_tree(const struct node *p, struct tree *t)
{
	if (!p->n) {
		tree_leaf(t, "w", 1);
		return;
	}
	tree_open(t, p->label, strlen(p->label));
	for (int i = 0; i < p->n; i++)
		build_tree(p->child[i], t);
	tree_close(t);
}

#endif
