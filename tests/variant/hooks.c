/* The hooks of attention variants, with toy variants of this file. */
#include "checks.h"
#include "base/buf.h"
#include "base/mem.h"
#include "data/means.h"
#include "model/model-input.h"
#include "stream/stream.h"

/* neutral: has all hooks, which change nothing. */
static struct node *
give_scores(const struct attention *a, struct tape *t, const struct att_nodes *n)
{
	(void)a;
	(void)t;
	return n->scores;
}

static struct node *
give_weights(const struct attention *a, struct tape *t, const struct att_nodes *n)
{
	(void)a;
	(void)t;
	return n->weights;
}

static struct node *
give_context(const struct attention *a, struct tape *t, const struct att_nodes *n)
{
	(void)a;
	(void)t;
	return n->context;
}

static const struct attention_variant neutral = {
	.name = "neutral",
	.paper = "nobody, a variant that changes nothing",
	.version = 1,
	.scores = give_scores,
	.weights = give_weights,
	.context = give_context,
	.heads = give_context,
};

/* toy: hooks that change values, with a setting, a parameter, a field and a loss. */
struct toy {
	double amount;
	int64_t layer;
	struct param *mix;
};

static const struct toy toy_defaults = { .amount = 0.5, .layer = 1 };

static const struct opt toy_options[] = {
	{ .kind = OPT_FLOAT, .long_name = "amount", .arg = "x", .help = "how much",
	  .at = offsetof(struct toy, amount), .min = 0, .max = 10 },
	{ .kind = OPT_INT, .long_name = "layer", .arg = "n", .help = "encoder layer",
	  .at = offsetof(struct toy, layer), .min = 1, .max = 64 },
	{ .kind = OPT_END }
};

static const struct field toy_needs[] = { { "src.pieces", "[str]", 0 },
					  { "src.toy", "int", 1 },
					  { NULL, NULL, 0 } };

static int
toy_open(struct attention *a, const struct site *s, struct err *e)
{
	const struct toy *y = attention_state(a);

	if (y->layer > s->n_layers)
		return err_set(e, EXIT_USAGE, "layer %d of %d", (int)y->layer, s->n_layers);
	return s->where != ENCODER_SELF || s->layer != y->layer;
}

static void
toy_params(struct attention *a, struct params *p)
{
	struct toy *y = attention_state(a);
	const struct site *s = attention_site(a);
	const int d[2] = { s->model_dim, s->model_dim };
	char *name = xasprintf("%s.toy.mix", s->name);

	y->mix = params_add(p, name, INIT_XAVIER_UNIFORM, 1, 2, d);
	free(name);
}

static int
toy_batch(const struct attention *a, struct batch *b, struct err *e)
{
	int64_t bad;

	for (int i = 0; i < b->n; i++)
		if (!record_int(b->record[i], "src.toy", &bad))
			return err_set(e, EXIT_INPUT, "src.toy is %d", (int)bad);
	batch_keep(b, a, b->record);
	return 0;
}

static struct node *
toy_scores(const struct attention *a, struct tape *t, const struct att_nodes *n)
{
	const struct toy *y = attention_state(a);

	assert_null(n->weights);
	assert_null(n->context);
	return op_add(t, n->scores, op_scale(t, op_tanh(t, n->scores), y->amount));
}

static struct node *
toy_weights(const struct attention *a, struct tape *t, const struct att_nodes *n)
{
	(void)a;
	assert_non_null(n->scores);
	return op_multiply(t, n->weights, op_sigmoid(t, n->weights));
}

static struct node *
toy_context(const struct attention *a, struct tape *t, const struct att_nodes *n)
{
	(void)a;
	return op_add(t, n->context, op_tanh(t, n->q));
}

static struct node *
toy_heads(const struct attention *a, struct tape *t, const struct att_nodes *n)
{
	const struct toy *y = attention_state(a);

	return op_linear(t, n->context, tape_param(t, y->mix), NULL);
}

/* A quarter of the sum per target token, as a mean over two items per sentence. */
static struct node *
toy_loss(const struct attention *a, struct tape *t, const struct batch *b, real each)
{
	const struct toy *y = attention_state(a);

	return op_scale(t, op_sum(t, op_tanh(t, tape_param(t, y->mix))), 0.25 * each * 2 * b->n);
}

static double
toy_count(const struct attention *a, const struct batch *b)
{
	(void)a;
	return 2 * b->n;
}

static void
toy_report(const struct attention *a, struct tape *t, const struct batch *b, struct means *y)
{
	assert_non_null(tape_find(t, attention_site(a)->name));
	means_add(y, "toy.seen", b->n, 1);
}

static const struct attention_variant toy = {
	.name = "toy",
	.paper = "nobody, a variant that changes everything",
	.version = 3,
	.state_size = sizeof(struct toy),
	.defaults = &toy_defaults,
	.options = toy_options,
	.needs = toy_needs,
	.open = toy_open,
	.params = toy_params,
	.batch = toy_batch,
	.scores = toy_scores,
	.weights = toy_weights,
	.context = toy_context,
	.heads = toy_heads,
	.loss = toy_loss,
	.count = toy_count,
	.report = toy_report,
};

extern const struct attention_variant attention_sharp;		/* from man/attention.3 */

const struct attention_variant *const attention_extra[] = {
	&neutral, &toy, &attention_sharp, NULL
};

static const char *const names[] = { "fairseq", "onmt", "witwicky", "story" };

static struct model *
with(const char *preset, const char *const *spec, size_t n, double dropout_attention)
{
	struct model_config c = setup_config(preset);
	struct model *m;

	c.dropout_attention = dropout_attention;
	m = setup_model_of(&c, preset, spec, n, 7);
	setup_stir(m);
	return m;
}

static void
a_neutral_variant_changes_nothing(void **state)
{
	const char *spec = "neutral";

	(void)state;
	for (size_t i = 0; i < 4; i++) {
		struct model *plain = with(names[i], NULL, 0, 0), *m = with(names[i], &spec, 1, 0);
		struct setup_batch s, s2;
		struct runtime run;
		double a, b;

		assert_true(attention_set_fused(plain->attention, 0));
		assert_false(attention_set_fused(m->attention, 0));
		assert_int_equal(plain->params.total, m->params.total);
		setup_runtime(&run, 1, false);
		setup_batch(&s, plain, setup_text, NULL, 4);
		setup_batch(&s2, m, setup_text, NULL, 4);
		a = setup_loss(plain, &run, &s.b, true);
		b = setup_loss(m, &run, &s2.b, true);
		assert_true(off_by(a, b, 1) < 1e-14);
		for (size_t j = 0; j < m->params.total; j++)
			assert_true(off_by(plain->params.grad[j], m->params.grad[j], 1) < 1e-12);
		setup_batch_end(&s);
		setup_batch_end(&s2);
		runtime_close(&run);
		model_free(plain);
		model_free(m);
	}
}

/* With dropout, the two paths use different random numbers; unfused has a gradient test. */
static void
unfused_attention_has_a_correct_gradient(void **state)
{
	const char *spec[] = { "neutral", "toy:amount=0.7" };

	(void)state;
	for (size_t i = 0; i < 4; i++) {
		struct model *m = with(names[i], spec, 2, 0.25);
		struct setup_batch s;

		setup_batch(&s, m, setup_text, NULL, 4);
		setup_check_gradient(m, &s.b);
		setup_batch_end(&s);
		model_free(m);
	}
}

static void
unfused_attention_does_not_depend_on_the_batch(void **state)
{
	const char *spec = "neutral";
	struct model *m = with("onmt", &spec, 1, 0.3);
	struct setup_batch all, one;
	struct runtime run;
	double sum = 0;

	(void)state;
	setup_runtime(&run, 1, true);
	for (int64_t i = 0; i < 4; i++) {
		setup_batch(&one, m, &setup_text[i], &i, 1);
		sum += setup_loss(m, &run, &one.b, false);
		setup_batch_end(&one);
	}
	setup_batch(&all, m, setup_text, NULL, 4);
	assert_true(off_by(sum, setup_loss(m, &run, &all.b, false), 1) < 1e-13);
	setup_batch_end(&all);
	runtime_close(&run);
	model_free(m);
}

static void
a_loss_of_a_variant_counts_per_target_token(void **state)
{
	const char *spec = "toy";
	struct model *m = with("fairseq", &spec, 1, 0);
	const struct param *mix = params_find(&m->params, "enc.1.self.toy.mix");
	struct setup_batch s;
	struct runtime run;
	struct node *nll, *loss;
	double sum = 0;

	(void)state;
	assert_non_null(mix);
	assert_null(params_find(&m->params, "enc.2.self.toy.mix"));
	assert_false(attention_set_fused(m->attention, 0));
	assert_true(attention_set_fused(m->attention, 1));
	for (size_t i = 0; i < mix->n; i++)
		sum += 0.25 * tanh(mix->x[i]);
	setup_runtime(&run, 1, false);
	setup_batch(&s, m, setup_text, NULL, 4);
	loss = model_loss(m, run.tape, &s.b, &nll);
	assert_true(off_by(loss->x[0], nll->x[0] + sum * s.b.tgt.layout.rows, 1) < 1e-14);
	setup_batch_end(&s);
	runtime_close(&run);
	model_free(m);
}

/* tanh before doubling differs from doubling before tanh. */
static void
variants_run_in_the_order_given(void **state)
{
	const char *ab[] = { "toy", "sharp" }, *ba[] = { "sharp", "toy" };
	double loss[2];

	(void)state;
	for (int i = 0; i < 2; i++) {
		struct model *m = with("fairseq", i ? ba : ab, 2, 0);
		struct setup_batch s;
		struct runtime run;

		setup_runtime(&run, 1, false);
		setup_batch(&s, m, setup_text, NULL, 4);
		loss[i] = setup_loss(m, &run, &s.b, false);
		setup_batch_end(&s);
		runtime_close(&run);
		model_free(m);
	}
	assert_true(fabs(loss[0] - loss[1]) > 1e-6);
}

static void
specs_are_described_and_refused(void **state)
{
	const char *good = "toy:layer=2", *unknown = "nothing", *setting = "toy:amount=11",
		   *layer = "toy:layer=3";
	const char *no_settings = "neutral:x=1";
	struct model *m = with("fairseq", &good, 1, 0);
	const struct field *needs = attention_set_needs(m->attention, true);
	struct buf b;
	struct err e;
	int version;

	(void)state;
	b = (struct buf){ 0 };
	attention_set_describe(m->attention, 0, &b, &version);
	assert_string_equal(b.data, "toy:amount=0.5,layer=2");
	assert_int_equal(version, 3);
	assert_string_equal(needs[0].name, "src.pieces");
	assert_string_equal(needs[1].name, "src.toy");
	assert_null(needs[2].name);
	assert_null(attention_set_new(&unknown, 1, m->sites, m->n_sites, &e));
	assert_int_equal(e.status, EXIT_USAGE);
	assert_null(attention_set_new(&setting, 1, m->sites, m->n_sites, &e));
	assert_null(attention_set_new(&layer, 1, m->sites, m->n_sites, &e));
	assert_non_null(strstr(e.text, "layer 3 of 2"));
	assert_null(attention_set_new(&no_settings, 1, m->sites, m->n_sites, &e));
	buf_release(&b);
	model_free(m);
}

static void
batches_and_reports_reach_the_variants(void **state)
{
	const char *spec = "toy";
	struct model *m = with("fairseq", &spec, 1, 0);
	struct record *bad = record_new();
	struct means log = { 0 };
	const struct str a = { "a", 1 };
	const int64_t number = 16;
	struct setup_batch s;
	struct batch b;
	struct err e;
	struct runtime run;

	(void)state;
	setup_runtime(&run, 1, false);
	setup_batch(&s, m, setup_text, NULL, 4);
	assert_true(attention_set_ready(m->attention, &s.b));
	setup_loss(m, &run, &s.b, false);
	for (int i = 0; i < 2; i++)
		attention_set_report(m->attention, run.tape, &s.b, &log);
	assert_int_equal(log.n, 1);
	assert_string_equal(log.entry[0].name, "toy.seen");
	assert_true(log.entry[0].sum == 8 && log.entry[0].count == 2);
	record_set_strs(bad, "src.pieces", &a, 1);
	record_set_int(bad, "src.toy", 7);
	assert_int_equal(model_batch(m, &b, &s.mem, (const struct record *const *)&bad, &number, 1,
				     NULL, &e),
			 -1);
	assert_non_null(strstr(e.text, "src.toy is 7"));
	assert_false(attention_set_ready(m->attention, &b));
	means_release(&log);
	runtime_close(&run);
	record_free(bad);
	setup_batch_end(&s);
	model_free(m);
}

/* Weights of a site: rows sum to 1, and both paths have the same weights. */
static void
weights_can_be_read_at_every_site(void **state)
{
	const char *spec = "neutral";
	struct model *m[2] = { with("story", NULL, 0, 0.1), with("story", &spec, 1, 0.1) };
	struct setup_batch s[2];
	struct runtime run[2];

	(void)state;
	for (int k = 0; k < 2; k++) {
		setup_runtime(&run[k], 1, true);
		setup_batch(&s[k], m[k], setup_text, NULL, 4);
	}
	run[0].pass.training = run[1].pass.training = 0;
	for (int k = 0; k < 2; k++)
		setup_loss(m[k], &run[k], &s[k].b, false);
	for (size_t site = 0; site < m[0]->n_sites; site++) {
		const struct layout *queries[2], *keys[2];
		const ptrdiff_t *block[2];
		const real *w[2];

		for (int k = 0; k < 2; k++)
			w[k] = model_site_weights(m[k], run[k].tape, site, &block[k], &queries[k],
						  &keys[k]);
		for (int i = 0; i < 4; i++) {
			const int n = keys[0]->len[i], rows = 2 * queries[0]->len[i];

			assert_int_equal(n, keys[1]->len[i]);
			assert_int_equal(block[0][i + 1] - block[0][i], (ptrdiff_t)rows * n);
			for (int r = 0; r < rows; r++) {
				double sum = 0;

				for (int j = 0; j < n; j++) {
					const ptrdiff_t at = (ptrdiff_t)r * n + j;

					sum += w[0][block[0][i] + at];
					assert_true(off_by(w[0][block[0][i] + at],
							   w[1][block[1][i] + at], 1) < 1e-13);
				}
				assert_true(off_by(sum, 1, 1) < 1e-13);
			}
		}
	}
	for (int k = 0; k < 2; k++) {
		setup_batch_end(&s[k]);
		runtime_close(&run[k]);
		model_free(m[k]);
	}
}

static void
hooks_work_with_a_cache(void **state)
{
	const char *spec = "neutral";
	struct model *m = with("onmt", &spec, 1, 0);

	(void)state;
	check_incremental(m);
	model_free(m);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_neutral_variant_changes_nothing),
		cmocka_unit_test(unfused_attention_has_a_correct_gradient),
		cmocka_unit_test(unfused_attention_does_not_depend_on_the_batch),
		cmocka_unit_test(a_loss_of_a_variant_counts_per_target_token),
		cmocka_unit_test(variants_run_in_the_order_given),
		cmocka_unit_test(specs_are_described_and_refused),
		cmocka_unit_test(batches_and_reports_reach_the_variants),
		cmocka_unit_test(weights_can_be_read_at_every_site),
		cmocka_unit_test(hooks_work_with_a_cache),
	};

	return cmocka_run_group_tests_name("hooks of attention variants", tests, NULL, NULL);
}
