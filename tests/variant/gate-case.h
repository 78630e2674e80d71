/*
 * gate-case: models with gates of heads, their losses and their logs.  Each test file is one
 * program and includes this at most once.
 */
#ifndef GATE_CASE_H
#define GATE_CASE_H

#include "checks.h"

#include "data/means.h"

enum { LAYERS = 2, HEADS = 2 };

UNUSED static struct model *
with(const char *spec, uint64_t seed)
{
	struct model_config c = setup_config("fairseq");

	c.dropout_embed = c.dropout_residual = c.dropout_attention = c.dropout_relu = 0;
	c.word_dropout = 0;
	return setup_model_of(&c, "fairseq", &spec, spec != NULL, seed);
}

UNUSED static double
loss_at(struct model *m, bool training, uint32_t step, double *nll, int *symbols)
{
	struct setup_batch s;
	struct runtime run;
	struct node *own;
	double loss;

	setup_runtime(&run, 1, training);
	run.pass.step = step;
	setup_batch(&s, m, setup_text, NULL, 4);
	loss = model_loss(m, run.tape, &s.b, &own)->x[0];
	*nll = own->x[0];
	*symbols = s.b.tgt.layout.rows;
	setup_batch_end(&s);
	runtime_close(&run);
	return loss;
}

UNUSED static double
loss_of(struct model *m, bool training, double *nll, int *symbols)
{
	return loss_at(m, training, 1, nll, symbols);
}

UNUSED static double
logged(const struct means *y, const char *name)
{
	for (size_t i = 0; i < y->n; i++)
		if (!strcmp(y->entry[i].name, name))
			return y->entry[i].sum / y->entry[i].count;
	fail_msg("%s is not in the log", name);
	return 0;
}

/*
 * The gates of the heads at test time are those of a model in which these heads are masked, and so
 * is the loss, which has no other term.
 */
UNUSED static void
check_masked(struct model *m, const char *heads)
{
	char *spec = xasprintf("l0-gate:fixed=%s", heads);
	struct model *fixed = with(spec, 7);
	double a, b, gate[6 * HEADS], want[6 * HEADS];
	int n;

	for (int h = 0; h < 6 * HEADS; h++)
		gate[h] = want[h] = 1;
	assert_true(attention_set_gates(m->attention, gate));
	assert_true(attention_set_gates(fixed->attention, want));
	assert_memory_equal(gate, want, sizeof(gate));
	assert_true(loss_of(m, false, &a, &n) == a);
	loss_of(fixed, false, &b, &n);
	assert_true(a == b);
	free(spec);
	model_free(fixed);
}

/* Each list of one or two specs is a usage error. */
UNUSED static void
check_refused(const char *const (*bad)[2], size_t n)
{
	struct model *m = with(NULL, 7);
	struct err e;

	for (size_t i = 0; i < n; i++) {
		assert_null(attention_set_new(bad[i], bad[i][1] ? 2 : 1, m->sites, m->n_sites, &e));
		assert_int_equal(e.status, EXIT_USAGE);
	}
	model_free(m);
}

#endif
