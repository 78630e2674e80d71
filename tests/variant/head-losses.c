/*
 * head-losses: gradients by gates equal finite differences, sentence by sentence, and the loss
 * without a head equals that of the model with the head masked, for all variants.
 */
#include "setup.h"

#include "analysis/head-losses.h"
#include "analysis/set-losses.h"
#include "attention/attention-heads.h"

static const char *const trials[][2] = {
	{ NULL }, { "head-importance" }, { "l0-gate:at=all" },
	{ "localness:last=2", "l0-gate:at=enc" },
};

struct trial {
	struct model *m;
	struct runtime run;
	struct setup_batch batch;
	struct head_losses l;
	size_t heads;
};

static void
begin(struct trial *y, const char *const *spec)
{
	const struct model_config c = setup_config("fairseq");
	size_t n = 0;

	while (n < 2 && spec[n])
		n++;
	y->m = setup_model_of(&c, "fairseq", spec, n, 7);
	setup_stir(y->m);
	y->heads = heads_before(y->m->sites, y->m->n_sites);
	setup_runtime(&y->run, 1, false);
	setup_batch(&y->batch, y->m, setup_text, NULL, 4);
	y->l = (struct head_losses){ .gradient = true, .fisher = true, .ablation = true };
	head_losses_begin(&y->l, y->m);
}

static void
end(struct trial *y)
{
	head_losses_release(&y->l);
	setup_batch_end(&y->batch);
	runtime_close(&y->run);
	model_free(y->m);
}

/* The loss of each sentence with the current gates. */
static void
losses(struct trial *y, double *of)
{
	const struct batch *b = &y->batch.b;
	const struct layout *rows = &b->tgt.layout;
	struct node *nll;

	tape_rewind(y->run.tape);
	model_loss(y->m, y->run.tape, b, &nll);
	for (int i = 0; i < b->n; i++) {
		of[i] = 0;
		for (int r = rows->start[i]; r < rows->start[i] + rows->len[i]; r++)
			of[i] += op_cross_entropy_rows(nll)[r];
	}
}

/* The sums over sentences of |d loss / d gate| and of its square. */
static double
difference(struct trial *y, size_t head, double h, double *squares)
{
	double up[MOST], down[MOST], sum = 0;

	*squares = 0;
	y->l.gated.gates[head] = 1 + h;
	losses(y, up);
	y->l.gated.gates[head] = 1 - h;
	losses(y, down);
	y->l.gated.gates[head] = 1;
	for (int i = 0; i < y->batch.b.n; i++) {
		const double x = (up[i] - down[i]) / (2 * h);

		sum += fabs(x);
		*squares += x * x;
	}
	return sum;
}

static double
total(struct trial *y)
{
	double of[MOST], sum = 0;

	losses(y, of);
	for (int i = 0; i < y->batch.b.n; i++)
		sum += of[i];
	return sum;
}

static void
try_model(const char *const *spec)
{
	struct trial y;
	struct node *nll;

	begin(&y, spec);
	model_loss(y.m, y.run.tape, &y.batch.b, &nll);
	head_losses_add(&y.l, y.run.tape, &y.batch.b, nll);
	assert_int_equal(y.l.tokens, y.batch.b.tgt.layout.rows);
	assert_true(off_by(total(&y), y.l.whole, 1) < 1e-12);
	for (size_t h = 0; h < y.heads; h++) {
		double squares, found = difference(&y, h, 1e-5, &squares);

		/* A step over the kink of a ReLU is not valid; a smaller step stays on one side. */
		if (off_by(found, y.l.head[h].gradient, 1e-2) > 1e-6)
			found = difference(&y, h, 1e-6, &squares);
		if (off_by(found, y.l.head[h].gradient, 1e-2) > 1e-6)
			fail_msg("head %zu: gradient %.12g, difference %.12g", h,
				 y.l.head[h].gradient,
				 found);
		if (off_by(squares, y.l.head[h].fisher, 1e-2) > 1e-5)
			fail_msg("head %zu: Fisher information %.12g, difference %.12g", h,
				 y.l.head[h].fisher, squares);
		y.l.gated.gates[h] = 0;
		found = total(&y);
		y.l.gated.gates[h] = 1;
		if (off_by(found, y.l.head[h].nll, 1) > 1e-12)
			fail_msg("head %zu: loss without it %.12g, expected %.12g", h,
				 y.l.head[h].nll,
				 found);
		assert_true(fabs(found - y.l.whole) > 1e-9);
	}
	end(&y);
}

static void
gradients_and_losses(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(trials) / sizeof(*trials); i++)
		try_model(trials[i]);
}

/* A masked token is excluded from the loss, and its sentence from the gradient. */
static void
masked_tokens_do_not_count(void **state)
{
	struct model_config c = setup_config("fairseq");
	static const char *const text[] = { "abc|mn", "abc|lmn" };
	struct head_losses l[2];
	struct model *m[2];
	struct runtime run;

	(void)state;
	c.output_mask = true;
	setup_runtime(&run, 1, false);
	for (int i = 0; i < 2; i++) {
		struct setup_batch s;
		struct node *nll;

		m[i] = setup_model_of(&c, "fairseq", NULL, 0, 7);
		l[i] = (struct head_losses){ .gradient = true };
		setup_batch(&s, m[i], text, NULL, i + 1);
		head_losses_begin(&l[i], m[i]);
		tape_rewind(run.tape);
		model_loss(m[i], run.tape, &s.b, &nll);
		head_losses_add(&l[i], run.tape, &s.b, nll);
		setup_batch_end(&s);
	}
	assert_int_equal(l[0].masked, 0);
	assert_int_equal(l[1].masked, 1);
	assert_int_equal(l[1].tokens, 6);
	assert_int_equal(l[1].gradient_tokens, 3);
	for (int h = 0; h < 12; h++)
		assert_true(isfinite(l[1].head[h].gradient) &&
			    off_by(l[0].head[h].gradient, l[1].head[h].gradient, 1e-3) < 1e-9);
	for (int i = 0; i < 2; i++) {
		head_losses_release(&l[i]);
		model_free(m[i]);
	}
	runtime_close(&run);
}

/* Means of sets of heads, too, are over the tokens that have a loss. */
static void
means_are_over_tokens_with_a_loss(void **state)
{
	struct model_config c = setup_config("fairseq");
	static const char *const text[] = { "abc|mn", "abc|lmn" };
	bool set[12] = { [3] = true };
	struct setup_batch s;
	struct set_losses l;
	struct runtime run;
	struct node *nll;
	struct model *m;
	const real *row;
	double mean = 0;
	int n = 0;

	(void)state;
	c.output_mask = true;
	setup_runtime(&run, 1, false);
	m = setup_model_of(&c, "fairseq", NULL, 0, 7);
	setup_batch(&s, m, text, NULL, 2);
	model_loss(m, run.tape, &s.b, &nll);
	row = op_cross_entropy_rows(nll);
	for (int i = 0; i < s.b.tgt.layout.rows; i++)
		if (isfinite(row[i])) {
			mean += (double)row[i];
			n++;
		}
	assert_int_equal(n, s.b.tgt.layout.rows - 1);
	set_losses_begin(&l, m, set, 0, 1);
	set_losses_add(&l, run.tape, &s.b);
	set_losses_end(&l);
	if (off_by(mean / n, l.loss[0], 1e-3) > 1e-6)
		fail_msg("mean loss %.9g, expected %.9g", l.loss[0], mean / n);
	set_losses_release(&l);
	setup_batch_end(&s);
	model_free(m);
	runtime_close(&run);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(gradients_and_losses),
		cmocka_unit_test(masked_tokens_do_not_count),
		cmocka_unit_test(means_are_over_tokens_with_a_loss),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
