/* Head importance: the equations as printed, the divergence, and the number of parameters. */
#include "importance-case.h"

static struct param *
find(const struct model *m, const char *site, const char *what)
{
	char name[64];

	snprintf(name, sizeof(name), "%s.importance.%s", site, what);
	assert_non_null(params_find(&m->params, name));
	return params_find(&m->params, name);
}

static double
at(const struct param *p, int i, int j)
{
	return p->x[i * p->d[1] + j];
}

/* Row r: the weights of the heads and the output, with W and V applied to each head, as printed. */
static void
brute(const struct model *m, int site, int r, double *weights, double *out)
{
	const struct param *query = find(m, sites[site], "query"),
			   *key = find(m, sites[site], "key");
	const struct param *value = find(m, sites[site], "value"),
			   *last = find(m, sites[site], "out");
	const struct node *x = seen[site].n.x, *o = seen[site].n.context;
	const int width = query->d[0];
	double all = 0, mixed[WIDTH] = { 0 };

	for (int h = 0; h < HEADS; h++) {
		const real *head = o->x + r * o->ld + h * D;
		double s = 0;

		for (int i = 0; i < width; i++) {
			double u = 0, k = 0;

			for (int j = 0; j < WIDTH; j++)
				u += at(query, i, j) * x->x[r * x->ld + j];
			for (int j = 0; j < D; j++)
				k += at(key, j, i) * head[j];
			s += u * k;
		}
		all += weights[h] = exp(s / sqrt(width));
	}
	for (int h = 0; h < HEADS; h++) {
		weights[h] /= all;
		for (int i = 0; i < width; i++)
			for (int j = 0; j < D; j++)
				mixed[i] +=
					weights[h] * at(value, i, j) * o->x[r * o->ld + h * D + j];
	}
	for (int c = 0; c < WIDTH; c++) {
		out[c] = 0;
		for (int i = 0; i < width; i++)
			out[c] += at(last, c, i) * mixed[i];
	}
}

static void
a_module_follows_the_equations(void **state)
{
	static const char *const spec[] = { "head-importance", "head-importance:width=3" };

	(void)state;
	for (int k = 0; k < 2; k++) {
		struct model *m = with(spec[k], 7);
		struct setup_batch s;
		struct runtime run;

		setup_runtime(&run, 1, false);
		setup_batch(&s, m, setup_text, NULL, 4);
		setup_loss(m, &run, &s.b, false);
		for (int site = 0; site < 3; site++)
			for (int r = 0; r < seen[site].out->d[0]; r++) {
				double a[HEADS], out[WIDTH];

				brute(m, site, r, a, out);
				for (int h = 0; h < HEADS; h++)
					assert_true(
						off_by(weights_at(run.tape, site)->x[r * HEADS + h],
						       a[h], 1) < 1e-14);
				for (int c = 0; c < WIDTH; c++)
					assert_true(off_by(seen[site].out->x[r * WIDTH + c], out[c],
							   1) < 1e-13);
			}
		setup_batch_end(&s);
		runtime_close(&run);
		model_free(m);
	}
}

/* The sum over rows of sum_h a_h ln(a_h H). */
static double
divergence(const struct node *a)
{
	double sum = 0;

	for (int i = 0; i < a->d[0] * HEADS; i++)
		sum += a->x[i] * log(a->x[i] * HEADS);
	return sum;
}

/* Sets the mean divergence of each module. */
static double
loss_of(const char *settings, const char *weight, double mean[3])
{
	char *spec = xasprintf("head-importance:%s%s", settings, weight);
	struct model *m = with(spec, 7);
	struct setup_batch s;
	struct runtime run;
	const struct node *a;
	double loss;

	setup_runtime(&run, 1, false);
	setup_batch(&s, m, setup_text, NULL, 4);
	loss = setup_loss(m, &run, &s.b, false);
	for (int site = 0; site < 3; site++) {
		if (strstr(settings, "dec=0") && site == 1)
			continue;
		a = weights_at(run.tape, site);
		mean[site] = divergence(a) / a->d[0];
	}
	setup_batch_end(&s);
	runtime_close(&run);
	model_free(m);
	free(spec);
	return loss;
}

/*
 * The loss is a sum over the 15 target tokens.  The mean divergence counts as each of them or, with
 * per-token-of-update, as one.
 */
static void
the_mean_divergence_is_subtracted(void **state)
{
	static const struct { const char *settings; double modules, by; } tries[] = {
		{ "", 3, 15 }, { "dec=0,", 2, 15 }, { "norm=per-token-of-update,", 3, 1 }
	};

	(void)state;
	for (size_t i = 0; i < sizeof(tries) / sizeof(*tries); i++) {
		double mean[3] = { 0 }, want;
		const double loss = loss_of(tries[i].settings, "weight=2", mean);

		want = -2 * tries[i].by * (mean[0] + mean[1] + mean[2]) / tries[i].modules;
		assert_true(off_by(loss - loss_of(tries[i].settings, "weight=0", mean), want, 1) <
			    1e-12);
	}
}

/* With permuted heads, the weights are permuted and the output is the same. */
static void
the_order_of_heads_does_not_matter(void **state)
{
	struct model *m = with("head-importance", 9);
	struct setup_batch s;
	struct runtime run;

	(void)state;
	setup_runtime(&run, 1, false);
	setup_batch(&s, m, setup_text, NULL, 4);
	setup_loss(m, &run, &s.b, false);
	for (int site = 0; site < 3; site++) {
		struct att_nodes n = seen[site].n;
		const struct node *a = weights_at(run.tape, site), *b;
		const int rows = n.context->d[0], d[2] = { rows, WIDTH };
		real *x = ARENA_ARRAY(tape_arena(run.tape), real, rows * WIDTH);
		const struct node *out;

		for (int i = 0; i < rows * WIDTH; i++)
			x[i] = n.context->x[i / WIDTH * WIDTH + (i + D) % WIDTH];
		n.context = tape_leaf(run.tape, NULL, 2, d, x, NULL);
		out = ask(seen[site].a, run.tape, &n);
		b = weights_at(run.tape, site);
		assert_ptr_not_equal(a, b);
		for (int i = 0; i < rows; i++)
			for (int h = 0; h < HEADS; h++)
				assert_true(off_by(a->x[i * HEADS + h], b->x[i * HEADS + 1 - h],
						   1) < 1e-14);
		for (int i = 0; i < rows * WIDTH; i++)
			assert_true(off_by(out->x[i], seen[site].out->x[i], 1) < 1e-14);
	}
	setup_batch_end(&s);
	runtime_close(&run);
	model_free(m);
}

static void
check_mean(const struct means *y, const char *site, const char *what, double expected)
{
	char name[96];

	snprintf(name, sizeof(name), "dev.importance.%s%s", site, what);
	assert_true(off_by(means_get(y, name), expected, 1) < 1e-14);
}

/* Fails: there should be no warning. */
static void
nothing(void *arg, const char *variant, const char *warning)
{
	(void)arg;
	fail_msg("%s: %s", variant, warning);
}

/* Sums over the rows of a module. */
struct counted { double wins[HEADS], won, rows, divergence; };

static void
count(struct counted *c, const struct node *a)
{
	c->divergence += divergence(a);
	for (int r = 0; r < a->d[0]; r++, c->rows++) {
		const int head = a->x[r * HEADS + 1] > a->x[r * HEADS];

		c->wins[head]++;
		c->won += a->x[r * HEADS + head];
	}
}

/* Winners and divergence, counted from the weights, in batches of two sentences. */
static void
the_log_follows_from_the_weights(void **state)
{
	struct model *m = with("head-importance", 7);
	struct counted all[3] = { { .rows = 0 } };
	double share = 0, weight = 0, most = 0;
	struct means y = { 0 };
	struct runtime run;

	(void)state;
	sharpen(m, 3);
	setup_runtime(&run, 1, false);
	for (int i = 0; i < 4; i += 2) {
		const int64_t number[] = { i, i + 1 };
		struct setup_batch s;

		setup_batch(&s, m, setup_text + i, number, 2);
		setup_loss(m, &run, &s.b, false);
		for (int site = 0; site < 3; site++)
			count(&all[site], weights_at(run.tape, site));
		attention_set_report(m->attention, run.tape, &s.b, &y);
		setup_batch_end(&s);
	}
	attention_set_conclude(m->attention, &y, nothing, NULL);
	for (int site = 0; site < 3; site++) {
		const struct counted *c = &all[site];
		const double best = fmax(c->wins[0], c->wins[1]) / c->rows;

		check_mean(&y, sites[site], ".1.wins", c->wins[0] / c->rows);
		check_mean(&y, sites[site], ".2.wins", c->wins[1] / c->rows);
		check_mean(&y, sites[site], ".winner.share", best);
		check_mean(&y, sites[site], ".winner.weight", c->won / c->rows);
		check_mean(&y, sites[site], ".divergence", c->divergence / c->rows);
		share += best / 3;
		weight += c->won / c->rows / 3;
		most = fmax(most, best);
	}
	assert_true(share > 0.5 && most > share);
	check_mean(&y, "winner", ".share", share);
	check_mean(&y, "winner", ".weight", weight);
	check_mean(&y, "winner", ".share.max", most);
	means_release(&y);
	runtime_close(&run);
	model_free(m);
}

struct warned { int times; char text[256]; };

static void
remember(void *arg, const char *variant, const char *warning)
{
	struct warned *t = arg;

	assert_string_equal(variant, "head-importance");
	snprintf(t->text, sizeof(t->text), "%s", warning);
	t->times++;
}

/* Head 2 wins at a number of 100 positions with a mean weight. */
static void
add_wins(struct means *y, const char *site, double wins, double weight)
{
	char name[96];

	snprintf(name, sizeof(name), "dev.importance.%s.1.wins", site);
	means_add(y, name, 100 - wins, 100);
	snprintf(name, sizeof(name), "dev.importance.%s.2.wins", site);
	means_add(y, name, wins, 100);
	snprintf(name, sizeof(name), "dev.importance.%s.winner.weight", site);
	means_add(y, name, 100 * weight, 100);
}

static struct warned
conclusion(const double wins[3], const double weight[3])
{
	struct model *m = with("head-importance", 7);
	struct warned warned = { 0 };
	struct means y = { 0 };

	for (int site = 0; site < 3; site++)
		add_wins(&y, sites[site], wins[site], weight[site]);
	attention_set_conclude(m->attention, &y, remember, &warned);
	means_release(&y);
	model_free(m);
	return warned;
}

/* A warning above 95 % of positions and weight, once for all modules. */
static void
one_head_for_all_positions_is_reported(void **state)
{
	static const double all[] = { 96, 100, 4 }, one[] = { 95, 50, 99 };
	static const double high[] = { 0.96, 1, 0.951 }, low[] = { 0.99, 0.99, 0.95 };
	struct warned t;

	(void)state;
	t = conclusion(all, high);
	assert_int_equal(t.times, 1);
	assert_string_equal(
		t.text,
		"one head has nearly all of the weight: "
		"enc.2.self, head 2 (wins at 96.0 % of positions, mean weight 0.960); "
		"dec.2.self, head 2 (wins at 100.0 % of positions, mean weight 1.000); "
		"dec.2.cross, head 1 (wins at 96.0 % of positions, mean weight 0.951)");
	t = conclusion(one, high);
	assert_int_equal(t.times, 1);
	assert_string_equal(
		t.text, "one head has nearly all of the weight: "
			"dec.2.cross, head 2 (wins at 99.0 % of positions, mean weight 0.951)");
	t = conclusion(one, low);
	assert_int_equal(t.times, 0);
}

static size_t
extra(const char *spec, int heads)
{
	struct model_config c = setup_config("fairseq");
	struct model *m;
	size_t n = 0;

	c.width = 512;
	c.heads = heads;
	m = setup_model_of(&c, "fairseq", &spec, 1, 0);
	for (size_t i = 0; i < m->params.n; i++)
		if (strstr(m->params.list[i]->name, ".importance."))
			n += m->params.list[i]->n;
	assert_int_equal(strstr(spec, "keep_out") != NULL,
			 params_find(&m->params, "enc.2.self.out.weight") != NULL);
	model_free(m);
	return n;
}

/* The paper's "about 500 K" parameters are 491,520. */
static void
the_number_of_parameters_is_as_published(void **state)
{
	(void)state;
	assert_int_equal(extra("head-importance", 4), 491520);
	assert_int_equal(extra("head-importance", 8), 221184);
	assert_int_equal(extra("head-importance:dec=0,cross=0,width=10", 8),
			 2 * 10 * 512 + 2 * 10 * 64);
	assert_int_equal(extra("head-importance:keep_out=on,cross=0", 8),
			 2 * (512 * 512 + 2 * 512 * 64));
}

static void
invalid_settings_are_refused(void **state)
{
	static const struct { const char *spec, *says; } bad[] = {
		{ "head-importance:enc=3", "layer 3, expected at most 2" },
		{ "head-importance:cross=9", "layer 9, expected at most 2" },
		{ "head-importance:enc=0,dec=0,cross=0", "expected a layer for one of them" },
		{ "head-importance:keep_out=on,width=4", "width 4 with keep_out" },
		{ "head-importance:weight=-1", "weight" },
		{ "head-importance:norm=token", "norm" },
	};
	const struct model_config c = setup_config("fairseq");
	struct vocab src, tgt;

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		struct err e;

		letters(&src, "abc");
		letters(&tgt, "klm");
		assert_null(model_new(&c, &src, &tgt, &bad[i].spec, 1, &e));
		if (!strstr(e.text, bad[i].says))
			fail_msg("%s: %s", bad[i].spec, e.text);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_module_follows_the_equations),
		cmocka_unit_test(the_mean_divergence_is_subtracted),
		cmocka_unit_test(the_order_of_heads_does_not_matter),
		cmocka_unit_test(the_log_follows_from_the_weights),
		cmocka_unit_test(one_head_for_all_positions_is_reported),
		cmocka_unit_test(the_number_of_parameters_is_as_published),
		cmocka_unit_test(invalid_settings_are_refused),
	};

	return cmocka_run_group_tests_name("importance of heads", tests, NULL, NULL);
}
