/* phrase-positions: positions by hand, and of a thousand random trees by the rules of the paper. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "random-tree.h"
#include "trees/phrase-positions.h"
#include "trees/ptb.h"

enum { TREES = 1000, LONGEST = 3, MOST = WORDS * LONGEST, X = PHRASE_OUTSIDE };

#define BUSH "(S (NP (NNP Bush)) (VP (VBD held) (NP (DT a) (NN talk)) " \
	     "(PP (IN with) (NP (NNP Sharon))))"

static int
places(const char *text, unsigned flags, struct phrase_place *place)
{
	struct tree t = { .n = 0 };
	struct err e;
	int n;

	assert_int_equal(ptb_parse(&t, text, strlen(text), 0, &e), 0);
	phrase_places(&t, flags, place);
	n = t.n_words;
	tree_release(&t);
	return n;
}

static void
layers_are(const char *text, unsigned flags, const int *want)
{
	struct phrase_place place[WORDS];
	const int n = places(text, flags, place);

	for (int i = 0; i < n; i++)
		assert_int_equal(place[i].layer, want[i]);
}

static void
layers_by_hand(void **state)
{
	(void)state;
	layers_are(BUSH ")", 0, (const int[]){ 3, 3, 4, 4, 4, 5 });
	layers_are(BUSH ")", PHRASE_NO_TAGS, (const int[]){ 2, 2, 3, 3, 3, 4 });
	/* NP and NNP above Bush are one layer, and those above Sharon */
	layers_are(BUSH ")", PHRASE_COLLAPSE, (const int[]){ 2, 3, 4, 4, 4, 4 });
	layers_are(BUSH ")", PHRASE_COLLAPSE | PHRASE_NO_TAGS, (const int[]){ 2, 2, 3, 3, 3, 4 });
	layers_are("(S (VP (VP (VB Go))))", 0, (const int[]){ 4 });
	layers_are("(S (VP (VP (VB Go))))", PHRASE_COLLAPSE, (const int[]){ 1 });
	layers_are("(S (VP (VB Go) on))", PHRASE_COLLAPSE, (const int[]){ 2, 1 });
}

static void
are(const int8_t *got, int n, const int8_t *want)
{
	for (int i = 0; i < n * n; i++)
		assert_int_equal(got[i], want[i]);
}

static void
positions_by_hand(void **state)
{
	static const struct { int first, end; } rule_1[] = {
		{ 0, 6 }, { 1, 6 }, { 2, 4 }, { 2, 4 }, { 4, 6 }, { 4, 6 }
	};
	static const int8_t want[] = {
		 0,  0,  1,  1,  1,  2,
		 0,  0,  1,  1,  1,  2,
		-1, -1,  0,  0,  X,  X,
		-1, -1,  0,  0,  X,  X,
		-1, -1,  X,  X,  0,  1,
		-2, -2,  X,  X, -1,  0
	};
	struct phrase_place place[WORDS];
	int8_t got[WORDS * WORDS], turned[WORDS * WORDS];

	(void)state;
	assert_int_equal(places(BUSH ")", 0, place), 6);
	for (int i = 0; i < 6; i++) {
		assert_int_equal(place[i].first, rule_1[i].first);
		assert_int_equal(place[i].end, rule_1[i].end);
	}
	phrase_positions(place, 6, PHRASE_COL_ROW, PHRASE_LITERAL, got);
	are(got, 6, want);
	phrase_positions(place, 6, PHRASE_ROW_COL, PHRASE_LITERAL, turned);
	for (int i = 0; i < 36; i++)
		assert_int_equal(turned[i], want[i] == X ? X : -want[i]);
	phrase_positions(place, 6, PHRASE_ABS, PHRASE_LITERAL, turned);
	for (int i = 0; i < 36; i++)
		assert_int_equal(turned[i], abs(want[i]));
	/* without the second rule: "Bush" is not in the local phrase of "held", and so on */
	phrase_positions(place, 6, PHRASE_COL_ROW, PHRASE_NONE, turned);
	are(turned + 6, 1, (const int8_t[]){ X });
	for (int i = 0; i < 6; i++)
		for (int j = 0; j < 6; j++)
			assert_int_equal(turned[6 * i + j] != X,
					 rule_1[i].first <= j && j < rule_1[i].end);
}

/* The span of the full stop is the sentence, but the span of "held" does not contain it. */
static void
the_second_rule_is_not_symmetric(void **state)
{
	enum { HELD = 1, STOP = 6, N = 7 };
	struct phrase_place place[WORDS];
	int8_t got[WORDS * WORDS];

	(void)state;
	assert_int_equal(places(BUSH " (. .))", 0, place), N);
	phrase_positions(place, N, PHRASE_COL_ROW, PHRASE_LITERAL, got);
	assert_int_equal(got[HELD * N + STOP], X);
	assert_int_equal(got[STOP * N + HELD], 1);
	assert_int_equal(got[0 * N + STOP], -1);	/* the span of "Bush" is the sentence */
	phrase_positions(place, N, PHRASE_COL_ROW, PHRASE_FULL, got);
	assert_int_equal(got[HELD * N + STOP], -1);
	assert_int_equal(got[STOP * N + HELD], 1);
}

static void
one_word_and_deep_trees(void **state)
{
	enum { DEEP = 300 };
	struct phrase_place place[WORDS];
	struct tree t = { .n = 0 };
	int8_t got[4];

	(void)state;
	assert_int_equal(places("(S (VP (VB Go)))", 0, place), 1);
	assert_int_equal(place[0].layer, 3);
	assert_true(place[0].first == 0 && place[0].end == 1);
	phrase_positions(place, 1, PHRASE_COL_ROW, PHRASE_LITERAL, got);
	assert_int_equal(got[0], 0);
	tree_open(&t, "S", 1);
	tree_leaf(&t, "a", 1);
	for (int i = 0; i < DEEP; i++)
		tree_open(&t, "V", 1);
	tree_leaf(&t, "b", 1);
	for (int i = 0; i <= DEEP; i++)
		tree_close(&t);
	phrase_places(&t, 0, place);
	assert_int_equal(place[1].layer, 1 + DEEP);
	phrase_positions(place, 2, PHRASE_COL_ROW, PHRASE_LITERAL, got);
	are(got, 2, (const int8_t[]){ 0, PHRASE_MAX, -PHRASE_MAX, 0 });
	phrase_positions(place, 2, PHRASE_ABS, PHRASE_LITERAL, got);
	are(got, 2, (const int8_t[]){ 0, PHRASE_MAX, PHRASE_MAX, 0 });
	tree_release(&t);
}

/* He (lik@@ es) (neur@@ al), with arbitrary layers and spans of words. */
static void
subwords_by_hand(void **state)
{
	static const int32_t of[] = { 0, 1, 1, 2, 2 };
	static const struct phrase_place word[] = { { 2, 0, 3 }, { 3, 1, 3 }, { 3, 1, 3 } };
	static const struct phrase_place as_word[] = {
		{ 2, 0, 5 }, { 3, 1, 5 }, { 3, 1, 5 }, { 3, 1, 5 }, { 3, 1, 5 }
	};
	static const struct phrase_place deeper[] = {
		{ 2, 0, 5 }, { 4, 1, 3 }, { 4, 1, 3 }, { 4, 3, 5 }, { 4, 3, 5 }
	};
	struct phrase_place got[5];

	(void)state;
	phrase_pieces(word, of, 5, false, got);
	assert_memory_equal(got, as_word, sizeof(got));
	phrase_pieces(word, of, 5, true, got);
	assert_memory_equal(got, deeper, sizeof(got));
}

static const struct node *
find_word(const struct node *p, int word)
{
	for (int i = 0; i < p->n; i++)
		if (p->child[i]->first <= word && word < p->child[i]->end)
			return find_word(p->child[i], word);
	return p;
}

static int
layer_of(const struct node *root, int word)
{
	int n = 0;

	for (const struct node *p = find_word(root, word)->up; p; p = p->up)
		n++;
	return n;
}

/* Rule 1, then Rule 2 or its replacement, as sets of words. */
static void
phrases_of(const struct node *root, int n, enum phrase_symmetry symmetry, bool in[WORDS][WORDS])
{
	bool rule_1[WORDS][WORDS];

	for (int i = 0; i < n; i++) {
		const struct node *p = find_word(root, i);

		while (p->up && p->end - p->first == 1)
			p = p->up;
		for (int j = 0; j < n; j++)
			rule_1[i][j] = in[i][j] = p->first <= j && j < p->end;
	}
	for (int i = 0; i < n; i++)
		for (int j = 0; j < n; j++)
			if (rule_1[j][i] && (symmetry == PHRASE_FULL ||
					     (symmetry == PHRASE_LITERAL && j < i)))
				in[i][j] = true;
}

static void
positions_follow_the_rules(void **state)
{
	struct tree t = { .n = 0 };
	struct phrase_place word[WORDS], piece[MOST];
	int8_t of_words[WORDS * WORDS], of_pieces[MOST * MOST];
	bool in[WORDS][WORDS];
	int32_t of[MOST];

	(void)state;
	rng_init(&rng, 2023, 0, 0);
	for (int k = 0; k < TREES; k++) {
		const int n = 1 + (int)rng_below(&rng, WORDS);
		const struct node *root = random_tree(n);
		const enum phrase_symmetry symmetry = (enum phrase_symmetry)(k % 3);
		int m = 0;

		tree_clear(&t);
		build_tree(root, &t);
		assert_int_equal(t.n_words, n);
		phrase_places(&t, 0, word);
		phrase_positions(word, n, PHRASE_COL_ROW, symmetry, of_words);
		phrases_of(root, n, symmetry, in);
		for (int i = 0; i < n; i++)
			for (int j = 0; j < n; j++)
				assert_int_equal(of_words[i * n + j], in[i][j] ?
						 layer_of(root, j) - layer_of(root, i) : X);
		for (int i = 0; i < n; i++)
			for (uint32_t c = 1 + rng_below(&rng, LONGEST); c; c--)
				of[m++] = i;
		phrase_pieces(word, of, m, false, piece);
		phrase_positions(piece, m, PHRASE_COL_ROW, symmetry, of_pieces);
		for (int i = 0; i < m; i++)
			for (int j = 0; j < m; j++)
				assert_int_equal(of_pieces[i * m + j], of_words[of[i] * n + of[j]]);
	}
	tree_release(&t);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(layers_by_hand),
		cmocka_unit_test(positions_by_hand),
		cmocka_unit_test(the_second_rule_is_not_symmetric),
		cmocka_unit_test(one_word_and_deep_trees),
		cmocka_unit_test(subwords_by_hand),
		cmocka_unit_test(positions_follow_the_rules),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
