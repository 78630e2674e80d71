/* dep-phrases: phrases of all forests of up to six words by the definition, and some by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "trees/dep-phrases.h"

enum { MOST = 6 };

/* Words w0 w1 ... with the tags A B ... */
static void
sentence(struct dep_sentence *s, const int *head, int n)
{
	static const char *const tag[MOST] = { "A", "B", "C", "D", "E", "F" };
	char form[16];

	dep_sentence_clear(s);
	for (int i = 0; i < n; i++) {
		snprintf(form, sizeof(form), "w%d", i);
		dep_sentence_add(s, form, strlen(form))->head = head[i];
		s->word[i].upos = tag[i];
	}
	s->has_heads = true;
}

/* Is a on the path from b to the root, including b? */
static bool
governs(const int *head, int a, int b)
{
	while (b != a && head[b])
		b = head[b] - 1;
	return b == a;
}

/*
 * "first-end" of the phrase of each word by the definition: the longest span around it of its
 * descendants and itself.
 */
static void
define(const int *head, int n, int *first, int *end)
{
	for (int i = 0; i < n; i++) {
		first[i] = i;
		end[i] = i + 1;
		while (first[i] > 0 && governs(head, i, first[i] - 1))
			first[i]--;
		while (end[i] < n && governs(head, i, end[i]))
			end[i]++;
	}
}

/*
 * Each phrase of the tree is that of the word that its label names, and none is missing.  Several
 * roots have a common node.
 */
static void
check(const struct tree *t, const int *head, int n)
{
	int first[MOST], end[MOST], n_phrases = 0, n_words = 0, roots = 0;

	define(head, n, first, end);
	for (int i = 0; i < n; i++) {
		n_phrases += end[i] > first[i] + 1;
		roots += !head[i];
	}
	if (roots > 1)
		assert_string_equal(t->node[0].label, "ROOT");
	for (int i = roots > 1; i < t->n; i++) {
		const struct tree_node *p = &t->node[i];

		if (p->leaf || tree_is_tag(t, i)) {
			assert_int_equal(p->leaf ? p->label[1] - '0' : p->label[0] - 'A', n_words);
			n_words += p->leaf;
			continue;
		}
		assert_string_equal(p->label + 1, "P");
		assert_int_equal(p->first, first[p->label[0] - 'A']);
		assert_int_equal(p->end, end[p->label[0] - 'A']);
		n_phrases--;
	}
	assert_int_equal(n_words, n);
	assert_int_equal(n_phrases, 0);
	assert_int_equal(t->node[0].last, t->n - 1);
}

static void
phrases_follow_the_definition(void **state)
{
	struct dep_sentence s = { .n = 0 };
	struct tree t = { .n = 0 };
	int trees = 0;

	(void)state;
	for (int n = 1; n <= MOST; n++) {
		int all = 1;

		for (int i = 0; i < n; i++)
			all *= n + 1;
		for (int code = 0; code < all; code++) {
			int head[MOST];
			struct err e;

			for (int i = 0, rest = code; i < n; i++, rest /= n + 1)
				head[i] = rest % (n + 1);
			if (dep_check(head, n, &e))
				continue;
			sentence(&s, head, n);
			dep_phrases(&s, &t);
			check(&t, head, n);
			trees++;
		}
	}
	/* (n + 1) ^ (n - 1) forests of n words */
	assert_int_equal(trees, 1 + 3 + 16 + 125 + 1296 + 16807);
	dep_sentence_release(&s);
	tree_release(&t);
}

static void
is(const int *head, int n, const char *want)
{
	struct dep_sentence s = { .n = 0 };
	struct tree t = { .n = 0 };
	struct buf out = { 0 };

	sentence(&s, head, n);
	dep_phrases(&s, &t);
	tree_write(&t, &out);
	assert_string_equal(out.n ? out.data : "", want);
	buf_release(&out);
	dep_sentence_release(&s);
	tree_release(&t);
}

static void
phrases_by_hand(void **state)
{
	(void)state;
	is((const int[]){ 0 }, 0, "");
	is((const int[]){ 0 }, 1, "(A w0)");
	/* w0 and w2 depend on w1, w3 depends on w2 */
	is((const int[]){ 2, 0, 2, 3 }, 4, "(BP (A w0) (B w1) (CP (C w2) (D w3)))");
	/*
	 * w3 depends on w0, which the root w1 governs: the root is between, w3 goes to its phrase
	 */
	is((const int[]){ 2, 0, 2, 1 }, 4, "(BP (A w0) (B w1) (C w2) (D w3))");
	/* w4 depends on w1, with the root w3 between them: the phrase of w1 is w0 to w2 */
	is((const int[]){ 2, 4, 2, 0, 2 }, 5, "(DP (BP (A w0) (B w1) (C w2)) (D w3) (E w4))");
	/*
	 * w5 depends on w2, w2 on w3, w3 on w1, the root; w4 between depends on w1: lifted past w3
	 * to w1
	 */
	is((const int[]){ 2, 0, 4, 2, 2, 3 }, 6,
	   "(BP (A w0) (B w1) (DP (C w2) (D w3)) (E w4) (F w5))");
	/* the same, but w4 depends on w3: lifted only to w3 */
	is((const int[]){ 2, 0, 4, 2, 4, 3 }, 6,
	   "(BP (A w0) (B w1) (DP (C w2) (D w3) (E w4) (F w5)))");
	/* two roots, w0 and w3; w4 depends on w1, with w3 between them: lifted to the top */
	is((const int[]){ 0, 1, 2, 0, 2 }, 5,
	   "(ROOT (AP (A w0) (BP (B w1) (C w2))) (D w3) (E w4))");
	/* three roots, the last of which has a dependent before it */
	is((const int[]){ 0, 0, 4, 0 }, 4, "(ROOT (A w0) (B w1) (DP (C w2) (D w3)))");
}

static void
whitespace_and_brackets_are_replaced(void **state)
{
	struct dep_sentence s = { .n = 0 };
	struct tree t = { .n = 0 };
	struct buf out = { 0 };

	(void)state;
	dep_sentence_add(&s, "10 000", 6)->head = 2;
	dep_sentence_add(&s, "(:", 2)->upos = "N N";
	s.has_heads = true;
	dep_phrases(&s, &t);
	tree_write(&t, &out);
	assert_string_equal(out.data, "(N_NP (X 10_000) (N_N -LRB-:))");
	buf_release(&out);
	dep_sentence_release(&s);
	tree_release(&t);
}

/*
 * A chain and a star of a hundred thousand words, and the chain 1 n+1 2 n+2 ... 2n, whose arcs all
 * cross.  In the latter, the phrase of a word of the first half is all words before it; of a word
 * of the second half, all words before it in that half; the first word of each half has no phrase.
 * Quadratic time would be noticed.
 */
static void
long_sentences_take_linear_time(void **state)
{
	enum { WORDS = 100000 };
	static const int n_phrases[] = { WORDS - 1, 1, WORDS - 2 };
	struct dep_sentence s = { .n = 0 };
	struct tree t = { .n = 0 };

	(void)state;
	for (int kind = 0; kind < 3; kind++) {
		dep_sentence_clear(&s);
		for (int i = 1; i <= WORDS; i++) {
			const int half = i <= WORDS / 2 ? i + WORDS / 2 : i - WORDS / 2 + 1;
			const int head = kind == 0 ? i + 1 : kind == 1 ? WORDS : half;

			dep_sentence_add(&s, "w", 1)->head = i == WORDS ? 0 : head;
		}
		s.has_heads = true;
		dep_phrases(&s, &t);
		assert_int_equal(t.n_words, WORDS);
		assert_int_equal(t.n - 2 * WORDS, n_phrases[kind]);
	}
	dep_sentence_release(&s);
	tree_release(&t);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(phrases_follow_the_definition),
		cmocka_unit_test(phrases_by_hand),
		cmocka_unit_test(whitespace_and_brackets_are_replaced),
		cmocka_unit_test(long_sentences_take_linear_time),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
