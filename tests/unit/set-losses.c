/*
 * set-losses: random sets have as many heads of each kind of attention as the set that they are
 * compared with, differ by seed, and do not exist if the set has all heads of its kinds.
 */
#include "head-vocab.h"

#include "analysis/set-losses.h"

enum { ENC = 3, DEC = 2, IN_ENC = ENC * HEADS, IN_DEC = DEC * HEADS, ALL = IN_ENC + 2 * IN_DEC,
       SETS = 40 };

static struct model *
small_model(void)
{
	struct model_config c = preset_find("story")->config;
	struct vocab src, tgt;
	struct model *m;
	struct err e;

	c.enc_layers = ENC;
	c.dec_layers = DEC;
	c.width = WIDTH;
	c.ff = 32;
	c.heads = HEADS;
	make_vocab(&src);
	make_vocab(&tgt);
	m = model_new(&c, &src, &tgt, NULL, 0, &e);
	assert_non_null(m);
	params_allocate(&m->params, false);
	return m;
}

static int
count(const bool *mask, int from, int n)
{
	int in = 0;

	for (int i = 0; i < n; i++)
		in += mask[from + i];
	return in;
}

static void
random_sets_have_the_kinds_of_the_set(void **state)
{
	struct model *m = small_model();
	struct set_losses l, other;
	bool set[ALL] = { [1] = true, [5] = true, [IN_ENC + IN_DEC] = true };
	int chosen[ALL] = { 0 };

	(void)state;
	set_losses_begin(&l, m, set, SETS, 1);
	set_losses_begin(&other, m, set, SETS, 2);
	assert_int_equal(l.n, SETS + 2);
	assert_int_equal(l.size, 3);
	assert_int_equal(count(l.masked[0], 0, ALL), 0);
	assert_memory_equal(l.masked[1], set, sizeof(set));
	for (int k = 2; k < SETS + 2; k++) {
		assert_int_equal(count(l.masked[k], 0, IN_ENC), 2);
		assert_int_equal(count(l.masked[k], IN_ENC, IN_DEC), 0);
		assert_int_equal(count(l.masked[k], IN_ENC + IN_DEC, IN_DEC), 1);
		for (int i = 0; i < ALL; i++)
			chosen[i] += l.masked[k][i];
	}
	/* In 40 sets, a head of the encoder is missing with probability (10 / 12)^40. */
	for (int i = 0; i < ALL; i++)
		assert_true((chosen[i] > 0) == (i < IN_ENC || i >= IN_ENC + IN_DEC));
	assert_true(memcmp(l.masked[2], other.masked[2], ALL) ||
		    memcmp(l.masked[3], other.masked[3], ALL));
	set_losses_end(&l);
	set_losses_end(&other);
	set_losses_release(&l);
	set_losses_release(&other);
	model_free(m);
}

static void
all_heads_of_a_kind_leave_no_choice(void **state)
{
	struct model *m = small_model();
	struct set_losses l;
	bool set[ALL] = { false };

	(void)state;
	for (int i = 0; i < IN_DEC; i++)
		set[IN_ENC + i] = true;
	set_losses_begin(&l, m, set, SETS, 1);
	assert_int_equal(l.n, 2);
	set_losses_end(&l);
	set_losses_release(&l);
	set[0] = true;
	set_losses_begin(&l, m, set, SETS, 1);
	assert_int_equal(l.n, SETS + 2);
	assert_int_equal(count(l.masked[2], IN_ENC, IN_DEC), IN_DEC);
	set_losses_end(&l);
	set_losses_release(&l);
	model_free(m);
}

static void
rises_are_counted(void **state)
{
	double loss[] = { 1, 3, 2, 3, 4, 2.5 };
	const struct set_losses l = { .loss = loss, .n = 6, .size = 2 };
	struct buf out = { 0 };

	(void)state;
	assert_int_equal(set_losses_below(&l), 2);
	set_losses_text(&l, &out);
	assert_string_equal(out.data, "without it  NLL +2.000 per token (4 random sets of 2: "
			    "+1.000 to +3.000)\n");
	buf_release(&out);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(random_sets_have_the_kinds_of_the_set),
		cmocka_unit_test(all_heads_of_a_kind_leave_no_choice),
		cmocka_unit_test(rises_are_counted),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
