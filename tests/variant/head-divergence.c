/* head-divergence: the divergence loss of the variant head-importance. */
#include "importance-case.h"

/*
 * The difference of the loss per target token with the divergence term at weight 1 and without it;
 * and the gradients of both, if requested.
 */
static double
gain(real by, uint64_t seed, real **gradient, size_t *n)
{
	static const char *const spec[] = { "head-importance:weight=1",
					    "head-importance:weight=0" };
	double loss[2];

	for (int i = 0; i < 2; i++) {
		struct model *m = with(spec[i], seed);
		struct setup_batch s;
		struct runtime run;

		sharpen(m, by);
		setup_runtime(&run, 1, false);
		setup_batch(&s, m, setup_text, NULL, 4);
		loss[i] = setup_loss(m, &run, &s.b, true) / s.b.tgt.layout.rows;
		if (gradient) {
			*n = m->params.total;
			gradient[i] = xcalloc(*n, sizeof(real));
			memcpy(gradient[i], m->params.grad, *n * sizeof(real));
		}
		setup_batch_end(&s);
		runtime_close(&run);
		model_free(m);
	}
	return loss[0] - loss[1];
}

/* With equal weights, the divergence and its gradient are 0. */
static void
equal_heads_have_no_divergence(void **state)
{
	real *g[2];
	size_t n;

	(void)state;
	assert_true(fabs(gain(0, 7, g, &n)) < 1e-13);
	for (size_t i = 0; i < n; i++)
		assert_true(off_by(g[0][i], g[1][i], 1) < 1e-13);
	free(g[0]);
	free(g[1]);
}

static void
one_head_has_the_maximum_divergence(void **state)
{
	(void)state;
	assert_true(fabs(gain(1e9, 7, NULL, NULL) + log(HEADS)) < 1e-10);
}

static void
divergence_is_in_range(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed < 6; seed++) {
		const double x = gain(3, seed, NULL, NULL);

		assert_true(x < -1e-6 && x > -log(HEADS) + 1e-6);
	}
}

/* The mean divergence over the positions of a module, computed from the weights. */
static double
divergence(struct tape *t, int site)
{
	const struct node *a = weights_at(t, site);
	double sum = 0;

	for (int i = 0; i < a->d[0] * HEADS; i++)
		sum += a->x[i] * log(a->x[i] * HEADS);
	return sum / a->d[0];
}

/* The summed loss of a batch, and the mean divergence over positions, then over two modules. */
static double
loss_of(const char *spec, double *mean, int *targets)
{
	struct model *m = with(spec, 7);
	struct setup_batch s;
	struct runtime run;
	double loss;

	sharpen(m, 3);
	setup_runtime(&run, 1, false);
	setup_batch(&s, m, setup_text, NULL, 4);
	loss = setup_loss(m, &run, &s.b, false);
	*mean = (divergence(run.tape, 0) + divergence(run.tape, 2)) / 2;
	*targets = s.b.tgt.layout.rows;
	assert_null(tape_find(run.tape, "dec.2.self.importance"));
	setup_batch_end(&s);
	runtime_close(&run);
	model_free(m);
	return loss;
}

/* In the summed loss, the term counts for each target token, or once. */
static void
divergence_is_a_mean(void **state)
{
	double mean, loss[4];
	int targets;

	(void)state;
	loss[0] = loss_of("head-importance:dec=0,weight=0", &mean, &targets);
	loss[1] = loss_of("head-importance:dec=0,weight=0.4", &mean, &targets);
	loss[2] = loss_of("head-importance:dec=0,weight=0.4,norm=per-position", &mean, &targets);
	loss[3] = loss_of("head-importance:dec=0,weight=0.4,norm=per-token-of-update", &mean,
			  &targets);
	assert_true(targets > 4 && mean > 1e-3);
	assert_true(off_by(loss[0] - 0.4 * mean * targets, loss[1], 1) < 1e-13);
	assert_true(loss[1] == loss[2]);
	assert_true(off_by(loss[0] - 0.4 * mean, loss[3], 1) < 1e-13);
}

/* For a batch in an update of 50 target tokens, the whole update has the term once. */
static void
divergence_of_an_update_counts_once(void **state)
{
	static const char *const spec[] = { "head-importance:weight=0.4,norm=per-token-of-update",
					    "head-importance:weight=0" };
	double loss[2], sum = 0;

	(void)state;
	for (int i = 0; i < 2; i++) {
		struct model *m = with(spec[i], 7);
		double counts[64];
		struct setup_batch s;
		struct runtime run;

		sharpen(m, 3);
		setup_runtime(&run, 1, false);
		setup_batch(&s, m, setup_text, NULL, 4);
		for (int k = 0; k < 64; k++)
			counts[k] = 200;
		s.b.counts = counts;
		s.b.target = 50;
		loss[i] = setup_loss(m, &run, &s.b, false);
		for (int site = 0; i == 0 && site < 3; site++)
			sum += divergence(run.tape, site) * weights_at(run.tape, site)->d[0];
		setup_batch_end(&s);
		runtime_close(&run);
		model_free(m);
	}
	assert_true(off_by(loss[1] - loss[0], 0.4 * sum / 200 / 3, 1e-3) < 1e-11);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(equal_heads_have_no_divergence),
		cmocka_unit_test(one_head_has_the_maximum_divergence),
		cmocka_unit_test(divergence_is_in_range),
		cmocka_unit_test(divergence_is_a_mean),
		cmocka_unit_test(divergence_of_an_update_counts_once),
	};

	return cmocka_run_group_tests_name("divergence of heads", tests, NULL, NULL);
}
