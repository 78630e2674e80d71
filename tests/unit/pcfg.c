/* pcfg: rules read off a tree, probabilities by hand and by enumeration, malformed files. */
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
#include "parser/pcfg.h"
#include "scratch.h"
#include "trees/ptb.h"

static struct pcfg *
grammar(const char *text)
{
	struct err e = { .text = "" };
	struct pcfg *g = pcfg_read(text, strlen(text), &e);

	if (!g)
		fail_msg("%s", e.text);
	return g;
}

static void
add_text(struct pcfg *g, const char *text)
{
	struct tree t;
	struct err e;

	tree_init(&t);
	assert_int_equal(ptb_parse(&t, text, strlen(text), 0, &e), 0);
	pcfg_add(g, &t);
	tree_release(&t);
}

static void
check_written(const struct pcfg *g, const char *want)
{
	struct buf b = { 0 };

	pcfg_write(g, &b);
	assert_string_equal(b.data, want);
	buf_release(&b);
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
rules_are_read_off_trees(void **state)
{
	static const char want[] =
		"heed-pcfg\t1\n"
		"root\tS\t2\n"
		"rule\tS\tNP\tVP\t2\n"
		"rule\tNP\tDT\t@NP|DT\t1\n"
		"rule\t@NP|DT\tJJ\t@NP|JJ\t1\n"
		"rule\t@NP|JJ\tJJ\tNN\t1\n"
		"rule\tVP\tVB\t1\n"
		"rule\tNP\tNN\t1\n"
		"rule\tVP\tVB\tX\t1\n"
		"word\tDT\ta\t1\n"
		"word\tJJ\tb\t2\n"
		"word\tNN\t(\t1\n"
		"word\tVB\te\t2\n"
		"word\tNN\tf\t1\n"
		"word\tX\tg\t1\n"
		"end\t15\n";
	struct pcfg *g = pcfg_new(1), *again;
	struct err e;

	(void)state;
	add_text(g, "(S (NP (DT a) (JJ b) (JJ b) (NN -LRB-)) (VP (VB e)))");
	add_text(g, "(S (NP (NP (NN f))) (VP (VB e) g))");
	assert_int_equal(pcfg_finish(g, &e), 0);
	check_written(g, want);
	again = grammar(want);
	check_written(again, want);
	assert_int_equal(pcfg_size(again).parts, 2);
	assert_int_equal(pcfg_size(again).binary, 5);
	assert_int_equal(pcfg_size(again).unary, 2);
	pcfg_free(again);
	pcfg_free(g);
}

static void
parts_have_order_siblings(void **state)
{
	static const char *const want[] = {
		"rule\tA\tB\t@A|\t1\nrule\t@A|\tC\t@A|\t1\nrule\t@A|\tD\tE\t1\n",
		"rule\tA\tB\t@A|B\t1\nrule\t@A|B\tC\t@A|C\t1\nrule\t@A|C\tD\tE\t1\n",
		"rule\tA\tB\t@A|B\t1\nrule\t@A|B\tC\t@A|B C\t1\nrule\t@A|B C\tD\tE\t1\n",
	};

	(void)state;
	for (int order = 0; order < 3; order++) {
		struct pcfg *g = pcfg_new(order);
		struct buf b = { 0 };
		struct err e;

		add_text(g, "(A (B b) (C c) (D d) (E e))");
		assert_int_equal(pcfg_finish(g, &e), 0);
		pcfg_write(g, &b);
		assert_non_null(strstr(b.data, want[order]));
		buf_release(&b);
		pcfg_free(g);
	}
}

static const char by_hand[] =
	"heed-pcfg\t1\n"
	"root\tS\t10\n"
	"rule\tS\tNP\tVP\t10\n"
	"rule\tVP\tV\tNP\t6\n"
	"rule\tVP\tV\t4\n"
	"rule\tNP\tD\tN\t12\n"
	"rule\tNP\tN\t8\n"
	"word\tD\tthe\t12\n"
	"word\tN\tdog\t14\n"
	"word\tN\tfish\t6\n"
	"word\tV\tfish\t6\n"
	"word\tV\tsees\t14\n"
	"end\t12\n";

static void
the_best_tree_has_the_probability_computed_by_hand(void **state)
{
	static const char *const dog[] = { "the", "dog", "sees", "fish" };
	static const char *const fish[] = { "fish", "fish" };
	struct pcfg *g = grammar(by_hand);
	bool fallback = true;
	struct tree t;
	double p;

	(void)state;
	tree_init(&t);
	/* NP -> D N 12/20, dog 14/20, VP -> V NP 6/10, sees 14/20, NP -> N 8/20, fish 6/20 */
	p = pcfg_parse(g, dog, 4, &scratch, &t, &fallback);
	check_tree(&t, "(S (NP (D the) (N dog)) (VP (V sees) (NP (N fish))))");
	assert_true(!fallback && fabs(p - log(0.6 * 0.7 * 0.6 * 0.7 * 0.4 * 0.3)) < 1e-5);
	/* NP -> N 8/20, fish 6/20, VP -> V 4/10, fish 6/20 */
	p = pcfg_parse(g, fish, 2, &scratch, &t, &fallback);
	check_tree(&t, "(S (NP (N fish)) (VP (V fish)))");
	assert_true(!fallback && fabs(p - log(0.4 * 0.3 * 0.4 * 0.3)) < 1e-5);
	assert_int_equal(scratch.used, 0);
	tree_release(&t);
	pcfg_free(g);
}

static void
sentences_without_a_parse_branch_right(void **state)
{
	static const char *const the[] = { "the", "dog", "the" };
	const char *word[PCFG_MAX_WORDS + 1];
	struct pcfg *g = grammar(by_hand);
	bool fallback = false;
	struct tree t;

	(void)state;
	tree_init(&t);
	assert_true(pcfg_parse(g, the, 3, &scratch, &t, &fallback) == -INFINITY && fallback);
	check_tree(&t, "(S (D the) (S (N dog) (D the)))");
	fallback = false;
	assert_true(pcfg_parse(g, the, 1, &scratch, &t, &fallback) == -INFINITY && fallback);
	check_tree(&t, "(S (D the))");
	for (int i = 0; i <= PCFG_MAX_WORDS; i++)
		word[i] = "fish";
	fallback = false;
	pcfg_parse(g, word, PCFG_MAX_WORDS + 1, &scratch, &t, &fallback);
	assert_true(fallback);
	assert_int_equal(t.n_words, PCFG_MAX_WORDS + 1);
	tree_release(&t);
	pcfg_free(g);
}

/* Ten verbs in -ing and ten nouns in capitals, each seen once. */
static void
unknown_words_have_the_tags_of_their_class(void **state)
{
	static const char *const unknown[] = { "Wolverton", "gliding" };
	struct pcfg *g = pcfg_new(1);
	struct tree t;
	struct err e;
	bool fallback;

	(void)state;
	for (int i = 0; i < 10; i++) {
		char text[64];

		snprintf(text, sizeof(text), "(S (NP (N %con)) (VP (V %cing)))", 'A' + i, 'a' + i);
		add_text(g, text);
	}
	assert_int_equal(pcfg_finish(g, &e), 0);
	tree_init(&t);
	pcfg_parse(g, unknown, 2, &scratch, &t, &fallback);
	check_tree(&t, "(S (NP (N Wolverton)) (VP (V gliding)))");
	assert_false(fallback);
	tree_release(&t);
	pcfg_free(g);
}

/*
 * Random grammars: phrases A to D, their parts, tags t to v, words x to z.  The best tree is found
 * from the definition: apply word rules, binary rules and unary rules until no score improves.  All
 * words have the tag t, so none is unknown.
 */
enum { PHRASES = 4, PARTS = 2, TAGS = 3, SYMBOLS = PHRASES + TAGS + PARTS };
enum { WORDS = 3, MAX_WORDS = 6 };

static const char *const symbol[] = { "A", "B", "C", "D", "t", "u", "v", "@1", "@2" };
static const char *const some_words[] = { "x", "y", "z" };

struct tiny {
	double binary[SYMBOLS][SYMBOLS][SYMBOLS], unary[SYMBOLS][SYMBOLS], word[SYMBOLS][WORDS];
	double root[SYMBOLS], sum[SYMBOLS], roots;
};

static double
some_count(struct rng *r, uint32_t one_in)
{
	return rng_below(r, one_in) ? 0 : 6 + rng_below(r, 20);
}

static void
tiny_counts(struct tiny *t, struct rng *r)
{
	memset(t, 0, sizeof(*t));
	for (int a = 0; a < SYMBOLS; a++) {
		bool phrase = a < PHRASES, part = a >= PHRASES + TAGS;

		t->roots += t->root[a] = phrase ? some_count(r, 2) : 0;
		for (int b = 0; b < SYMBOLS; b++) {
			if (phrase && b != a && b < PHRASES + TAGS)
				t->sum[a] += t->unary[a][b] = some_count(r, 3);
			for (int c = 0; (phrase || part) && b < PHRASES + TAGS && c < SYMBOLS; c++)
				t->sum[a] += t->binary[a][b][c] = some_count(r, 8);
		}
		for (int w = 0; w < WORDS && !phrase && !part; w++)
			t->sum[a] += t->word[a][w] = a == PHRASES ? 7 : some_count(r, 2);
	}
}

/* Parses a line of the grammar; what is root, rule or word. */
static void
tiny_line(struct buf *out, int *lines, double count, const char *what, const char *names)
{
	if (count > 0) {
		buf_printf(out, "%s\t%s\t%.0f\n", what, names, count);
		++*lines;
	}
}

static void
tiny_write(const struct tiny *t, struct buf *out)
{
	char names[32];
	int lines = 1;

	buf_add_str(out, "heed-pcfg\t1\n");
	for (int a = 0; a < SYMBOLS; a++) {
		tiny_line(out, &lines, t->root[a], "root", symbol[a]);
		for (int w = 0; w < WORDS; w++) {
			snprintf(names, sizeof(names), "%s\t%s", symbol[a], some_words[w]);
			tiny_line(out, &lines, t->word[a][w], "word", names);
		}
		for (int b = 0; b < SYMBOLS; b++) {
			snprintf(names, sizeof(names), "%s\t%s", symbol[a], symbol[b]);
			tiny_line(out, &lines, t->unary[a][b], "rule", names);
			for (int c = 0; c < SYMBOLS; c++) {
				snprintf(names, sizeof(names), "%s\t%s\t%s", symbol[a], symbol[b],
					 symbol[c]);
				tiny_line(out, &lines, t->binary[a][b][c], "rule", names);
			}
		}
	}
	buf_printf(out, "end\t%d\n", lines);
}

/* Computes relative frequencies from counts. */
static void
tiny_normalise(struct tiny *t)
{
	for (int a = 0; a < SYMBOLS; a++) {
		double sum = t->sum[a] > 0 ? t->sum[a] : 1;

		t->root[a] /= t->roots;
		for (int w = 0; w < WORDS; w++)
			t->word[a][w] /= sum;
		for (int b = 0; b < SYMBOLS; b++) {
			t->unary[a][b] /= sum;
			for (int c = 0; c < SYMBOLS; c++)
				t->binary[a][b][c] /= sum;
		}
	}
}

static bool
raise_to(double *best, double p)
{
	bool better = p > *best * (1 + 1e-12);

	if (better)
		*best = p;
	return better;
}

typedef double table[MAX_WORDS][MAX_WORDS + 1][SYMBOLS];

/* Does any rule improve the score of symbol a over words [i,j)? */
static bool
improve_one(const struct tiny *t, const int *word, int i, int j, int a, table best)
{
	double *p = &best[i][j][a];
	bool better = j - i == 1 && raise_to(p, t->word[a][word[i]]);

	for (int b = 0; b < SYMBOLS; b++) {
		better |= raise_to(p, t->unary[a][b] * best[i][j][b]);
		for (int k = i + 1; k < j; k++)
			for (int c = 0; c < SYMBOLS; c++)
				better |= raise_to(p, t->binary[a][b][c] * best[i][k][b] *
						   best[k][j][c]);
	}
	return better;
}

static bool
improve(const struct tiny *t, const int *word, int n, table best)
{
	bool better = false;

	for (int i = 0; i < n; i++)
		for (int j = i + 1; j <= n; j++)
			for (int a = 0; a < SYMBOLS; a++)
				better |= improve_one(t, word, i, j, a, best);
	return better;
}

static double
best_by_trying(const struct tiny *t, const int *word, int n)
{
	static table best;
	double p = 0;

	memset(best, 0, sizeof(best));
	while (improve(t, word, n, best))
		;
	for (int a = 0; a < SYMBOLS; a++)
		p = fmax(p, best[0][n][a] * t->root[a]);
	return p;
}

static int
symbol_at(const struct tree *t, int node)
{
	for (int s = 0; s < SYMBOLS; s++)
		if (!strcmp(t->node[node].label, symbol[s]))
			return s;
	fail_msg("what is %s", t->node[node].label);
	return -1;
}

/* The product of the rule probabilities of a tree without parts of phrases. */
static double
probability_of(const struct tiny *t, const struct tree *tree, const int *word)
{
	double p = t->root[symbol_at(tree, 0)];

	for (int i = 0, w = 0; i < tree->n; i++) {
		int a, b;

		if (tree->node[i].leaf)
			continue;
		a = symbol_at(tree, i);
		if (tree_is_tag(tree, i)) {
			p *= t->word[a][word[w++]];
			continue;
		}
		b = tree_after(tree, i + 1);
		if (b > tree->node[i].last)
			p *= t->unary[a][symbol_at(tree, i + 1)];
		else
			p *= t->binary[a][symbol_at(tree, i + 1)][symbol_at(tree, b)];
	}
	return p;
}

static bool
is_binary(const struct tree *t)
{
	for (int i = 0; i < t->n; i++)
		if (!t->node[i].leaf && tree_after(t, i + 1) <= t->node[i].last &&
		    tree_after(t, tree_after(t, i + 1)) <= t->node[i].last)
			return false;
	return true;
}

static void
the_best_tree_is_as_probable_as_by_enumeration(void **state)
{
	int parsed = 0, scored = 0;

	(void)state;
	for (uint32_t round = 0; round < 150; round++) {
		struct buf text = { 0 };
		struct tiny tiny;
		struct pcfg *g;
		struct tree t;
		struct rng r;

		rng_init(&r, 1, rng_purpose("tiny grammars"), round);
		tiny_counts(&tiny, &r);
		tiny.root[0] += 6;
		tiny.roots += 6;
		tiny_write(&tiny, &text);
		tiny_normalise(&tiny);
		g = grammar(text.data);
		tree_init(&t);
		for (int n = 1; n <= MAX_WORDS; n++) {
			const char *words[MAX_WORDS];
			int word[MAX_WORDS];
			bool fallback;
			double p, want;

			for (int i = 0; i < n; i++)
				words[i] = some_words[word[i] = (int)rng_below(&r, WORDS)];
			p = pcfg_parse(g, words, n, &scratch, &t, &fallback);
			want = best_by_trying(&tiny, word, n);
			assert_int_equal(fallback, want <= 0);
			assert_int_equal(t.n_words, n);
			if (fallback)
				continue;
			parsed++;
			assert_true(fabs(p - log(want)) < 1e-4);
			if (is_binary(&t)) {
				assert_true(fabs(log(probability_of(&tiny, &t, word)) - p) < 1e-4);
				scored++;
			}
		}
		tree_release(&t);
		pcfg_free(g);
		buf_release(&text);
	}
	assert_true(parsed > 300 && scored > 100);
}

static void
malformed_files_are_errors(void **state)
{
	static const struct { const char *text, *want; } bad[] = {
		{ "", "line 1: no more lines" },
		{ "heed-pcfg\t2\n", "line 1: a grammar of format 2, expected 1" },
		{ "heed\t1\n", "line 1: not a grammar" },
		{ "heed-pcfg\t1\nroot\tS\t1\n", "line 3: no more lines" },
		{ "heed-pcfg\t1\nroot\tS\t1", "line 2: a truncated line" },
		{ "heed-pcfg\t1\nroot\tS\t1\nend\t3\n", "line 3: end with another number" },
		{ "heed-pcfg\t1\nroot\tS\t1\nend\t2\n\n", "line 3: text after end" },
		{ "heed-pcfg\t1\nend\t1\n", "no trees" },
		{ "heed-pcfg\t1\nroot\tS\t0\n", "line 2: '0', expected an integer" },
		{ "heed-pcfg\t1\nroot\tS\t1\nroot\tS\t1\n", "line 3: a duplicate line" },
		{ "heed-pcfg\t1\nroot\t@S\t1\n", "line 2: '@S', expected a label" },
		{ "heed-pcfg\t1\nrule\tS\t@S|\t1\n", "line 2: '@S|', expected a label" },
		{ "heed-pcfg\t1\nrule\tS\tS\t1\n", "line 2: a unary rule from a label to itself" },
		{ "heed-pcfg\t1\nrule\tS\tNP\tVP\tPP\t1\n", "line 2: too many fields" },
		{ "heed-pcfg\t1\nrule\tS\n", "line 2: a line of another kind" },
		{ "heed-pcfg\t1\nword\tS\t\t1\n", "line 2: an empty field" },
		{ "heed-pcfg\t1\nword\tS\ta\r\t1\n", "line 2: a control character (13)" },
		{ "heed-pcfg\t1\nword\tS\t\xff\t1\n", "line 2: not UTF-8" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		struct err e;

		assert_null(pcfg_read(bad[i].text, strlen(bad[i].text), &e));
		assert_int_equal(e.status, EXIT_INPUT);
		if (strncmp(e.text, bad[i].want, strlen(bad[i].want)))
			assert_string_equal(e.text, bad[i].want);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rules_are_read_off_trees),
		cmocka_unit_test(parts_have_order_siblings),
		cmocka_unit_test(the_best_tree_has_the_probability_computed_by_hand),
		cmocka_unit_test(sentences_without_a_parse_branch_right),
		cmocka_unit_test(unknown_words_have_the_tags_of_their_class),
		cmocka_unit_test(the_best_tree_is_as_probable_as_by_enumeration),
		cmocka_unit_test(malformed_files_are_errors),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
