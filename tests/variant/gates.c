/*
 * Gates of a model: a closed head is one that the output projection has no weights for.
 * (Without dropout: its masks follow the nodes of the tape, of which there are more.)
 */
#include "attention/attention-heads.h"
#include "checks.h"

static const char *const presets_used[] = { "fairseq", "onmt", "story" };
enum { PRESETS = 3, HEADS = 12 };	/* two heads at each of six sites */

static double
loss_of(struct model *m)
{
	struct setup_batch s;
	struct runtime run;
	double loss;

	setup_runtime(&run, 2, false);
	setup_batch(&s, m, setup_text, NULL, 4);
	loss = setup_loss(m, &run, &s.b, false);
	setup_batch_end(&s);
	runtime_close(&run);
	return loss;
}

static void
open_gates_change_no_bit(void **state)
{
	real gates[HEADS];

	(void)state;
	for (int i = 0; i < HEADS; i++)
		gates[i] = 1;
	for (int k = 0; k < PRESETS; k++) {
		struct model *m = setup_model(presets_used[k]);
		const double before = loss_of(m);

		model_gate(m, gates);
		assert_true(loss_of(m) == before);
		model_free(m);
	}
}

/* Columns of the site's output projection, times `by`. */
static void
scale_output(struct model *m, size_t site, int head, real by)
{
	char *name = xasprintf("%s.out.weight", m->sites[site].name);
	struct param *w = params_find(&m->params, name);

	for (int i = 0; i < w->d[0]; i++)
		for (int j = 0; j < m->sites[site].head_dim; j++)
			w->x[i * w->d[1] + head * m->sites[site].head_dim + j] *= by;
	free(name);
}

static void
a_gate_scales_what_the_projection_takes_of_its_head(void **state)
{
	real gates[HEADS];

	(void)state;
	for (int k = 0; k < PRESETS; k++)
		for (int i = 0; i < HEADS; i++) {
			struct model *m = setup_model(presets_used[k]),
				*other = setup_model(presets_used[k]);
			const real gate = i % 3 ? 0 : (real)0.3;
			double plain;

			setup_stir(m);
			setup_stir(other);
			plain = loss_of(m);
			for (int j = 0; j < HEADS; j++)
				gates[j] = j == i ? gate : 1;
			model_gate(m, gates);
			scale_output(other, (size_t)i / 2, i % 2, gate);
			assert_true(off_by(loss_of(m), loss_of(other), 1) < 1e-13);
			assert_true(off_by(loss_of(m), plain, 1) > 1e-9);
			model_free(m);
			model_free(other);
		}
}

/* With hooks at a site, too: what they make of scores and contexts is gated. */
static void
gated_models_keep_what_all_models_keep(void **state)
{
	static const char *const specs[][2] = { { "relative:k=2" }, { "head-importance:dropout=0" },
						{ "localness" } };
	real gates[HEADS] = { 0, 1, 0.5, 1, 1, 0, 0.25, 2, 0, 0, 1, -1 };

	(void)state;
	for (size_t i = 0; i < 4; i++) {
		const struct model_config c = setup_config("fairseq");
		struct model *m = setup_model_of(&c, "fairseq", i < 3 ? specs[i] : NULL, i < 3, 7);

		setup_stir(m);
		model_gate(m, gates);
		check_company(m);
		check_incremental(m);
		check_threads(m);
		check_relevance(m, &check_alpha_beta, 1e-10);
		model_free(m);
	}
}

static void
masks_are_gates_by_name(void **state)
{
	struct model *m = setup_model("fairseq"), *other = setup_model("fairseq");
	struct err e;

	(void)state;
	assert_int_equal(model_mask(m, "enc-self.2:1 cross:2", &e), 0);
	scale_output(other, 1, 0, 0);
	scale_output(other, 4, 1, 0);
	scale_output(other, 5, 1, 0);
	assert_true(off_by(loss_of(m), loss_of(other), 1) < 1e-13);
	assert_int_equal(model_mask(m, "enc-self.9:1", &e), -1);
	assert_int_equal(e.status, EXIT_USAGE);
	model_free(m);
	model_free(other);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(open_gates_change_no_bit),
		cmocka_unit_test(a_gate_scales_what_the_projection_takes_of_its_head),
		cmocka_unit_test(gated_models_keep_what_all_models_keep),
		cmocka_unit_test(masks_are_gates_by_name),
	};

	return cmocka_run_group_tests_name("gates of a model", tests, NULL, NULL);
}
