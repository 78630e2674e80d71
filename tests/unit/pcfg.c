/* pcfg: rules read off a tree, probabilities by hand and by enumeration, malformed files. */
#include "pcfg-case.h"

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
		cmocka_unit_test(malformed_files_are_errors),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
