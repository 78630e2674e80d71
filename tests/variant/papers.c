/*
 * Every variant, alone and with others, against what every model must keep: gradients, the company of other
 * sentences, the past, the number of threads, decoding step by step, relevance.
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
gradients_are_right(void **state)
{
	(void)state;
	each(gradients, 0.2);
}

static void
company_changes_nothing(void **state)
{
	(void)state;
	each(check_company, 0.2);
}

static void
nothing_comes_from_the_future(void **state)
{
	(void)state;
	each(check_causal, 0);
}

static void
threads_change_no_bit(void **state)
{
	(void)state;
	each(check_threads, 0.2);
}

static void
steps_give_what_the_whole_gives(void **state)
{
	(void)state;
	each(check_incremental, 0);
}

static void
short_sentences_are_fine(void **state)
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
relevance_is_kept(void **state)
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
		cmocka_unit_test(gradients_are_right),
		cmocka_unit_test(company_changes_nothing),
		cmocka_unit_test(nothing_comes_from_the_future),
		cmocka_unit_test(threads_change_no_bit),
		cmocka_unit_test(steps_give_what_the_whole_gives),
		cmocka_unit_test(short_sentences_are_fine),
		cmocka_unit_test(relevance_is_kept),
	};

	return cmocka_run_group_tests_name("variants of attention", tests, NULL, NULL);
}
