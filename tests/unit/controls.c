/* control and corrupt: shapes by hand, frequencies of all trees, corrupted shares. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/rng.h"
#include "parser/corrupt.h"
#include "roots.h"
#include "scratch.h"
#include "trees/conllu.h"
#include "trees/control.h"
#include "trees/ptb.h"

enum { LONG = 200 };

static const char *const word[] = { "a", "b", "c", "d", "e", "f", "g" };

static void
check_heads(const int *head, int n)
{
	struct err e;

	assert_int_equal(dep_check(head, n, &e), 0);
	assert_int_equal(count_roots(head, n), 1);
}

static void
check_tree(const struct tree *t, const char *want)
{
	struct buf b = { 0 };

	tree_write(t, &b);
	assert_string_equal(b.data, want);
	buf_release(&b);
}

static void
baseline_trees_by_hand(void **state)
{
	static const char *const adjacent[] = {
		"(X (X a))",
		"(X (X a) (X b))",
		"(X (X (X a) (X b)) (X c))",
		"(X (X (X a) (X b)) (X (X c) (X d)))",
		"(X (X (X (X a) (X b)) (X (X c) (X d))) (X e))",
		"(X (X (X (X a) (X b)) (X (X c) (X d))) (X (X e) (X f)))",
		"(X (X (X (X a) (X b)) (X (X c) (X d))) (X (X (X e) (X f)) (X g)))",
	};
	struct tree t;
	int head[4];

	(void)state;
	tree_init(&t);
	for (int n = 1; n <= 7; n++) {
		control_tree(CONTROL_ADJACENT, word, n, 1, 1, &t, &scratch);
		check_tree(&t, adjacent[n - 1]);
	}
	control_tree(CONTROL_RIGHT, word, 4, 1, 1, &t, &scratch);
	check_tree(&t, "(X (X a) (X (X b) (X (X c) (X d))))");
	control_tree(CONTROL_RIGHT, word, 1, 1, 1, &t, &scratch);
	check_tree(&t, "(X (X a))");
	tree_release(&t);
	for (int c = CONTROL_ADJACENT; c <= CONTROL_RIGHT; c++) {
		control_heads((enum control)c, 4, 1, 1, head, &scratch);
		for (int i = 0; i < 4; i++)
			assert_int_equal(head[i], i);
	}
}

/* Counts of at most 64 different strings. */
struct tally {
	char name[64][64];
	int count[64], n;
};

static void
count(struct tally *t, const char *name)
{
	int i = 0;

	while (i < t->n && strcmp(t->name[i], name))
		i++;
	assert_true(i < 64);
	if (i == t->n)
		snprintf(t->name[t->n++], sizeof(t->name[0]), "%s", name);
	t->count[i]++;
}

static void
check_uniform(const struct tally *t, int kinds, int each)
{
	assert_int_equal(t->n, kinds);
	for (int i = 0; i < kinds; i++)		/* five standard deviations */
		assert_true(abs(t->count[i] - each) < 5 * sqrt(each));
}

static bool
is_projective(const int *head, int n)
{
	for (int a = 1; a <= n; a++)
		for (int b = 1; b <= n; b++) {
			int a1 = a < head[a - 1] ? a : head[a - 1], a2 = a + head[a - 1] - a1;
			int b1 = b < head[b - 1] ? b : head[b - 1], b2 = b + head[b - 1] - b1;

			if (a1 < b1 && b1 < a2 && a2 < b2)
				return false;
		}
	return true;
}

/* There are C(3n-2, n-1) / n projective trees with one root word: 1, 2, 7, 30. */
static void
random_heads_are_uniform_projective_trees(void **state)
{
	static const int kinds[] = { 1, 2, 7, 30 };

	(void)state;
	for (int n = 1; n <= 4; n++) {
		struct tally t = { .n = 0 };

		for (int i = 0; i < 400 * kinds[n - 1]; i++) {
			int head[4] = { 0 };
			char name[32];

			control_heads(CONTROL_RANDOM, n, 5, (uint32_t)i, head, &scratch);
			check_heads(head, n);
			assert_true(is_projective(head, n));
			snprintf(name, sizeof(name), "%d %d %d %d", head[0], head[1], head[2],
				 head[3]);
			count(&t, name);
		}
		check_uniform(&t, kinds[n - 1], 400);
	}
}

/* The Catalan numbers: 1, 1, 2, 5, 14. */
static void
random_trees_are_uniform_bracketings(void **state)
{
	static const int kinds[] = { 1, 1, 2, 5, 14 };
	struct tree tree;

	(void)state;
	tree_init(&tree);
	for (int n = 1; n <= 5; n++) {
		struct tally t = { .n = 0 };

		for (int i = 0; i < 400 * kinds[n - 1]; i++) {
			struct buf b = { 0 };

			control_tree(CONTROL_RANDOM, word, n, 5, (uint32_t)i, &tree, &scratch);
			tree_write(&tree, &b);
			count(&t, b.data);
			buf_release(&b);
		}
		check_uniform(&t, kinds[n - 1], 400);
	}
	tree_release(&tree);
}

static void
random_trees_are_a_function_of_seed_and_sentence(void **state)
{
	int a[LONG], b[LONG];

	(void)state;
	control_heads(CONTROL_RANDOM, LONG, 1, 7, a, &scratch);
	check_heads(a, LONG);
	control_heads(CONTROL_RANDOM, LONG, 1, 7, b, &scratch);
	assert_memory_equal(a, b, sizeof(a));
	control_heads(CONTROL_RANDOM, LONG, 1, 8, b, &scratch);
	assert_memory_not_equal(a, b, sizeof(a));
	control_heads(CONTROL_RANDOM, LONG, 2, 7, b, &scratch);
	assert_memory_not_equal(a, b, sizeof(a));
}

static const char *const relation[] = { "root", "nsubj", "obj", "det" };

/* The number of words with another head; checks that labels follow the rules. */
static int
count_changes(const int *old, const int *new, const char *const *old_rel, const char *const *rel,
	      int n)
{
	int changes = 0;

	for (int i = 0; i < n; i++) {
		assert_int_equal(new[i] == 0, !strcmp(rel[i], "root"));
		if (old[i] == new[i]) {
			assert_ptr_equal(old_rel[i], rel[i]);
			continue;
		}
		assert_string_not_equal(old_rel[i], rel[i]);
		changes++;
	}
	return changes;
}

static int
corrupt_random(const struct corrupt *c, uint32_t sentence, int n)
{
	const char *old_rel[LONG], *rel[LONG];
	int old[LONG], head[LONG];

	control_heads(CONTROL_RANDOM, n, 9, sentence, old, &scratch);
	memcpy(head, old, sizeof(old));
	for (int i = 0; i < n; i++)
		rel[i] = old_rel[i] = old[i] ? relation[1 + i % 3] : "root";
	corrupt_heads(c, sentence, n, head, rel, &scratch);
	check_heads(head, n);
	return count_changes(old, head, old_rel, rel, n);
}

static void
a_share_of_arcs_is_corrupted(void **state)
{
	enum { N = 20, ROUNDS = 500 };

	(void)state;
	for (int tenths = 0; tenths <= 10; tenths++) {
		struct corrupt c = { tenths / 10.0, 3, relation, 4 };
		double p = c.share, changes = 0, all = N * ROUNDS;

		for (uint32_t i = 0; i < ROUNDS; i++)
			changes += corrupt_random(&c, i, N);
		if (p == 0 || p == 1)
			assert_true(changes == all * p);
		/*
		 * the root's word touched alone takes another along: in one of N sentences at
		 * most
		 */
		assert_true(fabs(changes - all * p) <=
			    5 * sqrt(all * p * (1 - p)) + (double)ROUNDS / N * (p < 1));
	}
}

static void
short_sentences_remain_trees(void **state)
{
	struct corrupt c = { 1, 3, relation, 4 };

	(void)state;
	for (uint32_t i = 0; i < 50; i++) {
		assert_int_equal(corrupt_random(&c, i, 1), 0);
		assert_int_equal(corrupt_random(&c, i, 2), 2);
		assert_true(corrupt_random(&c, i, 3) >= 2);
		assert_true(corrupt_random(&c, i, LONG) == LONG);
	}
}

/* A random bracketing over n words, with some phrases flattened. */
static void
random_tree(struct tree *t, int n, uint32_t sentence)
{
	static const struct corrupt flat = { 0.3, 8, NULL, 0 };
	const char *words[LONG];
	struct tree binary;

	for (int i = 0; i < n; i++)
		words[i] = word[i % 7];
	tree_init(&binary);
	control_tree(CONTROL_RANDOM, words, n, 4, sentence, &binary, &scratch);
	corrupt_tree(&flat, sentence, &binary, t, &scratch);
	tree_release(&binary);
}

/* The number of phrases with the label, without the root. */
static int
count_phrases(const struct tree *t, const char *label)
{
	int n = 0;

	for (int i = 1; i < t->n; i++)
		n += !t->node[i].leaf && !tree_is_tag(t, i) && !strcmp(t->node[i].label, label);
	return n;
}

static void
check_same_words(const struct tree *a, const struct tree *b)
{
	struct buf text = { 0 };
	struct tree again;
	struct err e;
	int j = 0;

	tree_init(&again);
	tree_write(b, &text);
	assert_int_equal(ptb_parse(&again, text.data, text.n, PTB_KEEP_FUNCTIONS, &e), 0);
	assert_int_equal(again.n, b->n);
	assert_int_equal(a->n_words, b->n_words);
	for (int i = 0; i < a->n; i++) {
		if (!tree_is_tag(a, i))
			continue;
		while (!tree_is_tag(&again, j))
			j++;
		assert_string_equal(a->node[i].label, again.node[j].label);
		assert_string_equal(a->node[i + 1].label, again.node[j + 1].label);
		j++;
	}
	tree_release(&again);
	buf_release(&text);
}

static void
a_share_of_phrases_is_moved(void **state)
{
	static const char *const label[] = { "Z" };
	struct tree in, out;

	(void)state;
	tree_init(&in);
	tree_init(&out);
	for (int tenths = 0; tenths <= 10; tenths++) {
		struct corrupt c = { tenths / 10.0, 3, label, 1 };
		double p = c.share, all = 0, kept = 0, new = 0;

		for (uint32_t i = 0; i < 300; i++) {
			random_tree(&in, 1 + (int)(i % 40), i);
			corrupt_tree(&c, i, &in, &out, &scratch);
			check_same_words(&in, &out);
			all += count_phrases(&in, "X");
			kept += count_phrases(&out, "X");
			new += count_phrases(&out, "Z");
		}
		assert_true(fabs(kept - all * (1 - p)) <= 5 * sqrt(all * p * (1 - p)));
		assert_true(new <= all - kept && new >= 0.5 * (all - kept));
	}
	tree_release(&in);
	tree_release(&out);
}

static void
share_zero_keeps_the_tree(void **state)
{
	static const char text[] = "(S (NP (DT the) (NN cat)) (VP (VBZ sleeps)) (. .))";
	static const struct corrupt none = { 0, 1, relation, 4 }, all = { 1, 1, relation, 4 };
	struct tree in, out;
	struct err e;

	(void)state;
	tree_init(&in);
	tree_init(&out);
	assert_int_equal(ptb_parse(&in, text, strlen(text), 0, &e), 0);
	corrupt_tree(&none, 1, &in, &out, &scratch);
	check_tree(&out, text);
	for (uint32_t i = 0; i < 20; i++) {
		corrupt_tree(&all, i, &in, &out, &scratch);
		for (int v = 1; v < out.n; v++)
			assert_false(!strcmp(out.node[v].label, "NP") ||
				     !strcmp(out.node[v].label, "VP"));
	}
	tree_release(&in);
	tree_release(&out);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(baseline_trees_by_hand),
		cmocka_unit_test(random_heads_are_uniform_projective_trees),
		cmocka_unit_test(random_trees_are_uniform_bracketings),
		cmocka_unit_test(random_trees_are_a_function_of_seed_and_sentence),
		cmocka_unit_test(a_share_of_arcs_is_corrupted),
		cmocka_unit_test(short_sentences_remain_trees),
		cmocka_unit_test(a_share_of_phrases_is_moved),
		cmocka_unit_test(share_zero_keeps_the_tree),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
