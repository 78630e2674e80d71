/* train-state: what a checkpoint knows of a training, and what it refuses. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "train/trainer.h"

static void
fill(struct trainer *t, struct train_settings *s)
{
	memset(t, 0, sizeof(*t));
	*s = train_defaults;
	s->checkpoint = "run.cp";
	t->set = s;
	t->config = preset_find("fairseq")->config;
	t->recipe = preset_find("fairseq")->recipe;
	t->run.backend.name = "openblas";
	t->part_tokens = 2048;
	t->corpus.n = 1000;
	t->corpus.digest = 0xabcdef;
	t->state = (struct train_state){
		.update = 1234, .epoch = 5, .batch = 6, .tokens = 1234567890123, .validations = 7,
		.bad = 2,
		.best = 1.0 / 3, .best_update = 1200, .lr_bad = 1, .lr_scale = 0.8 * 0.8,
		.mean = 1e-300,
		.lowest = -0.1, .row_updates = 34, .row_target = 9999, .row_tokens = 19999,
		.row_loss = 12345.678901234567, .row_nll = 1e22, .row_norm = 5e-324,
		.saves = 100, .since = 1000,
	};
	train_settings_describe(t);
}

static void
release(struct trainer *t)
{
	buf_release(&t->settings);
}

static void
numbers_survive_to_the_bit(void **state)
{
	struct train_settings s;
	struct trainer a, b;
	struct buf text = { 0 };
	struct err e;

	(void)state;
	fill(&a, &s);
	fill(&b, &s);
	memset(&b.state, 0, sizeof(b.state));
	train_state_write(&a, &text);
	if (train_state_read(&b, text.data, text.n, &e))
		fail_msg("%s", e.text);
	assert_memory_equal(&a.state, &b.state, sizeof(a.state));
	buf_release(&text);
	release(&a);
	release(&b);
}

/* Reads the state of one training in another; 0, or -1 and the message in *e. */
static int
goes_on(struct trainer *then, struct trainer *now, struct err *e)
{
	struct buf text = { 0 };
	int r;

	train_state_write(then, &text);
	buf_clear(&now->settings);
	train_settings_describe(now);
	r = train_state_read(now, text.data, text.n, e);
	buf_release(&text);
	return r;
}

static void
other_settings_are_named(void **state)
{
	struct train_settings s, z;
	struct trainer a, b;
	struct err e;

	(void)state;
	fill(&a, &s);
	fill(&b, &z);
	z.updates = 99;
	z.threads = 3;
	z.patience = 4;
	z.checkpoint_every = 7;
	assert_int_equal(goes_on(&a, &b, &e), 0);
	z.accumulate = 2;
	b.recipe.lr = 1e-3;
	assert_int_equal(goes_on(&a, &b, &e), -1);
	assert_int_equal(e.status, EXIT_USAGE);
	assert_non_null(strstr(e.text, "--accumulate was 1, is 2"));
	assert_non_null(strstr(e.text, "--lr was 0.0005"));
	assert_null(strstr(e.text, "--lr-init"));
	assert_non_null(strstr(e.text, "run.cp"));
	release(&a);
	release(&b);
}

/* A resumed training keeps its parts; a damaged checkpoint may have parts that divide by zero. */
static void
parts_are_kept(void **state)
{
	static const int64_t damaged[] = { 0, -1, INT64_MAX };
	struct train_settings s;
	struct trainer a, b;
	struct err e;

	(void)state;
	fill(&a, &s);
	fill(&b, &s);
	a.part_tokens = 512;
	b.part_tokens = 1024;
	buf_clear(&a.settings);
	train_settings_describe(&a);
	assert_int_equal(goes_on(&a, &b, &e), 0);
	assert_int_equal(b.part_tokens, 512);
	for (size_t i = 0; i < sizeof(damaged) / sizeof(*damaged); i++) {
		a.part_tokens = damaged[i];
		buf_clear(&a.settings);
		train_settings_describe(&a);
		assert_int_equal(goes_on(&a, &b, &e), -1);
		assert_non_null(strstr(e.text, "--part-tokens was"));
		assert_int_equal(b.part_tokens, 512);
	}
	release(&a);
	release(&b);
}

static void
another_corpus_is_refused(void **state)
{
	struct train_settings s;
	struct trainer a, b;
	struct err e;

	(void)state;
	fill(&a, &s);
	fill(&b, &s);
	b.corpus.digest++;
	assert_int_equal(goes_on(&a, &b, &e), -1);
	assert_non_null(strstr(e.text, "training-data was 1000 records, digest 00abcdef"));
	release(&a);
	release(&b);
}

static void
a_set_that_came_or_went_is_named(void **state)
{
	struct train_settings s, z;
	struct trainer a, b;
	struct err e;

	(void)state;
	fill(&a, &s);
	fill(&b, &z);
	z.dev = "dev.heed";
	assert_int_equal(goes_on(&a, &b, &e), -1);
	assert_non_null(strstr(e.text, "dev-data was none"));
	z.dev = NULL;
	z.freeze.n = 1;
	z.freeze.v = (const char *[]){ "enc.*" };
	assert_int_equal(goes_on(&a, &b, &e), -1);
	assert_non_null(strstr(e.text, "--freeze was , is enc.*"));
	release(&a);
	release(&b);
}

static void
damage_is_an_error(void **state)
{
	struct train_settings s;
	struct trainer a, b;
	struct buf text = { 0 };
	struct err e;

	(void)state;
	fill(&a, &s);
	fill(&b, &s);
	train_state_write(&a, &text);
	for (size_t n = 0; n < text.n; n++)
		assert_int_equal(train_state_read(&b, text.data, n, &e) ? -1 : 0,
				 n + 1 < text.n ? -1 : 0);
	text.data[3] ^= 1;
	assert_int_equal(train_state_read(&b, text.data, text.n, &e), -1);
	assert_int_equal(e.status, EXIT_INPUT);
	buf_release(&text);
	release(&a);
	release(&b);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbers_survive_to_the_bit),
		cmocka_unit_test(other_settings_are_named),
		cmocka_unit_test(parts_are_kept),
		cmocka_unit_test(another_corpus_is_refused),
		cmocka_unit_test(a_set_that_came_or_went_is_named),
		cmocka_unit_test(damage_is_an_error),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
