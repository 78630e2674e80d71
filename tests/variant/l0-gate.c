/* Hard Concrete gates: published values, their gradient, the penalty, and fixed heads. */
#include "gate-case.h"

#include "ops/kit/concrete-gate.h"

/* log alpha, test-time gate, P(open), computed by hand. */
static void
gates_are_as_published(void **state)
{
	static const double known[][3] = {
		{ -3, 0, 0.098972 },	    { -2.398, 0, 0.167048 },   { -1, 0.222730, 0.448015 },
		{ 0, 0.5, 0.688112 },	    { 1, 0.777270, 0.857087 }, { 2.398, 1, 0.960430 },
		{ 3, 1, 0.977932 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++) {
		assert_true(fabs(hard_concrete_test(known[i][0]).gate - known[i][1]) < 1e-6);
		assert_true(fabs(hard_concrete_open(known[i][0]) - known[i][2]) < 5e-7);
	}
	assert_true(hard_concrete_test(-log(11) - 1e-9).gate == 0);
	assert_true(hard_concrete_test(-log(11) + 1e-6).gate > 0);
	assert_true(hard_concrete_test(log(11) + 1e-9).gate == 1);
	assert_true(hard_concrete_test(log(11) - 1e-6).gate < 1);
	assert_true(hard_concrete_sample(1, 0.5).gate == 1);
	assert_true(hard_concrete_sample(-1, 0.5).gate == 0);
	assert_true(fabs(hard_concrete_sample(0, 0.5).gate - 0.5) < 1e-15);
}

/*
 * The derivative is 1.2 s (1 - s) / 0.33, with s from the gate, and 0 where the gate is 0 or 1;
 * compared with differences.
 */
static void
the_slope_is_the_derivative(void **state)
{
	int inside = 0;

	(void)state;
	for (double x = -3; x <= 3; x += 0.37)
		for (double u = 0; u < 1; u += 0.083) {
			const struct hard_concrete g = hard_concrete_sample(x, u);
			const double s = (g.gate + 0.1) / 1.2, h = 1e-6;
			const double up = hard_concrete_sample(x + h, u).gate,
				     down = hard_concrete_sample(x - h, u).gate;

			if (g.gate == 0 || g.gate == 1) {
				assert_true(g.slope == 0);
				continue;
			}
			inside++;
			assert_true(fabs(g.slope - 1.2 * s * (1 - s) / 0.33) < 1e-12);
			if (up < 1 && down > 0)
				assert_true(fabs(g.slope - (up - down) / (2 * h)) < 1e-7);
		}
	assert_true(inside > 20);
}

/* The gates of both encoder layers in an update, for one of its batches. */
static void
sample(struct model *m, const char *const *text, int n, uint32_t step, real gate[LAYERS * HEADS])
{
	struct setup_batch s;
	struct runtime run;

	setup_runtime(&run, 1, true);
	run.pass.step = step;
	setup_batch(&s, m, text, NULL, n);
	model_encode(m, run.tape, &s.b);
	memcpy(gate, tape_find(run.tape, "enc.1.self.gate")->x, HEADS * sizeof(*gate));
	memcpy(gate + HEADS, tape_find(run.tape, "enc.2.self.gate")->x, HEADS * sizeof(*gate));
	setup_batch_end(&s);
	runtime_close(&run);
}

/* All batches of an update have the same gates; in 400 updates, P(open) of them are open. */
static void
an_update_has_one_sample(void **state)
{
	struct model *m = with("l0-gate:init=-0.5", 7);
	const double p = hard_concrete_open(-0.5);
	real one[LAYERS * HEADS], other[LAYERS * HEADS];
	int open[LAYERS * HEADS] = { 0 }, same[LAYERS * HEADS] = { 0 };

	(void)state;
	for (uint32_t step = 0; step < 400; step++) {
		sample(m, setup_text, 3, step, one);
		sample(m, setup_text + 3, 1, step, other);
		assert_memory_equal(one, other, sizeof(one));
		for (int i = 0; i < LAYERS * HEADS; i++) {
			open[i] += one[i] > 0;
			same[i] += one[i] == one[0];
		}
	}
	for (int i = 0; i < LAYERS * HEADS; i++) {
		assert_true(fabs(open[i] / 400. - p) < 4 * sqrt(p * (1 - p) / 400));
		assert_true(i == 0 || same[i] < 350);
	}
	model_free(m);
}

/* coef times the sum over heads, averaged over layers or not, per target token. */
static void
open_gates_have_a_penalty(void **state)
{
	static const struct { const char *spec; double coef; int sites, layers; } known[] = {
		{ "l0-gate", 0.1, 2, 2 },
		{ "l0-gate:coef=0.3,norm=sum", 0.3, 2, 1 },
		{ "l0-gate:coef=0.7,at=all", 0.7, 6, 6 },
		{ "l0-gate:at=dec-self+cross,init=1", 0.1, 4, 4 },
		{ "l0-gate:coef=0", 0, 2, 1 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++) {
		struct model *m = with(known[i].spec, 7);
		double sum = 0, nll, loss;
		int symbols, sites = 0;

		for (size_t j = 0; j < m->params.n; j++) {
			const struct param *p = m->params.list[j];

			if (!strstr(p->name, ".gate.log_alpha"))
				continue;
			sites++;
			assert_int_equal(p->n, HEADS);
			for (size_t h = 0; h < p->n; h++)
				sum += hard_concrete_open(p->x[h]);
		}
		loss = loss_of(m, true, &nll, &symbols);
		assert_int_equal(sites, known[i].sites);
		sum *= known[i].coef / known[i].layers;
		assert_true(fabs(loss - nll - sum * symbols) < 1e-10);
		model_free(m);
	}
}

/* Glorot's limit is sqrt(3 / H). */
static void
gates_are_initially_half_open(void **state)
{
	struct model_config c = setup_config("fairseq");
	const char *spec = "l0-gate";
	struct model *m;
	double largest = 0;

	(void)state;
	c.enc_layers = 40;
	c.width = 16;
	c.heads = 8;
	m = setup_model_of(&c, "fairseq", &spec, 1, 7);
	for (size_t i = 0; i < m->params.n; i++)
		for (size_t h = 0; strstr(m->params.list[i]->name, ".log_alpha") && h < 8; h++)
			largest = fmax(largest, fabs(m->params.list[i]->x[h]));
	assert_true(largest < sqrt(3. / 8) && largest > 0.95 * sqrt(3. / 8));
	model_free(m);
}

/* Open gates change nothing, in training and at test time. */
static void
open_gates_change_nothing(void **state)
{
	(void)state;
	for (int training = 0; training < 2; training++) {
		struct model *plain = with(NULL, 7), *m = with("l0-gate:init=100,at=all", 7);
		double a, b;
		int n;

		assert_true(attention_set_fused(m->attention, 0));
		loss_of(plain, training, &a, &n);
		loss_of(m, training, &b, &n);
		assert_true(a == b);
		model_free(plain);
		model_free(m);
	}
}

static void
zero_columns(struct model *m, const char *name, int head)
{
	struct param *p = params_find(&m->params, name);

	assert_non_null(p);
	for (int r = 0; r < p->d[0]; r++)
		for (int c = 0; c < p->d[1] / HEADS; c++)
			p->x[r * p->d[1] + head * p->d[1] / HEADS + c] = 0;
}

/* A fixed head equals zero columns in the output projection; it has no parameter and no penalty. */
static void
fixed_heads_have_no_output(void **state)
{
	struct model *plain = with(NULL, 7), *m = with("l0-gate:fixed=enc.2.self:1/cross.1:1-2", 7);
	double a, b, loss;
	int n;

	(void)state;
	assert_int_equal(m->params.n, plain->params.n);
	zero_columns(plain, "enc.2.self.out.weight", 0);
	zero_columns(plain, "dec.1.cross.out.weight", 0);
	zero_columns(plain, "dec.1.cross.out.weight", 1);
	loss_of(plain, true, &a, &n);
	loss = loss_of(m, true, &b, &n);
	assert_true(off_by(a, b, 1) < 1e-14 && loss == b);
	model_free(plain);
	model_free(m);
}

/* At test time 0.777 is rounded up and 0.223 down. */
static void
test_gates_may_be_rounded(void **state)
{
	struct model *m = with("l0-gate:test=round", 7);
	struct model *open = with("l0-gate:fixed=enc.1.self:2", 7);
	double a, b;
	int n;

	(void)state;
	for (int layer = 1; layer <= LAYERS; layer++) {
		char name[64];
		struct param *p;

		snprintf(name, sizeof(name), "enc.%d.self.gate.log_alpha", layer);
		p = params_find(&m->params, name);
		p->x[0] = 1;
		p->x[1] = layer == 1 ? -1 : 1;
	}
	loss_of(m, false, &a, &n);
	loss_of(open, false, &b, &n);
	assert_true(a == b);
	model_free(m);
	model_free(open);
}

static void
the_log_counts_gates(void **state)
{
	struct model *m = with("l0-gate", 7);
	struct means y = { 0 };
	struct setup_batch s;
	struct runtime run;

	(void)state;
	params_find(&m->params, "enc.1.self.gate.log_alpha")->x[0] = -2.4;
	params_find(&m->params, "enc.1.self.gate.log_alpha")->x[1] = 1;
	params_find(&m->params, "enc.2.self.gate.log_alpha")->x[0] = 2.4;
	params_find(&m->params, "enc.2.self.gate.log_alpha")->x[1] = 30;
	setup_runtime(&run, 1, false);
	setup_batch(&s, m, setup_text, NULL, 4);
	for (int i = 0; i < 3; i++)
		attention_set_report(m->attention, run.tape, &s.b, &y);
	assert_true(logged(&y, "dev.gates.open") == 2);
	assert_true(logged(&y, "dev.gates.closed") == 1);
	assert_true(logged(&y, "dev.gates.fractional") == 1);
	assert_true(logged(&y, "dev.gates.enc.1.self.1") == 0);
	assert_true(fabs(logged(&y, "dev.gates.enc.1.self.2") - 0.777270) < 1e-6);
	assert_true(logged(&y, "dev.gates.enc.2.self.2") == 1);
	means_release(&y);
	setup_batch_end(&s);
	runtime_close(&run);
	model_free(m);
}

static void
invalid_settings_are_refused(void **state)
{
	static const char *const bad[][2] = {
		{ "l0-gate:at=nowhere" },	    { "l0-gate:at=enc-self+x" },
		{ "l0-gate:init=much" },	    { "l0-gate:fixed=enc.9.self:1" },
		{ "l0-gate:fixed=enc.1.self:3" },   { "head-importance", "l0-gate:at=all" },
		{ "l0-gate", "l0-gate:coef=0.2" },
	};

	(void)state;
	check_refused(bad, sizeof(bad) / sizeof(*bad));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(gates_are_as_published),
		cmocka_unit_test(the_slope_is_the_derivative),
		cmocka_unit_test(an_update_has_one_sample),
		cmocka_unit_test(open_gates_have_a_penalty),
		cmocka_unit_test(gates_are_initially_half_open),
		cmocka_unit_test(open_gates_change_nothing),
		cmocka_unit_test(fixed_heads_have_no_output),
		cmocka_unit_test(test_gates_may_be_rounded),
		cmocka_unit_test(the_log_counts_gates),
		cmocka_unit_test(invalid_settings_are_refused),
	};

	return cmocka_run_group_tests_name("gates of heads", tests, NULL, NULL);
}
