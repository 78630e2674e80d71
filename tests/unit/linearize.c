/* linearize: sequences by hand, and of a thousand random trees those of a recursive function. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/buf.h"
#include "random-tree.h"
#include "trees/linearize.h"
#include "trees/ptb.h"
#include "trees/tree-relations.h"

enum { TREES = 1000, LONGEST = 3, MOST = WORDS * LONGEST };

#define FATHER "(S (NP (PRP He)) (VP (VBZ is) (NP (PRP$ my) (NN father))) (. .))"

/* The tokens, separated by spaces. */
static void
pieces_are(const struct linear *l, const char *want)
{
	struct buf b = { 0 };

	for (int i = 0; i < l->n; i++) {
		buf_add_str(&b, i ? " " : "");
		buf_add(&b, l->piece[i].s, l->piece[i].n);
	}
	assert_string_equal(b.data, want);
	buf_release(&b);
}

/* "father" is two subwords: fa@@ ther. */
static const struct str piece[] = {
	{ "He", 2 }, { "is", 2 }, { "my", 2 }, { "fa@@", 4 }, { "ther", 4 }, { ".", 1 }
};
static const int32_t word[] = { 0, 1, 2, 3, 3, 4 };

static void
sequences_by_hand(void **state)
{
	static const int32_t parent[] = { -1, 0, 1, 2, 0, 4, 5, 4, 7, 8, 7, 10, 10, 0, 13 };
	static const int32_t no_tags[] = { -1, 0, 1, 0, 3, 3, 5, 5, 5, 0 };
	struct linear l = { .n = 0 };
	struct tree t = { .n = 0 };
	struct err e;

	(void)state;
	assert_int_equal(ptb_parse(&t, FATHER, strlen(FATHER), 0, &e), 0);
	linear_set(&l, &t, piece, word, 6, 0);
	pieces_are(&l, "(S (NP (PRP He (VP (VBZ is (NP (PRP$ my (NN fa@@ ther (. .");
	assert_memory_equal(l.parent, parent, sizeof(parent));
	linear_set(&l, &t, piece, word, 6, LINEAR_BARE);
	pieces_are(&l, "S NP PRP He VP VBZ is NP PRP$ my NN fa@@ ther . .");
	assert_memory_equal(l.parent, parent, sizeof(parent));
	linear_set(&l, &t, piece, word, 6, LINEAR_NO_TAGS);
	pieces_are(&l, "(S (NP He (VP is (NP my fa@@ ther .");
	assert_memory_equal(l.parent, no_tags, sizeof(no_tags));
	linear_set(&l, &t, piece, word, 6, LINEAR_BRACKETS);
	pieces_are(&l, "(S (NP (PRP He ) ) (VP (VBZ is ) "
		       "(NP (PRP$ my ) (NN fa@@ ther ) ) ) (. . ) )");
	linear_set(&l, &t, piece, word, 6, LINEAR_BRACKETS | LINEAR_NO_TAGS);
	pieces_are(&l, "(S (NP He ) (VP is (NP my fa@@ ther ) ) . )");
	linear_release(&l);
	tree_release(&t);
}

static void
small_trees(void **state)
{
	static const int32_t flat[] = { -1, 0, 0, 0, 0, 0, 0 }, root[] = { -1, 0 };
	struct linear l = { .n = 0 };
	struct tree t = { .n = 0 };

	(void)state;
	linear_flat(&t, 5);
	linear_set(&l, &t, piece, word, 6, 0);
	pieces_are(&l, "(S He is my fa@@ ther .");
	assert_memory_equal(l.parent, flat, sizeof(flat));
	linear_set(&l, &t, piece, word, 6, LINEAR_BRACKETS);
	pieces_are(&l, "(S He is my fa@@ ther . )");
	/* a tag that is the root is kept */
	linear_flat(&t, 1);
	linear_set(&l, &t, piece, word, 1, LINEAR_NO_TAGS);
	pieces_are(&l, "(S He");
	assert_memory_equal(l.parent, root, sizeof(root));
	tree_clear(&t);
	linear_set(&l, &t, NULL, NULL, 0, 0);
	assert_int_equal(l.n, 0);
	linear_set(&l, &t, NULL, NULL, 0, LINEAR_BRACKETS);
	assert_int_equal(l.n, 0);
	linear_release(&l);
	tree_release(&t);
}

/* --- random trees --- */

/* The sequences with parents and with brackets, by a recursive function. */
struct written {
	struct buf brackets, nodes;
	int32_t parent[1024];
	int n;
};

static void
put(struct written *w, const char *s, int parent)
{
	w->parent[w->n++] = parent;
	buf_printf(&w->nodes, "%s%s", w->nodes.n ? " " : "", s);
	buf_printf(&w->brackets, "%s%s", w->brackets.n ? " " : "", s);
}

static void
write_node(struct written *w, const struct node *p, const struct str *texts, const int32_t *of,
	   int n, int parent)
{
	const int own = w->n;
	char s[32];

	if (!p->n) {
		for (int i = 0; i < n; i++)
			if (of[i] == p->first)
				put(w, texts[i].s, parent);
		return;
	}
	snprintf(s, sizeof(s), "(%s", p->label);
	put(w, s, parent);
	for (int i = 0; i < p->n; i++)
		write_node(w, p->child[i], texts, of, n, own);
	buf_add_str(&w->brackets, " )");
}

static void
sequences_equal_those_of_a_recursive_function(void **state)
{
	static char text[MOST][16];
	struct written w = { .n = 0 };
	struct linear l = { .n = 0 };
	struct tree t = { .n = 0 };
	struct str texts[MOST];
	int32_t of[MOST];
	struct err e;

	(void)state;
	rng_init(&rng, 2024, 0, 0);
	for (int k = 0; k < TREES; k++) {
		const int n_words = 1 + (int)rng_below(&rng, WORDS);
		const struct node *root = random_tree(n_words);
		int n = 0;

		for (int i = 0; i < n_words; i++)
			for (uint32_t c = 1 + rng_below(&rng, LONGEST); c; c--)
				of[n++] = i;
		for (int i = 0; i < n; i++) {
			snprintf(text[i], sizeof(text[i]), "p%d", i);
			texts[i] = (struct str){ text[i], strlen(text[i]) };
		}
		w.n = 0;
		buf_clear(&w.nodes);
		buf_clear(&w.brackets);
		write_node(&w, root, texts, of, n, -1);
		tree_clear(&t);
		build_tree(root, &t);
		linear_set(&l, &t, texts, of, n, 0);
		pieces_are(&l, w.nodes.data);
		assert_int_equal(l.n, w.n);
		assert_memory_equal(l.parent, w.parent, (size_t)w.n * sizeof(*w.parent));
		assert_int_equal(preorder_check(l.parent, l.n, &e), 0);
		linear_set(&l, &t, texts, of, n, LINEAR_BRACKETS);
		pieces_are(&l, w.brackets.data);
	}
	buf_release(&w.nodes);
	buf_release(&w.brackets);
	linear_release(&l);
	tree_release(&t);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sequences_by_hand),
		cmocka_unit_test(small_trees),
		cmocka_unit_test(sequences_equal_those_of_a_recursive_function),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
