/* l0-gate with a target: the Lagrangian, its multipliers, and exactly as many heads. */
#include "gate-case.h"

#include "ops/kit/concrete-gate.h"

/* The sum of P(open) over all gates. */
static double
expected_open(const struct model *m)
{
	double sum = 0;

	for (size_t j = 0; j < m->params.n; j++) {
		const struct param *p = m->params.list[j];

		for (size_t h = 0; strstr(p->name, ".gate.log_alpha") && h < p->n; h++)
			sum += hard_concrete_open(p->x[h]);
	}
	return sum;
}

/* lambda_1 (s - t) + lambda_2 (s - t)^2 per target token; t grows for 40 updates, then stays. */
static void
a_target_has_a_lagrangian(void **state)
{
	static const struct { const char *spec; uint32_t step; double heads, target; } known[] = {
		{ "l0-gate:at=all,target=5", 1, 12, 5 },
		{ "l0-gate:target=1,warmup=40", 0, 4, 4 },
		{ "l0-gate:target=1,warmup=40", 10, 4, 3.25 },
		{ "l0-gate:target=1,warmup=40,coef=7", 39, 4, 1.075 },
		{ "l0-gate:target=1,warmup=40", 40, 4, 1 },
		{ "l0-gate:at=cross,target=4,warmup=40", 1000, 4, 4 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++) {
		struct model *m = with(known[i].spec, 7);
		double nll, loss, d;
		int symbols;

		assert_true(params_find(&m->params, "gate.lambda_1")->x[0] == 0);
		assert_true(params_find(&m->params, "gate.lambda_2")->x[0] == 0);
		params_find(&m->params, "gate.lambda_1")->x[0] = -0.7;
		params_find(&m->params, "gate.lambda_2")->x[0] = 1.9;
		d = (known[i].target - expected_open(m)) / known[i].heads;
		loss = loss_at(m, true, known[i].step, &nll, &symbols);
		assert_true(fabs(loss - nll - (-0.7 * d + 1.9 * d * d) * symbols) < 1e-10);
		model_free(m);
	}
}

/* The gradient descends for gates and ascends for multipliers. */
static void
multipliers_ascend(void **state)
{
	struct model *m = with("l0-gate:target=1,rate=3", 7);

	(void)state;
	assert_true(params_find(&m->params, "enc.1.self.gate.log_alpha")->rate == 3);
	assert_true(params_find(&m->params, "gate.lambda_1")->rate == -3);
	assert_true(params_find(&m->params, "gate.lambda_2")->rate == -3);
	model_free(m);
}

/* At test time exactly the highest gates are 1; of equal ones, the first. */
static void
a_target_retains_as_many(void **state)
{
	static const struct { int target; real x[LAYERS][HEADS]; const char *masked; } known[] = {
		{ 1, { { -3, 2 }, { 5, 1 } }, "enc.1.self:all/enc.2.self:2" },
		{ 2, { { -9, -8 }, { -7, -6 } }, "enc.1.self:all" },
		{ 2, { { 0, 3 }, { 3, 3 } }, "enc.1.self:1/enc.2.self:2" },
		{ 3, { { 9, 9 }, { 9, 9 } }, "enc.2.self:2" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++) {
		char *spec = xasprintf("l0-gate:target=%d", known[i].target);
		struct model *m = with(spec, 7);

		for (int k = 0; k < LAYERS; k++)
			memcpy(params_find(&m->params, k ? "enc.2.self.gate.log_alpha"
							 : "enc.1.self.gate.log_alpha")->x,
			       known[i].x[k], sizeof(known[i].x[k]));
		check_masked(m, known[i].masked);
		free(spec);
		model_free(m);
	}
}

/* Before rounding, by a target or by test=round, gates are those of log alpha. */
static void
gates_are_known_before_rounding(void **state)
{
	static const char *const spec[] = { "l0-gate:target=1", "l0-gate:test=round", "l0-gate" };

	(void)state;
	for (int i = 0; i < 3; i++) {
		struct model *m = with(spec[i], 7);
		double gate[6 * HEADS];

		params_find(&m->params, "enc.1.self.gate.log_alpha")->x[1] = 1;
		for (int h = 0; h < 6 * HEADS; h++)
			gate[h] = 1;
		attention_set_unrounded(m->attention, gate);
		assert_true(fabs(gate[1] - 0.777270) < 1e-6);
		assert_true(gate[2 * HEADS] == 1);
		model_free(m);
	}
}

static void
note_warning(void *arg, const char *variant, const char *warning)
{
	(void)variant;
	snprintf(arg, 200, "%s", warning);
}

/* The log has expected and target numbers; after the warm-up, a difference is warned of. */
static void
a_missed_target_is_warned_of(void **state)
{
	static const struct { uint32_t step; double x, target; const char *says; } known[] = {
		{ 5, 9, 2.5, "" },
		{ 10, 9, 1, "the expected number of open gates is 4.0, target 1; train longer, or "
			    "with a higher rate" },
		{ 10, -2, 1, "" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++) {
		struct model *m = with("l0-gate:target=1,warmup=10", 7);
		struct means y = { 0 };
		struct setup_batch s;
		struct runtime run;
		char warning[200] = "";

		for (int h = 0; h < 2 * HEADS; h++)
			params_find(&m->params, h < HEADS ? "enc.1.self.gate.log_alpha"
						: "enc.2.self.gate.log_alpha")->x[h % HEADS] =
				known[i].x;
		setup_runtime(&run, 1, false);
		run.pass.step = known[i].step;
		setup_batch(&s, m, setup_text, NULL, 4);
		attention_set_report(m->attention, run.tape, &s.b, &y);
		attention_set_report(m->attention, run.tape, &s.b, &y);
		attention_set_conclude(m->attention, &y, note_warning, warning);
		assert_true(fabs(logged(&y, "dev.gates.expected") - expected_open(m)) < 1e-12);
		assert_true(fabs(logged(&y, "dev.gates.target") - known[i].target) < 1e-12);
		assert_string_equal(warning, known[i].says);
		means_release(&y);
		setup_batch_end(&s);
		runtime_close(&run);
		model_free(m);
	}
}

static void
invalid_targets_are_refused(void **state)
{
	static const char *const bad[][2] = {
		{ "l0-gate:target=5" }, { "l0-gate:at=all,target=13" }, { "l0-gate:target=-1" },
		{ "l0-gate:target=1,fixed=enc.1.self:1" }, { "l0-gate:target=1,warmup=-1" },
	};

	(void)state;
	check_refused(bad, sizeof(bad) / sizeof(*bad));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_target_has_a_lagrangian),
		cmocka_unit_test(multipliers_ascend),
		cmocka_unit_test(a_target_retains_as_many),
		cmocka_unit_test(gates_are_known_before_rounding),
		cmocka_unit_test(a_missed_target_is_warned_of),
		cmocka_unit_test(invalid_targets_are_refused),
	};

	return cmocka_run_group_tests_name("gates with a target", tests, NULL, NULL);
}
