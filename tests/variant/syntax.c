/*
 * Syntactic variants, compared with the weights of the plain model and the formulas of their
 * papers.
 */
#include "syntax-case.h"
#include "model/model-input.h"

enum { WORDS = 5 };

/* Weights of a variant must be those of the plain model times exp(bias), normalized. */
static void
check_bias(const char *const *spec, size_t n, bool src_end, pair_value *bias)
{
	struct run plain, biased;
	const real *a, *b;

	start(&plain, NULL, 0, src_end);
	start(&biased, spec, n, src_end);
	a = weights(&plain, "enc.1.self");
	b = weights(&biased, "enc.1.self");
	for (int h = 0; h < HEADS; h++)
		for (int i = 0; i < plain.len; i++) {
			const ptrdiff_t row = ((ptrdiff_t)h * plain.len + i) * plain.len;
			double sum = 0;

			for (int j = 0; j < plain.len; j++)
				sum += a[row + j] * exp(bias(&biased, h, i, j));
			for (int j = 0; j < plain.len; j++) {
				const double want = a[row + j] * exp(bias(&biased, h, i, j)) / sum;

				if (off_by(b[row + j], want, 1) > 1e-12)
					fail_msg("head %d, %d to %d: %.15g, expected %.15g", h, i,
						 j, b[row + j], want);
			}
		}
	stop(&plain);
	stop(&biased);
}

/* The end-of-sentence token attends to all and is attended to only by itself. */
static double
end_bias(int i, int j)
{
	return i < WORDS && j == WORDS ? -INFINITY : 0;
}

static double
dea_bias(const struct run *r, int h, int i, int j)
{
	(void)r;
	(void)h;
	if (i >= WORDS || j >= WORDS)
		return end_bias(i, j);
	return (i == closed ? i == j : linked(i, j)) ? 0 : -INFINITY;
}

static void
dependencies_are_a_mask(void **state)
{
	const char *spec = "dependency-mask";

	(void)state;
	check_bias(&spec, 1, true, dea_bias);
	check_bias(&spec, 1, false, dea_bias);
	closed = 2;			/* attends to itself */
	check_bias(&spec, 1, true, dea_bias);
	closed = -1;
}

/* -|tanh(W w_r + b) . u|, heads four wide. */
static double
phrase_bias(const struct run *r, int label)
{
	double dot = 0;

	for (int e = 0; e < 4; e++) {
		double h = number(r, "enc.1.self.phrase.bias", 0, e);

		for (int f = 0; f < 4; f++)
			h += number(r, "enc.1.self.phrase.weight", e, f) *
			     number(r, "enc.1.self.phrase.position", label, f);
		dot += tanh(h) * number(r, "enc.1.self.phrase.score", 0, e);
	}
	return -fabs(dot);
}

static double
lpea_bias(const struct run *r, int h, int i, int j)
{
	const int k = 3, d = depth(i, j);

	(void)h;
	if (i < WORDS && j < WORDS)
		return d == 127 ? -INFINITY : phrase_bias(r, (d < -k ? -k : d > k ? k : d) + k);
	return i < WORDS ? -INFINITY : phrase_bias(r, k);
}

static double
lpea_distance_bias(const struct run *r, int h, int i, int j)
{
	const int k = 1, d = j - i;

	(void)h;
	return depth(i, j) == 127 ? -INFINITY : phrase_bias(r, (d < -k ? -k : d > k ? k : d) + k);
}

static void
phrasal_positions_are_a_bias(void **state)
{
	const char *spec = "phrase-position:k=3", *distance = "phrase-position:k=1,label=distance";

	(void)state;
	check_bias(&spec, 1, true, lpea_bias);
	check_bias(&distance, 1, false, lpea_distance_bias);
}

static double
strength_bias(const struct run *r, int h, int i, int j)
{
	const int m = i < WORDS && j < WORDS ? relation(i, j) : i == j ? 0 : i < j ? 8 : 7;

	return -exp(number(r, "relation.strength", h, m));
}

static double
fixed_bias(const struct run *r, int h, int i, int j)
{
	const int m = relation(i, j);

	return m == 5 ? -1.5 : m == 6 ? -INFINITY
	     : -exp(number(r, "enc.1.self.relation.strength", h, m));
}

static void
relations_reduce_scores(void **state)
{
	const char *spec = "relation-mask";
	const char *fixed = "relation-mask:share=layer,fixed=anc:-1.5+desc:never";

	(void)state;
	check_bias(&spec, 1, true, strength_bias);
	check_bias(&fixed, 1, false, fixed_bias);
}

/* Settings of redundant-heads. */
struct redundancy_case {
	const char *spec;
	enum { SIGMOID, CONFIDENCE, FIXED } gate;
	double fixed;
	bool no_diagonal;
};

/* The test of equations 3, 9 and 10 on the rows and columns of words of the plain weights. */
struct expected { double confidence, syntax; bool important; };

static double
gate_of(const struct redundancy_case *c, double confidence)
{
	return c->gate == SIGMOID ? 1 / (1 + exp(-confidence))
	     : c->gate == CONFIDENCE ? confidence : c->fixed;
}

static struct expected
expect(const real *a, int len, const struct redundancy_case *c)
{
	struct expected e = { 0 };

	for (int i = 0; i < WORDS; i++) {
		double most = 0;

		for (int j = 0; j < WORDS; j++) {
			most = fmax(most, a[i * len + j]);
			if (linked(i, j) && !(c->no_diagonal && i == j))
				e.syntax += a[i * len + j] / WORDS;
		}
		e.confidence += most / WORDS;
	}
	e.important = e.syntax > gate_of(c, e.confidence);
	return e;
}

/*
 * Each head has the weights of the plain model, or of the one in which all are masked.  Returns the
 * number of important heads.
 */
static int
check_redundancy(const struct redundancy_case *how)
{
	const char *dea = "dependency-mask", *both[] = { dea, how->spec };
	struct run plain, masked, rhe;
	const struct head_test *test;
	const real *a, *b, *c;
	ptrdiff_t cells;
	int important = 0;

	start(&plain, NULL, 0, true);
	start(&masked, &dea, 1, true);
	start(&rhe, both, 2, true);
	cells = (ptrdiff_t)plain.len * plain.len;
	a = weights(&plain, "enc.1.self");
	b = weights(&masked, "enc.1.self");
	c = weights(&rhe, "enc.1.self");
	test = op_redundant_tests(tape_find(rhe.run.tape, "enc.1.self.redundant"));
	for (int h = 0; h < HEADS; h++) {
		const struct expected e = expect(a + h * cells, plain.len, how);

		assert_true(off_by(test[h].confidence, e.confidence, 1) < 1e-12);
		assert_true(off_by(test[h].syntax, e.syntax, 1) < 1e-12);
		assert_int_equal(test[h].important, e.important);
		important += e.important;
		for (ptrdiff_t i = h * cells; i < (h + 1) * cells; i++)
			assert_true(off_by(c[i], e.important ? a[i] : b[i], 1) < 1e-12);
	}
	stop(&plain);
	stop(&masked);
	stop(&rhe);
	return important;
}

/* A threshold between the two heads, one of which is redundant. */
static double
between_heads(bool no_diagonal)
{
	const struct redundancy_case c = { .no_diagonal = no_diagonal };
	struct run plain;
	const real *a;
	double sum = 0;

	start(&plain, NULL, 0, true);
	a = weights(&plain, "enc.1.self");
	for (int h = 0; h < HEADS; h++)
		sum += expect(a + h * plain.len * plain.len, plain.len, &c).syntax;
	stop(&plain);
	return sum / HEADS;
}

static void
redundant_heads_follow_from_the_plain_weights(void **state)
{
	struct redundancy_case c = { .gate = FIXED };
	char spec[96];

	(void)state;
	for (int off = 0; off < 2; off++) {
		c.no_diagonal = off;
		c.fixed = between_heads(off);
		c.spec = spec;
		snprintf(spec, sizeof(spec), "redundant-heads:gate=fixed,value=%.17g%s", c.fixed,
			 off ? ",diagonal=off" : "");
		assert_int_equal(check_redundancy(&c), 1);
	}
	/* Heads whose syntax is above their confidence, and below its sigmoid. */
	c = (struct redundancy_case){ "redundant-heads", SIGMOID, 0, false };
	assert_int_equal(check_redundancy(&c), 0);
	c = (struct redundancy_case){ "redundant-heads:gate=conf", CONFIDENCE, 0, false };
	assert_int_equal(check_redundancy(&c), 2);
}

static void
invalid_combinations_are_refused(void **state)
{
	static const char *const wrong[][3] = {
		{ "redundant-heads", NULL, "needs a biasing variant" },
		{ "sync", "dbsa", "expected dbsa on both sides" },
		{ "dbsa:dec=0", "sync", "expected dbsa on both sides" },
		{ "dependency-mask", "dependency-mask:last=2", "variant given twice" },
		{ "dependency-mask:first=3", NULL, "layers 3 to" },
		{ "dbsa:heads=3", NULL, "3 heads, expected at most 2" },
		{ "relation-mask:fixed=self:never", NULL, "self is never" },
		{ "relation-mask:fixed=uncle:-1", NULL, "'uncle:-1', expected a relation" },
		{ "relation-mask:fixed=anc:1", NULL, "fixed" },
	};
	const struct model_config c = setup_config("fairseq");

	(void)state;
	for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++) {
		struct vocab src, tgt;
		struct err e;

		letters(&src, "ab");
		letters(&tgt, "kl");
		assert_null(model_new(&c, &src, &tgt, wrong[i], wrong[i][1] ? 2 : 1, &e));
		assert_int_equal(e.status, EXIT_USAGE);
		if (!strstr(e.text, wrong[i][2]))
			fail_msg("%s: %s", wrong[i][0], e.text);
	}
}

/* A batch with fields of a wrong size is refused, and the message has the record. */
static void
refuse(struct model *m, const struct record *rec, const char *why, struct err *e)
{
	const int64_t number = 16;
	struct arena mem;
	struct batch b;

	arena_init(&mem, 0);
	assert_int_equal(model_batch(m, &b, &mem, &rec, &number, 1, NULL, e), -1);
	assert_int_equal(e->status, EXIT_INPUT);
	assert_non_null(strstr(e->text, why));
	arena_release(&mem);
}

static void
fields_of_a_wrong_size_are_refused(void **state)
{
	const char *spec[] = { "dependency-mask", "relation-mask", "dbsa" };
	struct model_config c = setup_config("fairseq");
	struct model *m = setup_model_of(&c, "fairseq", spec, 3, 1);
	const struct str piece[] = { { "a", 1 }, { "b", 1 } };
	const unsigned char small[1] = { 1 }, bits[2] = { 3, 3 };
	const signed char bad[4] = { 0, 9, 1, 0 }, good[4] = { 0, 8, 7, 0 };
	const int32_t word[] = { 0, 2 }, heads[] = { 0, 5 }, words[] = { 0, 1 };
	const int32_t rootless[] = { 2, 1 };
	struct record *rec = record_new();
	struct err e;

	(void)state;
	record_set_strs(rec, "src.pieces", piece, 2);
	record_set_strs(rec, "tgt.pieces", piece, 2);
	set_pairs(rec, "src.dep", TENSOR_BITS, 1, small);
	refuse(m, rec, "record 17: src.dep is 1 by 1, expected 2 by 2 as src.pieces", &e);
	set_pairs(rec, "src.dep", TENSOR_BITS, 2, bits);
	refuse(m, rec, "record 17: no src.relation, expected a matrix", &e);
	assert_non_null(strstr(e.hint, "flat tree"));
	record_set_ints(rec, "src.relation", words, 2);
	refuse(m, rec, "src.relation is not a matrix", &e);
	set_pairs(rec, "src.relation", TENSOR_I8, 2, bad);
	refuse(m, rec, "src.relation has 9 at row 1, column 2", &e);
	set_pairs(rec, "src.relation", TENSOR_I8, 2, good);
	record_set_ints(rec, "src.heads", heads, 2);
	refuse(m, rec, "src.heads without src.word", &e);
	record_set_ints(rec, "src.word", word, 2);
	refuse(m, rec, "src.word", &e);
	record_set_ints(rec, "src.word", words, 2);
	refuse(m, rec, "src.heads: word 2", &e);
	record_set_ints(rec, "src.heads", rootless, 2);
	refuse(m, rec, "src.heads: no word has head 0", &e);
	record_free(rec);
	model_free(m);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(dependencies_are_a_mask),
		cmocka_unit_test(phrasal_positions_are_a_bias),
		cmocka_unit_test(relations_reduce_scores),
		cmocka_unit_test(redundant_heads_follow_from_the_plain_weights),
		cmocka_unit_test(invalid_combinations_are_refused),
		cmocka_unit_test(fields_of_a_wrong_size_are_refused),
	};

	return cmocka_run_group_tests_name("trees in attention", tests, NULL, NULL);
}
