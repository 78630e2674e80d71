/* attention-heads: lists of heads, and what is no list. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "attention/attention-heads.h"

static const int number[] = { 0, 1, 2, 3 };

/* Two encoder layers of 4 and 3 heads, a decoder layer of 4. */
static const struct site sites[] = {
	{ .where = ENCODER_SELF, .layer = 1, .heads = 4, .all_heads = 4, .head = number,
	  .name = "enc.1.self" },
	{ .where = ENCODER_SELF, .layer = 2, .heads = 3, .all_heads = 3, .head = number,
	  .name = "enc.2.self" },
	{ .where = DECODER_SELF, .layer = 1, .heads = 4, .all_heads = 4, .head = number,
	  .name = "dec.1.self" },
	{ .where = DECODER_CROSS, .layer = 1, .heads = 4, .all_heads = 4, .head = number,
	  .name = "dec.1.cross" },
};

enum { SITES = 4, HEADS = 15 };

/* Which: one character a head, x for those in the set. */
static void
means(const char *list, const char *which)
{
	bool set[HEADS] = { false };
	char found[HEADS + 1] = { 0 };
	struct err e;

	if (head_set_add(set, list, sites, SITES, &e))
		fail_msg("%s: %s", list, e.text);
	for (int i = 0; i < HEADS; i++)
		found[i] = set[i] ? 'x' : '.';
	assert_string_equal(found, which);
}

static void
lists_name_heads(void **state)
{
	(void)state;
	means("enc-self.2:1,3", "....x.x........");
	means("enc.2.self:1+3", "....x.x........");
	means("enc-self.1:2-4 cross.1:all", ".xxx.......xxxx");
	means("enc-self:1;dec.1.cross:4", "x...x.........x");
	means("all", "xxxxxxxxxxxxxxx");
	means("all:1", "x...x..x...x...");
	means("enc-self.2:2 all:3-3", "..x..xx..x...x.");
	means("dec-self.1:2/dec-self.1:4/ cross:2-2", "........x.x.x..");
}

/* Of one site heads 2 and 4 are left of 4, of another none. */
static void
heads_that_are_left_keep_their_numbers(void **state)
{
	static const int left[] = { 1, 3 }, first[] = { 0 };
	static const struct site less[] = {
		{ .where = ENCODER_SELF, .layer = 1, .heads = 2, .all_heads = 4, .head = left,
		  .name = "enc.1.self" },
		{ .where = ENCODER_SELF, .layer = 2, .heads = 0, .all_heads = 4, .head = left,
		  .name = "enc.2.self" },
	};
	static const struct site one[] = {
		{ .where = ENCODER_SELF, .layer = 1, .heads = 1, .all_heads = 1, .head = first,
		  .name = "enc.1.self" },
		{ .where = ENCODER_SELF, .layer = 2, .heads = 0, .all_heads = 1, .head = first,
		  .name = "enc.2.self" },
	};
	bool set[2] = { false };
	struct buf list = { 0 };
	struct err e;

	(void)state;
	assert_int_equal(head_set_add(set, "enc-self.1:4", less, 2, &e), 0);
	assert_true(!set[0] && set[1]);
	head_set_describe(set, less, 2, &list);
	assert_string_equal(list.data, "enc-self.1:4");
	assert_int_equal(head_set_add(set, "enc-self:1-3", less, 2, &e), 0);
	assert_true(set[0]);
	assert_int_equal(head_set_add(set, "enc-self.2:all", less, 2, &e), -1);
	assert_string_equal(e.text, "heads of enc-self.2: all were pruned");
	assert_int_equal(head_set_add(set, "enc-self.2:1-4", less, 2, &e), -1);
	assert_int_equal(head_set_add(set, "enc-self.1:1,enc-self.2:2", less, 2, &e), -1);
	assert_int_equal(head_set_add(set, "all", less + 1, 1, &e), -1);
	set[0] = set[1] = false;
	assert_int_equal(head_set_add(set, "all", less, 2, &e), 0);
	assert_true(set[0] && set[1]);
	assert_int_equal(head_set_add(set, "enc-self.1:3", less, 2, &e), -1);
	assert_non_null(strstr(e.text, "3 was pruned"));
	assert_int_equal(head_set_add(set, "enc-self.1:5", less, 2, &e), -1);
	/* All heads of sites with one head each, one of which is pruned */
	set[0] = false;
	assert_int_equal(head_set_add(set, "enc-self:all", one, 2, &e), 0);
	assert_true(set[0]);
	assert_int_equal(head_set_add(set, "enc-self:1", one, 2, &e), -1);
	buf_release(&list);
}

static void
invalid_lists_are_refused(void **state)
{
	static const char *const wrong[][2] = {
		{ "", "empty list" }, { " ; ", "empty list" },
		{ "enc-self.2", "has no heads" },
		{ "enc-self.2:", "expected an integer from 1 to 3" },
		{ "enc-self.3:1", "unknown site enc-self.3, expected one like enc-self.1" },
		{ "enc-self.2:4", "head of enc-self.2: '4', expected an integer from 1 to 3" },
		{ "enc-self:4", "head of enc-self.2" }, { "cross.1:0", "'0'" },
		{ "cross.1:3-2", "from 3 to 4" }, { "cross.1:1,", "''" }, { "cross.1:1-", "''" },
		{ "cross.1x:1", "unknown site" }, { "encself:1", "unknown site" },
		{ "enc-self.:1", "unknown site" }, { ":1", "unknown site" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++) {
		bool set[HEADS] = { false };
		struct err e;

		assert_int_equal(head_set_add(set, wrong[i][0], sites, SITES, &e), -1);
		assert_int_equal(e.status, EXIT_USAGE);
		if (!strstr(e.text, wrong[i][1]))
			fail_msg("%s: %s", wrong[i][0], e.text);
	}
}

static void
described_sets_read_back(void **state)
{
	bool set[HEADS] = { [0] = true, [5] = true, [6] = true, [14] = true },
		again[HEADS] = { false };
	struct buf b = { 0 };
	struct err e;

	(void)state;
	head_set_describe(set, sites, SITES, &b);
	buf_add_char(&b, 0);
	assert_string_equal(b.data, "enc-self.1:1/enc-self.2:2+3/cross.1:4");
	assert_int_equal(head_set_add(again, b.data, sites, SITES, &e), 0);
	assert_memory_equal(set, again, sizeof(set));
	buf_release(&b);
}

enum { MANY_LAYERS = 64, MANY_HEADS = 256, LONG = 1 << 18 };

/* This many layers of one kind, as large as models can be. */
static void
many_sites(struct site *site)
{
	static int all[MANY_HEADS];

	for (int h = 0; h < MANY_HEADS; h++)
		all[h] = h;
	for (int i = 0; i < MANY_LAYERS; i++)
		site[i] = (struct site){ .where = DECODER_CROSS, .layer = i + 1,
					 .heads = MANY_HEADS,
					 .all_heads = MANY_HEADS, .head = all, .name = "" };
}

/*
 * A model file can have such.  It took half a minute when heads were counted again for each
 * site that a name stands for.
 */
static void
long_lists_take_no_time(void **state)
{
	static const char *const again[][2] = { { "", "cross:1 " }, { "", "cross:all " },
						{ "cross:", "2-256," } };
	static bool set[MANY_LAYERS * MANY_HEADS];
	struct site site[MANY_LAYERS];

	(void)state;
	many_sites(site);
	for (size_t i = 0; i < sizeof(again) / sizeof(*again); i++) {
		const clock_t before = clock();
		struct buf list = { 0 };
		struct err e;

		memset(set, 0, sizeof(set));
		buf_add_str(&list, again[i][0]);
		while (list.n < LONG)
			buf_add_str(&list, again[i][1]);
		list.data[list.n - 1] = 0;
		if (head_set_add(set, list.data, site, MANY_LAYERS, &e))
			fail_msg("%s", e.text);
		assert_true(set[(MANY_LAYERS - 1) * MANY_HEADS + (i == 2)]);
		assert_true((double)(clock() - before) / CLOCKS_PER_SEC < 2);
		buf_release(&list);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lists_name_heads),
		cmocka_unit_test(heads_that_are_left_keep_their_numbers),
		cmocka_unit_test(invalid_lists_are_refused),
		cmocka_unit_test(described_sets_read_back),
		cmocka_unit_test(long_lists_take_no_time),
	};

	return cmocka_run_group_tests_name("lists of heads", tests, NULL, NULL);
}
