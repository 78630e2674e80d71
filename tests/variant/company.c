/* What a sentence's numbers do not depend on: its company, later symbols, the number of threads. */
#include "checks.h"

static const char *const names[] = { "fairseq", "onmt", "witwicky", "story" };

static void
a_sentence_is_the_same_alone_and_in_company(void **state)
{
	(void)state;
	for (size_t i = 0; i < 4; i++) {
		struct model_config c = setup_config(names[i]);
		struct model *m;

		c.dropout_attention = c.dropout_relu = c.word_dropout = 0.3;
		m = setup_model_of(&c, names[i], NULL, 0, 7);
		setup_stir(m);
		check_company(m);
		model_free(m);
	}
}

static void
a_later_symbol_changes_nothing_before_it(void **state)
{
	(void)state;
	for (size_t i = 0; i < 4; i++) {
		struct model *m = setup_model(names[i]);

		check_causal(m);
		model_free(m);
	}
}

static void
threads_change_no_bit(void **state)
{
	(void)state;
	for (size_t i = 0; i < 4; i++) {
		struct model *m = setup_model(names[i]);

		check_threads(m);
		model_free(m);
	}
}

static void
short_and_empty_sentences_are_fine(void **state)
{
	(void)state;
	for (size_t i = 0; i < 4; i++) {
		struct model *m = setup_model(names[i]);

		check_short(m);
		model_free(m);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_sentence_is_the_same_alone_and_in_company),
		cmocka_unit_test(a_later_symbol_changes_nothing_before_it),
		cmocka_unit_test(threads_change_no_bit),
		cmocka_unit_test(short_and_empty_sentences_are_fine),
	};

	return cmocka_run_group_tests_name("what a sentence does not depend on", tests, NULL, NULL);
}
