/*
 * Gates of a model: a masked head equals one with zero weights in the output projection.  Without
 * dropout, because its random numbers depend on the nodes of the tape, and gates add nodes.
 */
#include "attention/attention-heads.h"
#include "trials.h"

static const char *const presets_used[] = { "fairseq", "onmt", "story" };
enum { PRESETS = 3, HEADS = 12 };	/* two heads at each of six sites */

static double
loss_of(struct model *m)
{
	return setup_loss_of_text(m, 2, false);
}

static void
gates_of_one_change_no_bit(void **state)
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

/* Multiplies columns of the site's output projection by `by`. */
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
a_gate_scales_the_columns_of_its_head(void **state)
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

/* Also at a site with hooks: gates apply to the head outputs after the hooks. */
static void
gated_models_keep_all_invariants(void **state)
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

/* Sets the value projection of head `number`, from 0, to zeros, so that its output is 0. */
static void
zero_values(struct model *m, const struct site *s, int number)
{
	static const char *const part[] = { "weight", "bias" };
	const bool cross = s->where == DECODER_CROSS;
	const int row = ((cross ? 1 : 2) * s->heads + number) * s->head_dim;

	for (int k = 0; k < 2; k++) {
		char *name = xasprintf("%s.%s.%s", s->name, cross ? "kv" : "qkv", part[k]);
		struct param *p = params_find(&m->params, name);
		const size_t columns = p->n / (size_t)p->d[0];

		memset(p->x + (size_t)row * columns, 0,
		       (size_t)s->head_dim * columns * sizeof(*p->x));
		free(name);
	}
}

/* Whether a variant adds to the head outputs. */
static bool
has_context_hook(const struct model *m)
{
	for (size_t i = 0; i < attention_set_n(m->attention); i++)
		if (attention_set_variant(m->attention, i)->context)
			return true;
	return false;
}

/* The loss of the text, and its derivatives by the gates unless NULL. */
static double
differentiate(struct model *m, real *derivative)
{
	struct setup_batch s;
	struct runtime run;
	struct node *loss;
	double x;

	setup_runtime(&run, 2, false);
	setup_batch(&s, m, setup_text, NULL, 4);
	loss = model_loss(m, run.tape, &s.b, NULL);
	x = (double)*loss->x;
	tape_gradient(run.tape, loss, 1);
	for (size_t i = 0; derivative && i < m->n_sites; i++) {
		const struct node *gated = tape_find(run.tape, m->gate_name[i]);

		assert_non_null(gated->in[1]->grad);
		memcpy(derivative + heads_before(m->sites, i), gated->in[1]->grad,
		       (size_t)m->sites[i].heads * sizeof(*derivative));
	}
	setup_batch_end(&s);
	runtime_close(&run);
	return x;
}

/* The model has no other gradients. */
static void
gates_have_gradients(void **state)
{
	static const char *const specs[][2] = { { "bucket-bias" }, { "relative:k=2" } };
	const double step = 1e-5;
	real gates[HEADS], derivative[HEADS];

	(void)state;
	for (size_t k = 0; k < 3; k++) {
		const struct model_config c = setup_config("fairseq");
		struct model *m = setup_model_of(&c, "fairseq", k < 2 ? specs[k] : NULL, k < 2, 7);

		setup_stir(m);
		for (int i = 0; i < HEADS; i++)
			gates[i] = (real)(1 - 0.02 * i);
		params_freeze(&m->params, "*");
		model_gate(m, gates);
		model_gate_gradients(m);
		differentiate(m, derivative);
		for (int i = 0; i < HEADS; i++) {
			const real gate = gates[i];
			double more, less;

			gates[i] = gate + (real)step;
			more = differentiate(m, NULL);
			gates[i] = gate - (real)step;
			less = differentiate(m, NULL);
			gates[i] = gate;
			assert_true(off_by((more - less) / (2 * step), (double)derivative[i], 1) <
				    1e-6);
			assert_true(fabs((double)derivative[i]) > 1e-9);
		}
		model_free(m);
	}
}

enum { ROWS = 4096 };

static int
losses(struct model *m, real *row)
{
	struct setup_batch s;
	struct runtime run;
	int n;

	setup_runtime(&run, 2, false);
	setup_batch(&s, m, setup_text, NULL, 4);
	rows_of(m, &run, &s.b, row);
	n = s.b.tgt.layout.rows;
	setup_batch_end(&s);
	runtime_close(&run);
	return n;
}

static void
compare_losses(struct model *m, const char *list, const real *expected, int n)
{
	real found[ROWS];

	assert_int_equal(losses(m, found), n);
	for (int r = 0; r < n; r++)
		if (off_by(found[r], expected[r], 1) > 1e-11)
			fail_msg("%s: row %d is %.15g, expected %.15g", list, r, found[r],
				 expected[r]);
}

/* Masks one head by its name, and compares it with its gate and with zero values. */
static void
compare_mask(const struct trial *t, size_t site, int head)
{
	struct model *masked = build(t, 0), *gated = build(t, 0), *empty = build(t, 0);
	const struct site *s = &masked->sites[site];
	char *list = xasprintf("%s:%d", s->name, head + 1);
	real expected[ROWS], gates[HEADS];
	struct err e;
	int n;

	for (int i = 0; i < HEADS; i++)
		gates[i] = (size_t)i != heads_before(masked->sites, site) + (size_t)head;
	model_gate(gated, gates);
	n = losses(gated, expected);
	assert_int_equal(model_mask(masked, list, &e), 0);
	compare_losses(masked, list, expected, n);
	zero_values(empty, &empty->sites[site], head);
	if (!has_context_hook(empty))
		compare_losses(empty, list, expected, n);
	free(list);
	model_free(masked);
	model_free(gated);
	model_free(empty);
}

static void
masks_are_gates_in_every_variant(void **state)
{
	(void)state;
	setup_annotate = annotate;
	for (struct trial t = { 0 }; next_trial(&t);)
		for (size_t site = 0; site < HEADS / 2; site++)
			for (int head = 0; head < 2; head++)
				compare_mask(&t, site, head);
	setup_annotate = NULL;
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(gates_of_one_change_no_bit),
		cmocka_unit_test(a_gate_scales_the_columns_of_its_head),
		cmocka_unit_test(gated_models_keep_all_invariants),
		cmocka_unit_test(masks_are_gates_by_name),
		cmocka_unit_test(gates_have_gradients),
		cmocka_unit_test(masks_are_gates_in_every_variant),
	};

	return cmocka_run_group_tests_name("gates of a model", tests, NULL, NULL);
}
