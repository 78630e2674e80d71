/*
 * Invariants of all variants, alone and combined: gradients, independence of the batch, of future
 * tokens and of threads, incremental decoding, relevance.
 */
#include "trials.h"

static void
gradients(struct model *m)
{
	struct setup_batch s;

	setup_batch(&s, m, setup_text, NULL, 4);
	setup_check_gradient(m, &s.b);
	setup_batch_end(&s);
}

static void
gradients_are_correct(void **state)
{
	(void)state;
	each(gradients, 0.2);
}

static void
results_do_not_depend_on_the_batch(void **state)
{
	(void)state;
	each(check_company, 0.2);
}

static void
results_do_not_depend_on_the_future(void **state)
{
	(void)state;
	each(check_causal, 0);
}

static void
results_do_not_depend_on_threads(void **state)
{
	(void)state;
	each(check_threads, 0.2);
}

static void
steps_equal_the_whole_decoder(void **state)
{
	(void)state;
	each(check_incremental, 0);
}

static void
short_sentences_work(void **state)
{
	(void)state;
	each(check_short, 0.2);
}

static void
alpha_beta(struct model *m)
{
	check_relevance(m, &check_alpha_beta, 1e-10);
}

static void
alpha_beta_local(struct model *m)
{
	check_relevance(m, &check_alpha_beta_local, 1e-10);
}

static void
epsilon(struct model *m)
{
	check_relevance(m, &check_epsilon, 1e-6);
}

static void
relevance_is_conserved(void **state)
{
	(void)state;
	each(alpha_beta, 0);
	each(alpha_beta_local, 0);
	each(epsilon, 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(gradients_are_correct),
		cmocka_unit_test(results_do_not_depend_on_the_batch),
		cmocka_unit_test(results_do_not_depend_on_the_future),
		cmocka_unit_test(results_do_not_depend_on_threads),
		cmocka_unit_test(steps_equal_the_whole_decoder),
		cmocka_unit_test(short_sentences_work),
		cmocka_unit_test(relevance_is_conserved),
	};

	return cmocka_run_group_tests_name("variants of attention", tests, NULL, NULL);
}
