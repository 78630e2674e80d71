/* lrp-sums: shares and means of relevance, worked out by hand. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "attribution/lrp-sums.h"

/* Two sites, of two heads and one head; the first head of the second site is pruned. */
static int first[] = { 0, 1 }, second[] = { 1 };
static struct site sites[] = {
	{ .where = ENCODER_SELF, .layer = 1, .heads = 2, .all_heads = 2, .head = first },
	{ .where = DECODER_CROSS, .layer = 1, .heads = 1, .all_heads = 2, .head = second }
};

static double
value(struct head_table *t, const char *name, enum site_where where, int head)
{
	const struct head_column *c = head_table_find(t, name);

	assert_non_null(c);
	return head_table_get(c, head_table_row(t, where, 1, head));
}

static void
test_means(void **state)
{
	const struct model m = { .sites = sites, .n_sites = 2 };
	double head[] = { 1, -3, 0, 2, 2, 5 };	/* [2 positions, 3 heads] */
	struct lrp_sentence one = { .positions = 2, .head = head, .lost = 0.02, .error = 1e-7 };
	struct lrp_sums s;
	struct head_table t;
	struct err e;

	(void)state;
	lrp_sums_init(&s, &m);
	assert_int_equal(lrp_sums_add(&s, &one, &e), 0);
	one.positions = 0;
	one.lost = 0.005;
	one.error = 1e-6;
	assert_int_equal(lrp_sums_add(&s, &one, &e), 0);
	t = (struct head_table){ 0 };
	lrp_sums_fill(&s, "relevance", &t);
	assert_int_equal(t.n, 3);
	assert_null(head_table_find(&t, "relevance.error"));
	assert_float_equal(value(&t, "relevance", ENCODER_SELF, 1), 0.375, 1e-12);
	assert_float_equal(value(&t, "relevance", ENCODER_SELF, 2), 0.625, 1e-12);
	assert_float_equal(value(&t, "relevance", DECODER_CROSS, 2), 1, 1e-12);
	assert_float_equal(value(&t, "relevance.raw", ENCODER_SELF, 1), 1.5, 1e-12);
	assert_float_equal(value(&t, "relevance.raw", ENCODER_SELF, 2), -0.5, 1e-12);
	assert_float_equal(value(&t, "relevance.raw", DECODER_CROSS, 2), 2.5, 1e-12);
	assert_int_equal(s.rounded, 1);
	assert_float_equal(s.lost, 0.02, 1e-12);
	assert_float_equal(s.error, 1e-6, 1e-12);
	one.lost = one.error = NAN;
	assert_int_equal(lrp_sums_add(&s, &one, &e), 0);
	one.lost = one.error = 0;
	assert_int_equal(lrp_sums_add(&s, &one, &e), 0);
	assert_int_equal(s.rounded, 2);
	assert_true(isnan(s.lost) && isnan(s.error));
	head_table_release(&t);
	lrp_sums_release(&s);
}

/*
 * Shares of the first head by sentence: sums 1/4 + 1/2 and 1 of 2 and 1 positions, so that the mean
 * is 7/12, and the residuals are 3/4 - 7/6 = -5/12 and 5/12.  Its relevance: sums 3 and 6, mean 3,
 * residuals -3 and 3.  The second site has relevance in one position of each sentence.
 */
static void
test_errors(void **state)
{
	const struct model m = { .sites = sites, .n_sites = 2 };
	double first_sentence[] = { 1, -3, 0, 2, 2, 5 }, second_sentence[] = { 6, 0, 1 };
	struct lrp_sentence one = { .positions = 2, .head = first_sentence };
	struct lrp_sums s;
	struct head_table t;
	struct err e;

	(void)state;
	lrp_sums_init(&s, &m);
	s.with_errors = true;
	assert_int_equal(lrp_sums_add(&s, &one, &e), 0);
	one.positions = 1;
	one.head = second_sentence;
	assert_int_equal(lrp_sums_add(&s, &one, &e), 0);
	t = (struct head_table){ 0 };
	lrp_sums_fill(&s, "relevance", &t);
	assert_float_equal(value(&t, "relevance", ENCODER_SELF, 1), 7. / 12, 1e-12);
	assert_float_equal(value(&t, "relevance.error", ENCODER_SELF, 1), 5. / 18, 1e-12);
	assert_float_equal(value(&t, "relevance.raw.error", ENCODER_SELF, 1), 2, 1e-12);
	assert_float_equal(value(&t, "relevance.error", DECODER_CROSS, 2), 0, 1e-12);
	head_table_release(&t);
	lrp_sums_release(&s);
}

/* The relevance of a head that is no number is an error, and leaves the sums as they are. */
static void
test_not_finite(void **state)
{
	const struct model m = { .sites = sites, .n_sites = 2 };
	double head[] = { 1, -3, 0, 2, 2, NAN };
	bool none[] = { false, true };
	struct lrp_sentence one = { .positions = 2, .head = head };
	struct lrp_sums s;
	struct err e;

	(void)state;
	lrp_sums_init(&s, &m);
	assert_int_equal(lrp_sums_add(&s, &one, &e), -1);
	assert_int_equal(e.status, EXIT_INPUT);
	assert_string_equal(e.text, "the relevance of head 2 of cross.1 at target position 2 is "
			    "nan, expected a finite number");
	assert_int_equal(s.total.all, 0);
	one.none = none;	/* a position without relevance */
	assert_int_equal(lrp_sums_add(&s, &one, &e), 0);
	head[1] = INFINITY;
	assert_int_equal(lrp_sums_add(&s, &one, &e), -1);
	assert_string_equal(e.text, "the relevance of head 2 of enc-self.1 at target position 1 "
			    "is inf, expected a finite number");
	assert_int_equal(s.total.all, 1);
	lrp_sums_release(&s);
}

static void
test_no_positions(void **state)
{
	const struct model m = { .sites = sites, .n_sites = 2 };
	struct lrp_sums s;
	struct head_table t;

	(void)state;
	lrp_sums_init(&s, &m);
	t = (struct head_table){ 0 };
	lrp_sums_fill(&s, "relevance", &t);
	assert_int_equal(t.n, 3);
	assert_null(head_table_find(&t, "relevance"));
	head_table_release(&t);
	lrp_sums_release(&s);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_means), cmocka_unit_test(test_errors),
		cmocka_unit_test(test_not_finite), cmocka_unit_test(test_no_positions)
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
