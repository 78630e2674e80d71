/* subset: soft top-k gates against the definition, straight-through gradients, exactly k heads. */
#include "gate-case.h"

#include "ops/ops.h"

enum { ALL = 6 };

static const real importance[ALL] = { 0.3, -1.2, 2.1, 0.9, 0.8, -0.4 };

struct top { real y[ALL], grad[ALL]; };

/* Gates of the importances, and the gradient of the sum of slope[i] y[i]. */
static struct top
gates_of(const struct top_k *how, bool training, uint32_t step, real *slope)
{
	real x[ALL];
	const int all = ALL;
	struct top top = { .grad = { 0 } };
	struct runtime run;
	struct node *y;

	memcpy(x, importance, sizeof(x));
	setup_runtime(&run, 1, training);
	run.pass.step = step;
	y = op_top_k(run.tape, tape_leaf(run.tape, "x", 1, &all, x, top.grad), how);
	memcpy(top.y, y->x, sizeof(top.y));
	tape_gradient(run.tape, op_sum(run.tape, op_multiply(run.tape, y,
		tape_leaf(run.tape, NULL, 1, &all, slope, NULL))), 1);
	runtime_close(&run);
	return top;
}

static real slopes[ALL] = { 1, -2, 0.5, 3, -1, 0.25 };

/*
 * Two steps by hand, without noise: e^x over its sum; the second softmax of x + ln(1 - a) is
 * e^x (1 - a) over its sum.
 */
static void
gates_are_sums_of_softmaxes(void **state)
{
	const struct top_k how = { .k = 2, .n = ALL, .temperature = 1 };
	const struct top top = gates_of(&how, false, 1, slopes);
	double a[ALL], b[ALL], sum = 0, rest = 0;

	(void)state;
	for (int i = 0; i < ALL; i++)
		sum += exp(importance[i]);
	for (int i = 0; i < ALL; i++) {
		a[i] = exp(importance[i]) / sum;
		rest += b[i] = exp(importance[i]) * (1 - a[i]);
	}
	for (int i = 0; i < ALL; i++)
		assert_true(fabs(top.y[i] - a[i] - b[i] / rest) < 1e-14);
}

static double
total(const struct top *t)
{
	double sum = 0;

	for (int i = 0; i < ALL; i++)
		sum += t->y[i];
	return sum;
}

/* The gates sum to k at any temperature; at a low one they are those of the k highest. */
static void
gates_sum_to_k(void **state)
{
	static const double temperature[] = { 1000, 1, 0.1, 1e-3, 1e-8 };

	(void)state;
	for (int k = 1; k <= ALL; k++)
		for (int i = 0; i < 5; i++) {
			const struct top_k soft = { .k = k, .n = ALL,
						    .temperature = temperature[i] };
			const struct top_k hard = { .k = k, .n = ALL, .hard = true,
						    .temperature = temperature[i] };
			const struct top s = gates_of(&soft, true, 3, slopes);
			const struct top h = gates_of(&hard, true, 3, slopes);

			assert_true(fabs(total(&s) - k) < 1e-9);
			assert_true(total(&h) == k);
			for (int j = 0; j < ALL; j++) {
				assert_true(h.y[j] == 0 || h.y[j] == 1);
				assert_true(isfinite(s.grad[j]));
				assert_true(i < 4 || fabs(h.y[j] - s.y[j]) < 1e-9);
				assert_true(h.grad[j] == s.grad[j]);
			}
		}
}

/*
 * The k highest perturbed importances are a sample without replacement with weights e^x, for k = 2:
 * P({i, j}) = p_i p_j / (1 - p_i) + p_j p_i / (1 - p_j).
 */
static void
noise_samples_without_replacement(void **state)
{
	const struct top_k how = { .k = 2, .n = ALL, .temperature = 1, .hard = true };
	enum { DRAWS = 20000 };
	int seen[ALL][ALL] = { { 0 } };
	double sum = 0;

	(void)state;
	for (int i = 0; i < ALL; i++)
		sum += exp(importance[i]);
	for (uint32_t step = 0; step < DRAWS; step++) {
		const struct top h = gates_of(&how, true, step, slopes);
		int first = 0, last = ALL - 1;

		while (h.y[first] == 0)
			first++;
		while (h.y[last] == 0)
			last--;
		seen[first][last]++;
	}
	for (int i = 0; i < ALL; i++)
		for (int j = i + 1; j < ALL; j++) {
			const double p = exp(importance[i]) / sum, q = exp(importance[j]) / sum;
			const double both = p * q / (1 - p) + p * q / (1 - q);

			assert_true(fabs(seen[i][j] / (double)DRAWS - both) <
				    4 * sqrt(both * (1 - both) / DRAWS));
		}
}

/* Exactly the gates with the highest importance are 1; of equal ones, the first. */
static void
as_many_heads_are_retained(void **state)
{
	static const struct { int heads; real x[2 * HEADS]; const char *masked; } known[] = {
		{ 1, { -3, 2, 5, 1 }, "enc.1.self:all/enc.2.self:2" },
		{ 2, { -9, -8, -7, -6 }, "enc.1.self:all" },
		{ 3, { 1, 1, 1, 1 }, "enc.2.self:2" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++) {
		char *spec = xasprintf("subset:heads=%d", known[i].heads);
		struct model *m = with(spec, 7);

		memcpy(params_find(&m->params, "subset.importance")->x, known[i].x,
		       sizeof(known[i].x));
		check_masked(m, known[i].masked);
		free(spec);
		model_free(m);
	}
}

/* From `anneal` on, training has exact gates: the loss is that of some two fixed heads. */
static void
gates_become_exact(void **state)
{
	static const char *const pairs[] = {
		"enc.1.self:all", "enc.2.self:all", "enc.1.self:1/enc.2.self:1",
		"enc.1.self:1/enc.2.self:2", "enc.1.self:2/enc.2.self:1",
		"enc.1.self:2/enc.2.self:2",
	};
	struct model *m = with("subset:heads=2,anneal=10,start=5,end=0.5", 7);
	double nll[6], loss;
	int n;

	(void)state;
	for (int i = 0; i < 6; i++) {
		char *spec = xasprintf("l0-gate:fixed=%s", pairs[i]);
		struct model *fixed = with(spec, 7);

		loss_of(fixed, true, &nll[i], &n);
		free(spec);
		model_free(fixed);
	}
	for (uint32_t step = 0; step < 20; step++) {
		bool exact = false;

		loss_at(m, true, step, &loss, &n);
		for (int i = 0; i < 6; i++)
			exact |= loss == nll[i];
		assert_true(exact == (step >= 10));
	}
	model_free(m);
}

/* Temperatures in the log: 8, 8 / sqrt(16), 0.5, and 0.5 later. */
static void
the_temperature_falls_geometrically(void **state)
{
	static const double known[][2] = { { 0, 8 }, { 10, 2 }, { 20, 0.5 }, { 99, 0.5 } };
	struct model *m = with("subset:heads=2,anneal=20,start=8,end=0.5", 7);

	(void)state;
	for (int i = 0; i < 4; i++) {
		struct means y = { 0 };
		struct setup_batch s;
		struct runtime run;

		setup_runtime(&run, 1, false);
		run.pass.step = (uint32_t)known[i][0];
		setup_batch(&s, m, setup_text, NULL, 4);
		attention_set_report(m->attention, run.tape, &s.b, &y);
		assert_true(fabs(logged(&y, "dev.subset.temperature") - known[i][1]) < 1e-12);
		assert_true(logged(&y, "dev.subset.enc.2.self.1") ==
			    params_find(&m->params, "subset.importance")->x[HEADS]);
		means_release(&y);
		setup_batch_end(&s);
		runtime_close(&run);
	}
	model_free(m);
}

/* A model that has lost heads takes the importances of the others. */
static void
importances_keep_their_heads(void **state)
{
	struct model *whole = with("subset:at=all,heads=2", 7), *less;
	struct model_config c = whole->config;
	const char *spec = "subset:at=all,heads=2";
	static const int kept[] = { 1, 4, 5, 6, 7, 8, 11 };
	struct vocab src, tgt;
	struct param *p;
	struct err e;

	(void)state;
	letters(&src, "abcdefghij");
	letters(&tgt, "klmnopqrstuv");
	less = model_new_pruned(&c, "enc.1.self:1/enc.2.self:all/dec.1.cross:2/dec.2.cross:1",
				&src, &tgt, &spec, 1, &e);
	assert_non_null(less);
	params_allocate(&less->params, true);
	p = params_find(&less->params, "subset.importance");
	assert_int_equal(p->n, 7);
	assert_true(param_copy(p, params_find(&whole->params, "subset.importance")));
	for (int i = 0; i < 7; i++)
		assert_true(p->x[i] ==
			    params_find(&whole->params, "subset.importance")->x[kept[i]]);
	model_free(less);
	model_free(whole);
}

static void
invalid_settings_are_refused(void **state)
{
	static const char *const bad[][2] = {
		{ "subset" }, { "subset:heads=0" }, { "subset:heads=5" },
		{ "subset:at=all,heads=13" }, { "subset:at=nowhere,heads=1" },
		{ "subset:heads=1,end=0" }, { "head-importance", "subset:at=all,heads=1" },
	};

	(void)state;
	check_refused(bad, sizeof(bad) / sizeof(*bad));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(gates_are_sums_of_softmaxes),
		cmocka_unit_test(gates_sum_to_k),
		cmocka_unit_test(noise_samples_without_replacement),
		cmocka_unit_test(as_many_heads_are_retained),
		cmocka_unit_test(gates_become_exact),
		cmocka_unit_test(the_temperature_falls_geometrically),
		cmocka_unit_test(importances_keep_their_heads),
		cmocka_unit_test(invalid_settings_are_refused),
	};

	return cmocka_run_group_tests_name("subsets of heads", tests, NULL, NULL);
}
