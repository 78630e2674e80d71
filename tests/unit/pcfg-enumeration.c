/* pcfg-enumeration: the best tree of a random grammar, compared with all of its trees. */
#include "pcfg-case.h"

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

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_best_tree_is_as_probable_as_by_enumeration),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
