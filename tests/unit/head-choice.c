/* head-choice: the heads that values select. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "analysis/head-choice.h"

/* Three heads in the encoder, two in the decoder; head 2 of the latter's three is pruned. */
static int encoder[] = { 0, 1, 2 }, cross[] = { 0, 2 };
static struct site sites[] = {
	{ .where = ENCODER_SELF, .layer = 1, .heads = 3, .all_heads = 3, .head = encoder,
	  .name = "enc.1.self" },
	{ .where = DECODER_CROSS, .layer = 1, .heads = 2, .all_heads = 3, .head = cross,
	  .name = "dec.1.cross" }
};
static struct model m = { .sites = sites, .n_sites = 2 };

static void
fill(struct head_table *t)
{
	const double value[] = { 0.5, 0.2, 0.5, 0.9, 0.1 };

	*t = (struct head_table){ 0 };
	for (size_t i = 0; i < heads_before(sites, 2); i++)
		head_table_fill(t, sites, i, "x", value[i]);
}

/* Chooses and returns the removed heads, a digit each. */
static const char *
chosen(int kind, bool lowest, int64_t keep)
{
	static char text[6];
	struct head_choice c;
	struct head_table t;
	struct err e;

	fill(&t);
	head_choice_init(&c, &m, kind);
	assert_int_equal(head_choice_by(&c, &t, "x", lowest, keep, "t", &e), 0);
	for (int i = 0; i < 5; i++)
		text[i] = c.remove[i] ? '1' : '0';
	head_choice_release(&c);
	head_table_release(&t);
	return text;
}

static void
test_by(void **state)
{
	(void)state;
	assert_string_equal(chosen(-1, false, 5), "00000");
	assert_string_equal(chosen(-1, false, 3), "01001");
	assert_string_equal(chosen(-1, false, 2), "01101");	/* a tie: the first is retained */
	assert_string_equal(chosen(-1, true, 3), "00110");
	assert_string_equal(chosen(-1, false, 0), "11111");
	assert_string_equal(chosen(DECODER_CROSS, false, 1), "00001");
	assert_string_equal(chosen(ENCODER_SELF, true, 1), "10100");
}

static void
test_refused(void **state)
{
	struct head_choice c;
	struct head_table t;
	struct err e;

	(void)state;
	fill(&t);
	head_choice_init(&c, &m, DECODER_CROSS);
	assert_int_equal(head_choice_by(&c, &t, "x", false, 3, "t", &e), -1);
	assert_int_equal(e.status, EXIT_USAGE);
	assert_int_equal(head_choice_by(&c, &t, "y", false, 1, "t", &e), -1);
	assert_int_equal(e.status, EXIT_INPUT);
	head_choice_release(&c);
	head_table_release(&t);
}

static void
test_gates(void **state)
{
	struct head_choice c;
	struct rounding folded;

	(void)state;
	head_choice_init(&c, &m, ENCODER_SELF);
	assert_false(c.gated);
	c.gate[0] = c.unrounded[0] = 0.4;
	c.gate[1] = c.unrounded[1] = 0.5;
	c.gate[3] = 0.25;
	c.head[0].gated = c.head[1].gated = true;
	head_choice_by_gates(&c);
	assert_true(c.remove[0]);
	assert_false(c.remove[1] || c.remove[2] || c.remove[3] || c.remove[4]);
	assert_int_equal(c.rounding.heads, 2);
	assert_int_equal(c.rounding.fractional, 2);
	assert_float_equal(c.rounding.lowest, 0.4, 0);
	assert_float_equal(c.rounding.highest, 0.5, 0);
	folded = head_choice_folded(&c);
	assert_int_equal(folded.heads, 1);
	assert_float_equal(folded.lowest, 0.25, 0);
	head_choice_release(&c);
}

int
main(void)
{
	struct err e;
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_by), cmocka_unit_test(test_refused),
		cmocka_unit_test(test_gates)
	};

	int failed;

	m.attention = attention_set_new(NULL, 0, sites, 2, &e);
	failed = cmocka_run_group_tests(tests, NULL, NULL);
	attention_set_free(m.attention);
	return failed;
}
