/* Relevance of one logit through whole models, from the output to the embeddings (methods 6.2). */
#include "setup.h"

#include "tape/op.h"

static const char *const names[] = { "fairseq", "onmt", "witwicky", "story" };

static double
sum_of(const struct node *n)
{
	double sum = 0;

	if (!n || !n->rel)
		fail_msg("no relevance has reached %s", n ? n->name : "the embeddings");
	for (size_t i = 0; i < node_size(n); i++)
		sum += n->rel[i];
	return sum;
}

/* What arrives at both embeddings, of 1 that starts at the best type of row r. */
static double
arrived(struct runtime *run, struct node *logits, int r, const struct lrp *how)
{
	real *rel = tape_relevance_seed(run->tape, logits);
	const real *x = logits->x + (ptrdiff_t)r * logits->ld;
	int best = 0;

	for (int v = 1; v < logits->d[1]; v++)
		if (x[v] > x[best])
			best = v;
	rel[(ptrdiff_t)r * logits->d[1] + best] = 1;
	tape_relevance(run->tape, logits, how);
	return sum_of(tape_find(run->tape, "src.embed")) +
	       sum_of(tape_find(run->tape, "tgt.embed"));
}

static void
check_rule(const struct lrp *how, double tolerance)
{
	for (size_t i = 0; i < 4; i++) {
		struct model *m = setup_model(names[i]);
		struct setup_batch s;
		struct runtime run;
		struct node *logits;

		setup_stir(m);
		setup_runtime(&run, 1, false);
		setup_batch(&s, m, setup_text, NULL, 4);
		logits = model_logits(
			m, run.tape,
			model_decode(m, run.tape, &s.b, model_encode(m, run.tape, &s.b)));
		for (int r = 0; r < logits->d[0]; r++) {
			double sum = arrived(&run, logits, r, how);

			if (fabs(sum - 1) > tolerance)
				fail_msg("%s, row %d: %.15g arrived of 1", names[i], r, sum);
		}
		setup_batch_end(&s);
		runtime_close(&run);
		model_free(m);
	}
}

static void
alpha_beta_loses_nothing(void **state)
{
	const struct lrp how = {
		.rule = LRP_ALPHABETA, .alpha = 0.5, .beta = 0.5, .norm = LRP_NORM_JACOBIAN
	};

	(void)state;
	check_rule(&how, 1e-10);
}

static void
epsilon_loses_nothing(void **state)
{
	const struct lrp how = { .rule = LRP_EPSILON, .eps = 1e-14, .norm = LRP_NORM_FROZEN_STD,
				 .attention_constant = 1 };

	(void)state;
	check_rule(&how, 1e-6);
}

/* Only the source and what the decoder has read can have a share in a row. */
static void
relevance_does_not_come_from_the_future(void **state)
{
	const struct lrp how = {
		.rule = LRP_ALPHABETA, .alpha = 0.5, .beta = 0.5, .norm = LRP_NORM_JACOBIAN
	};
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
	arrived(&run, logits, 1, &how);		/* row 1 of 4 of the first sentence */
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
