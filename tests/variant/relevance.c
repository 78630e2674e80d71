/* Relevance of one logit through whole models, from the output to the embeddings (methods 6.2). */
#include "checks.h"

static const char *const names[] = { "fairseq", "onmt", "witwicky", "story" };

static void
check_rule(const struct lrp *how, double tolerance)
{
	for (size_t i = 0; i < 4; i++) {
		struct model *m = setup_model(names[i]);

		setup_stir(m);
		check_relevance(m, how, tolerance);
		model_free(m);
	}
}

static void
alpha_beta_loses_nothing(void **state)
{
	(void)state;
	check_rule(&check_alpha_beta, 1e-10);
}

static void
epsilon_loses_nothing(void **state)
{
	(void)state;
	check_rule(&check_epsilon, 1e-6);
}

/* Only the source and what the decoder has read can have a share in a row. */
static void
relevance_does_not_come_from_the_future(void **state)
{
	struct model *m = setup_model("fairseq");
	struct setup_batch s;
	struct runtime run;
	struct node *logits;
	const struct node *tgt;

	(void)state;
	setup_runtime(&run, 1, false);
	setup_batch(&s, m, setup_text, NULL, 4);
	logits = model_logits(m, run.tape,
			      model_decode(m, run.tape, &s.b, model_encode(m, run.tape, &s.b)));
	arrived(&run, logits, 1, &check_alpha_beta);		/* row 1 of 4 of the first sentence */
	tgt = tape_find(run.tape, "tgt.embed");
	for (size_t i = 0; i < node_size(tgt); i++)
		assert_true(i < 2 * 8 || tgt->rel[i] == 0);
	setup_batch_end(&s);
	runtime_close(&run);
	model_free(m);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(alpha_beta_loses_nothing),
		cmocka_unit_test(epsilon_loses_nothing),
		cmocka_unit_test(relevance_does_not_come_from_the_future),
	};

	return cmocka_run_group_tests_name("relevance through whole models", tests, NULL, NULL);
}
