/* Results of a sentence do not depend on its batch, on later tokens, or on threads. */
#include "checks.h"

static const char *const names[] = { "fairseq", "onmt", "witwicky", "story" };

static void
a_sentence_does_not_depend_on_its_batch(void **state)
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
a_token_does_not_affect_earlier_rows(void **state)
{
	(void)state;
	for (size_t i = 0; i < 4; i++) {
		struct model *m = setup_model(names[i]);

		check_causal(m);
		model_free(m);
	}
}

static void
results_do_not_depend_on_threads(void **state)
{
	(void)state;
	for (size_t i = 0; i < 4; i++) {
		struct model *m = setup_model(names[i]);

		check_threads(m);
		model_free(m);
	}
}

static void
short_and_empty_sentences_work(void **state)
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
		cmocka_unit_test(a_sentence_does_not_depend_on_its_batch),
		cmocka_unit_test(a_token_does_not_affect_earlier_rows),
		cmocka_unit_test(results_do_not_depend_on_threads),
		cmocka_unit_test(short_and_empty_sentences_work),
	};

	return cmocka_run_group_tests_name("what a sentence does not depend on", tests, NULL, NULL);
}
