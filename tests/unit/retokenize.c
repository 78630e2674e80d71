/*
 * retokenize: alignment of two tokenizations, heads and trees worked out by hand, and random
 * tokenizations compared with counting characters.
 */
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
#include "trees/ptb.h"
#include "trees/retokenize.h"

enum { MOST = 40, CUTS = 1000 };

/* The words of a line, separated by spaces; "_" is a space inside a word. */
struct words {
	char line[256];
	const char *word[MOST];
	int n;
};

static const struct words *
cut(struct words *w, const char *line)
{
	snprintf(w->line, sizeof(w->line), "%s", line);
	w->n = 0;
	for (char *s = strtok(w->line, " "); s; s = strtok(NULL, " ")) {
		w->word[w->n++] = s;
		for (; *s; s++)
			*s = *s == '_' ? ' ' : *s;
	}
	return w;
}

static bool
align(struct retokenize *r, const char *text, const char *parse, int bad[2])
{
	struct words a, b;

	cut(&a, text);
	cut(&b, parse);
	return retokenize_align(r, a.word, a.n, b.word, b.n, bad);
}

static void
are(const int *got, const int *want, int n)
{
	for (int i = 0; i < n; i++)
		assert_int_equal(got[i], want[i]);
}

static void
words_are_aligned(void **state)
{
	struct retokenize r = { .n_text = 0 };
	int bad[2];

	(void)state;
	assert_true(align(&r, "a bc d", "a bc d", bad));
	are(r.in_parse, (const int[]){ 0, 1, 2 }, 3);
	are(r.in_text, (const int[]){ 0, 1, 2 }, 3);
	assert_true(align(&r, "I cannot say", "I can not s ay", bad));
	are(r.in_parse, (const int[]){ 0, 1, 3 }, 3);
	are(r.in_text, (const int[]){ 0, 1, 1, 2, 2 }, 5);
	assert_true(align(&r, "ab cd e", "a bc de", bad));
	are(r.in_parse, (const int[]){ 0, 1, 2 }, 3);
	are(r.in_text, (const int[]){ 0, 0, 1 }, 3);
	assert_true(align(&r, "10 000 km", "10_000 _km_", bad));
	are(r.in_parse, (const int[]){ 0, 0, 1 }, 3);
	are(r.in_text, (const int[]){ 0, 2 }, 2);
	assert_true(retokenize_align(&r, (const char *const[]){ "a", "zum", "b" }, 3,
				     (const char *const[]){ "a", "zum", "", "b", "" }, 5, bad));
	are(r.in_parse, (const int[]){ 0, 1, 3 }, 3);
	are(r.in_text, (const int[]){ 0, 1, 1, 2, 2 }, 5);
	retokenize_release(&r);
}

static void
differ(const char *text, const char *parse, int word, int parsed)
{
	struct retokenize r = { .n_text = 0 };
	int bad[2];

	assert_false(align(&r, text, parse, bad));
	assert_int_equal(bad[0], word);
	assert_int_equal(bad[1], parsed);
	retokenize_release(&r);
}

static void
different_texts_are_refused(void **state)
{
	struct retokenize r = { .n_text = 0 };
	int bad[2];

	(void)state;
	differ("a b", "a c", 1, 1);
	differ("ab c", "a bd", 1, 1);
	differ("a b", "a", 1, 1);
	differ("a", "a b", 1, 1);
	differ("abc", "ab", 0, 1);
	differ("a b", "a _ b", 1, 1);
	differ("a", "", 0, 0);
	assert_false(retokenize_align(&r, (const char *const[]){ "a" }, 1,
				      (const char *const[]){ "", "a" }, 2, bad));
	assert_int_equal(bad[0] + bad[1], 0);
	retokenize_release(&r);
}

static void
add(struct dep_sentence *s, const char *form, int head, const char *rel)
{
	struct dep_word *w = dep_sentence_add(s, form, strlen(form));

	w->head = head;
	w->rel = rel;
}

/*
 * "I" <- "say", "can" <- "say", "not" <- "can", and "say" is the root.  Other tokenizations:
 * "cannot", where the head of "can" is outside, and "I c" "annot say".
 */
static void
heads_by_hand(void **state)
{
	struct dep_sentence parse = { .n = 0 }, text = { .n = 0 };
	struct retokenize r = { .n_text = 0 };
	int bad[2];

	(void)state;
	add(&parse, "I", 4, "nsubj");
	add(&parse, "can", 4, "aux");
	add(&parse, "not", 2, "advmod");
	add(&parse, "say", 0, "root");
	for (int i = 0; i < 3; i++)
		add(&text, "-", 0, "_");
	assert_true(align(&r, "I cannot say", "I can not say", bad));
	retokenize_heads(&r, &parse, &text);
	assert_true(text.has_heads);
	assert_int_equal(text.word[0].head, 3);
	assert_int_equal(text.word[1].head, 3);
	assert_string_equal(text.word[1].rel, "aux");
	assert_int_equal(text.word[2].head, 0);
	/* "Ica": I and can, of say; "nn": not, of can; "otsay": say */
	assert_true(align(&r, "Ica nn otsay", "I can not say", bad));
	retokenize_heads(&r, &parse, &text);
	assert_int_equal(text.word[0].head, 3);
	assert_string_equal(text.word[0].rel, "nsubj");
	assert_int_equal(text.word[1].head, 1);
	assert_string_equal(text.word[1].rel, "advmod");
	assert_int_equal(text.word[2].head, 0);
	/* "an" begins inside "can"; of "not" and "say", the latter is the root */
	assert_true(align(&r, "Ic an notsay", "I can not say", bad));
	retokenize_heads(&r, &parse, &text);
	assert_int_equal(text.word[0].head, 3);
	assert_int_equal(text.word[1].head, 1);
	assert_string_equal(text.word[1].rel, "goeswith");
	assert_int_equal(text.word[2].head, 0);
	retokenize_release(&r);
	dep_sentence_release(&parse);
	dep_sentence_release(&text);
}

static void
tree_is(const char *words, const char *tree, const char *want)
{
	struct dep_sentence text = { .n = 0 };
	struct retokenize r = { .n_text = 0 };
	struct tree t = { .n = 0 }, got = { .n = 0 };
	struct buf out = { 0 };
	const char *leaf[MOST];
	struct words w;
	struct err e;
	int bad[2], n = 0;

	cut(&w, words);
	for (int i = 0; i < w.n; i++)
		add(&text, w.word[i], 0, "_");
	assert_int_equal(ptb_parse(&t, tree, strlen(tree), 0, &e), 0);
	for (int i = 0; i < t.n; i++)
		if (t.node[i].leaf)
			leaf[n++] = t.node[i].label;
	assert_true(retokenize_align(&r, w.word, w.n, leaf, n, bad));
	retokenize_tree(&r, &t, &text, &got);
	tree_write(&got, &out);
	assert_string_equal(out.data, want);
	buf_release(&out);
	tree_release(&t);
	tree_release(&got);
	retokenize_release(&r);
	dep_sentence_release(&text);
}

static void
trees_by_hand(void **state)
{
	static const char *const tree = "(S (NP (D the) (N dog)) (VP (V runs)))";

	(void)state;
	tree_is("the dog runs", tree, tree);
	tree_is("the do g runs", tree, "(S (NP (D the) (N do g)) (VP (V runs)))");
	tree_is("thedog runs", tree, "(S (NP (D thedog)) (VP (V runs)))");
	tree_is("the dogruns", tree, "(S (NP (D the) (N dogruns)))");
	tree_is("th ed ogr un s", tree, "(S (NP (D th ed) (N ogr)) (VP (V un s)))");
	tree_is("thedogruns", tree, "(S (NP (D thedogruns)))");
}

/* With heads, a word has the place and the tags of its word nearest to the root. */
static void
trees_after_heads(void **state)
{
	struct dep_sentence parse = { .n = 0 }, text = { .n = 0 };
	struct retokenize r = { .n_text = 0 };
	struct tree t = { .n = 0 }, got = { .n = 0 };
	struct buf out = { 0 };
	struct err e;
	static const char *const tree = "(NP (JJ (CD 15) (HYPH -) (NN year)) (NN plan))";

	(void)state;
	add(&parse, "15", 3, "nummod");
	add(&parse, "-", 1, "punct");
	add(&parse, "year", 4, "compound");
	add(&parse, "plan", 0, "root");
	parse.word[0].upos = "NUM";
	parse.word[2].upos = "NOUN";
	add(&text, "15-", 0, "_");
	add(&text, "year", 0, "_");
	add(&text, "pl", 0, "_");
	add(&text, "an", 0, "_");
	assert_int_equal(ptb_parse(&t, tree, strlen(tree), 0, &e), 0);
	retokenize_set(&r, (const int[]){ 0, 2, 3, 3 }, 4, (const int[]){ 0, 0, 1, 2 }, 4);
	retokenize_heads(&r, &parse, &text);
	retokenize_tags(&r, &parse, &text);
	retokenize_tree(&r, &t, &text, &got);
	tree_write(&got, &out);
	assert_string_equal(out.data, "(NP (JJ (CD 15-) (NN year)) (NN pl an))");
	assert_string_equal(text.word[0].upos, "NUM");
	assert_int_equal(text.word[0].head, 2);
	assert_string_equal(text.word[3].rel, "goeswith");
	/* 15-, now all of 15-year, has the place of year */
	retokenize_set(&r, (const int[]){ 0, 3 }, 2, (const int[]){ 0, 0, 0, 1 }, 4);
	retokenize_heads(&r, &parse, &text);
	retokenize_tags(&r, &parse, &text);
	retokenize_tree(&r, &t, &text, &got);
	buf_clear(&out);
	tree_write(&got, &out);
	assert_string_equal(out.data, "(NP (JJ (NN 15-)) (NN year))");
	assert_string_equal(text.word[0].upos, "NOUN");
	assert_int_equal(text.word[0].head, 2);
	buf_release(&out);
	tree_release(&t);
	tree_release(&got);
	retokenize_release(&r);
	dep_sentence_release(&parse);
	dep_sentence_release(&text);
}

/* --- random tokenizations --- */

/* Sets the character at which each word begins; returns the number of words. */
static int
random_cut(struct rng *rng, const char *text, int n, char (*word)[MOST + 1], const char **w,
	   int *at)
{
	int k = 0, from = 0;

	while (from < n) {
		const int length = 1 + (int)rng_below(rng, (uint32_t)(n - from < 4 ? n - from : 4));

		snprintf(word[k], MOST + 1, "%.*s", length, text + from);
		w[k] = word[k];
		at[k++] = from;
		from += length;
	}
	return k;
}

/* The last word that begins at this character or before it. */
static int
word_at(const int *at, int n, int character)
{
	int i = n - 1;

	while (at[i] > character)
		i--;
	return i;
}

/* In a random order, each word gets an earlier one as its head; some are roots. */
static void
random_heads(struct rng *rng, const char *const *form, int n, struct dep_sentence *s)
{
	uint32_t order[MOST];

	rng_permutation(rng, order, (size_t)n);
	dep_sentence_clear(s);
	for (int i = 0; i < n; i++)
		add(s, form[i], 0, "x");
	for (int i = 1; i < n; i++)
		if (rng_below(rng, 8))
			s->word[order[i]].head = (int)order[rng_below(rng, (uint32_t)i)] + 1;
}

static int
depth_of(const struct dep_sentence *s, int i)
{
	return s->word[i].head ? 1 + depth_of(s, s->word[i].head - 1) : 0;
}

/*
 * Each word has the head of the highest word of the parse that begins in it; the result is a tree.
 */
static void
check_heads(const struct retokenize *r, const struct dep_sentence *parse,
	    const struct dep_sentence *text)
{
	int head[MOST];
	struct err e;

	for (int i = 0; i < text->n; i++) {
		int best = -1, up;

		for (int k = 0; k < parse->n; k++)
			if (r->in_text[k] == i &&
			    (best < 0 || depth_of(parse, k) < depth_of(parse, best)))
				best = k;
		head[i] = text->word[i].head;
		if (best < 0) {
			assert_int_equal(head[i], r->in_text[r->in_parse[i]] + 1);
			continue;
		}
		up = parse->word[best].head;
		assert_int_equal(head[i], up ? r->in_text[up - 1] + 1 : 0);
	}
	assert_int_equal(dep_check(head, text->n, &e), 0);
}

static void
random_tokenizations_agree_with_counting(void **state)
{
	static char text_word[MOST][MOST + 1], parse_word[MOST][MOST + 1];
	const char *a[MOST], *b[MOST];
	int at_a[MOST], at_b[MOST], bad[2];
	struct dep_sentence parse = { .n = 0 }, given = { .n = 0 };
	struct retokenize r = { .n_text = 0 };
	struct rng rng;

	(void)state;
	rng_init(&rng, 2025, 0, 0);
	for (int k = 0; k < CUTS; k++) {
		const int length = 1 + (int)rng_below(&rng, MOST - 1);
		char text[MOST + 1] = "";
		int n, m;

		for (int i = 0; i < length; i++)
			text[i] = (char)('a' + rng_below(&rng, 3));
		n = random_cut(&rng, text, length, text_word, a, at_a);
		m = random_cut(&rng, text, length, parse_word, b, at_b);
		assert_true(retokenize_align(&r, a, n, b, m, bad));
		for (int i = 0; i < n; i++)
			assert_int_equal(r.in_parse[i], word_at(at_b, m, at_a[i]));
		for (int i = 0; i < m; i++)
			assert_int_equal(r.in_text[i], word_at(at_a, n, at_b[i]));
		random_heads(&rng, b, m, &parse);
		dep_sentence_clear(&given);
		for (int i = 0; i < n; i++)
			add(&given, a[i], 0, "_");
		retokenize_heads(&r, &parse, &given);
		check_heads(&r, &parse, &given);
	}
	dep_sentence_release(&parse);
	dep_sentence_release(&given);
	retokenize_release(&r);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(words_are_aligned),
		cmocka_unit_test(different_texts_are_refused),
		cmocka_unit_test(heads_by_hand),
		cmocka_unit_test(trees_by_hand),
		cmocka_unit_test(trees_after_heads),
		cmocka_unit_test(random_tokenizations_agree_with_counting),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
