/* control: baseline trees that depend only on the sentence length; see control.h. */
#include "trees/control.h"

#include <string.h>

#include "base/rng.h"

const char *const control_names[] = { "adjacent", "right", "random", NULL };

/*
 * A random forest of t k-ary trees with m nodes, uniform over all such forests.  Its shape is in
 * preorder: true for a node with k children, false for an empty child.
 *
 * A forest of t trees has m nodes and (k-1) m + t empty children.  Of the rotations of any order of
 * these, exactly t are the preorder of a forest (the cycle lemma of Dvoretzky and Motzkin 1947):
 * those that begin where the sum of missing children first reaches its minimum, the minimum plus
 * one, and so on.  A random rotation of these, in a random order, is uniform over forests.
 */
static const bool *
random_forest(struct rng *r, int m, int k, int t, struct arena *scratch)
{
	int n = m * k + t, sum = 0, lowest = 0, start = 0;
	uint32_t *order = ARENA_ARRAY(scratch, uint32_t, n);
	bool *shape = ARENA_ARRAY(scratch, bool, n);

	rng_permutation(r, order, (size_t)n);
	for (int i = 0; i + 1 < n; i++) {
		sum += order[i] < (uint32_t)m ? k - 1 : -1;
		lowest = sum < lowest ? sum : lowest;
	}
	lowest += (int)rng_below(r, (uint32_t)t);
	for (sum = 0; sum != lowest; start++)
		sum += order[start] < (uint32_t)m ? k - 1 : -1;
	for (int i = 0; i < n; i++)
		shape[i] = order[(start + i) % n] < (uint32_t)m;
	return shape;
}

/*
 * A word has a list of dependents on its left and another one on its right.  A non-empty list is
 * its first word with its two lists, and the list of the remaining words: a ternary tree.  So a
 * projective tree is the root word with a forest of two ternary trees.
 */
static void
random_heads(struct rng *r, int n, int *head, struct arena *scratch)
{
	const bool *shape = random_forest(r, n - 1, 3, 2, scratch);
	int *todo = ARENA_ARRAY(scratch, int, 3 * (size_t)n + 3);	/* v: a row of it; ~v: it */
	int *above = ARENA_ARRAY(scratch, int, n), *word = ARENA_ARRAY(scratch, int, n);
	int n_todo = 0, nodes = 1, words = 0;

	above[0] = -1;
	todo[n_todo++] = 0;
	todo[n_todo++] = ~0;
	todo[n_todo++] = 0;
	while (n_todo > 0) {
		int h = todo[--n_todo], v = nodes;

		if (h < 0) {
			word[~h] = ++words;
			continue;
		}
		if (!*shape++)
			continue;
		above[nodes++] = h;
		todo[n_todo++] = h;
		todo[n_todo++] = v;
		todo[n_todo++] = ~v;
		todo[n_todo++] = v;
	}
	for (int v = 0; v < n; v++)
		head[word[v] - 1] = above[v] < 0 ? 0 : word[above[v]];
}

void
control_heads(enum control c, int n, uint64_t seed, uint32_t sentence, int *head,
	      struct arena *scratch)
{
	struct arena_mark mark = arena_mark(scratch);
	struct rng r;

	rng_init(&r, seed, rng_purpose("control heads"), sentence);
	if (c == CONTROL_RANDOM)
		random_heads(&r, n, head, scratch);
	else
		for (int i = 0; i < n; i++)
			head[i] = i;
	arena_rewind_to(scratch, mark);
}

/* The number of words in the left part of n > 1 words. */
static int
left_part(enum control c, int n)
{
	int left = 1;

	while (c == CONTROL_ADJACENT && 2 * left < n)
		left *= 2;
	return left;
}

static const bool *
regular_shape(enum control c, int n, struct arena *scratch)
{
	bool *shape = ARENA_ARRAY(scratch, bool, 2 * (size_t)n);
	int *words = ARENA_ARRAY(scratch, int, (size_t)n + 1);	/* of the parts to do */
	int waiting = 0, at = 0;

	words[waiting++] = n;
	while (waiting > 0) {
		int all = words[--waiting], left;

		shape[at++] = all > 1;
		if (all == 1)
			continue;
		left = left_part(c, all);
		words[waiting++] = all - left;
		words[waiting++] = left;
	}
	return shape;
}

static void
control_add_word(struct tree *t, const char *word)
{
	tree_open(t, CONTROL_TAG, strlen(CONTROL_TAG));
	tree_leaf(t, word, strlen(word));
	tree_close(t);
}

/* The first node of the shape is the phrase over the whole sentence; one word also has it. */
static void
control_build(const bool *shape, const char *const *word, int n, struct tree *out,
	      struct arena *scratch)
{
	bool *last = ARENA_ARRAY(scratch, bool, n);	/* [depth] only the last part is missing */
	int depth = 0;

	tree_open(out, CONTROL_PHRASE, strlen(CONTROL_PHRASE));
	last[depth++] = n == 1;
	for (int i = n > 1; i < 2 * n - 1; i++) {
		if (shape[i]) {
			tree_open(out, CONTROL_PHRASE, strlen(CONTROL_PHRASE));
			last[depth++] = false;
			continue;
		}
		control_add_word(out, *word++);
		for (; depth > 0 && last[depth - 1]; depth--)
			tree_close(out);
		if (depth > 0)
			last[depth - 1] = true;
	}
}

void
control_tree(enum control c, const char *const *word, int n, uint64_t seed, uint32_t sentence,
	     struct tree *out, struct arena *scratch)
{
	struct arena_mark mark = arena_mark(scratch);
	struct rng r;

	rng_init(&r, seed, rng_purpose("control tree"), sentence);
	tree_clear(out);
	control_build(c == CONTROL_RANDOM ? random_forest(&r, n - 1, 2, 1, scratch) :
		      regular_shape(c, n, scratch), word, n, out, scratch);
	arena_rewind_to(scratch, mark);
}
