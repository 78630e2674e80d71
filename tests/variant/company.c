/* What a sentence's numbers do not depend on: its company, later symbols, the number of threads. */
#include "setup.h"

static const char *const names[] = { "fairseq", "onmt", "witwicky", "story" };

static real *
copy_gradient(const struct model *m)
{
	real *g = xmalloc(m->params.total * sizeof(*g));

	memcpy(g, m->params.grad, m->params.total * sizeof(*g));
	return g;
}

/* Rows' losses of a batch, one after another. */
static void
rows_of(struct model *m, struct runtime *run, const struct batch *b, real *out)
{
	struct node *nll;

	tape_rewind(run->tape);
	model_loss(m, run->tape, b, &nll);
	memcpy(out, op_cross_entropy_rows(nll), (size_t)b->tgt.layout.rows * sizeof(*out));
}

/*
 * Every sentence alone against all together: losses by row, and the sum of gradients; dropout is
 * on.
 */
static void
check_company(struct model *m)
{
	struct setup_batch all, one;
	struct runtime run;
	real *sum = xcalloc(m->params.total, sizeof(*sum)), *together, rows[64], row[64];
	double loss = 0, whole;

	setup_stir(m);
	setup_runtime(&run, 2, true);
	setup_batch(&all, m, setup_text, NULL, 4);
	rows_of(m, &run, &all.b, rows);
	for (int64_t i = 0; i < 4; i++) {
		setup_batch(&one, m, &setup_text[i], &i, 1);
		rows_of(m, &run, &one.b, row);
		for (int j = 0; j < one.b.tgt.layout.rows; j++)
			assert_true(off_by(row[j], rows[all.b.tgt.layout.start[i] + j], 1) < 1e-13);
		loss += setup_loss(m, &run, &one.b, true);
		for (size_t j = 0; j < m->params.total; j++)
			sum[j] += m->params.grad[j];
		setup_batch_end(&one);
	}
	whole = setup_loss(m, &run, &all.b, true);
	together = copy_gradient(m);
	assert_true(off_by(loss, whole, 1) < 1e-13);
	for (size_t i = 0; i < m->params.n; i++)
		for (size_t j = m->params.list[i]->at;
		     j < m->params.list[i]->at + m->params.list[i]->n; j++)
			if (off_by(sum[j], together[j], 1) > 1e-12)
				fail_msg("%s: alone %.15g, in company %.15g",
					 m->params.list[i]->name, sum[j], together[j]);
	free(sum);
	free(together);
	setup_batch_end(&all);
	runtime_close(&run);
	model_free(m);
}

static void
a_sentence_is_the_same_alone_and_in_company(void **state)
{
	(void)state;
	for (size_t i = 0; i < 4; i++) {
		struct model_config c = setup_config(names[i]);

		c.dropout_attention = c.dropout_relu = c.word_dropout = 0.3;
		check_company(setup_model_of(&c, names[i], NULL, 0, 7));
	}
}

/* The decoder's rows of the first sentence. */
static void
decoder_rows(struct model *m, const char *text, real *out, int rows)
{
	struct setup_batch s;
	struct runtime run;
	struct node *h;

	setup_batch(&s, m, &text, NULL, 1);
	setup_runtime(&run, 1, false);
	h = model_decode(m, run.tape, &s.b, model_encode(m, run.tape, &s.b));
	memcpy(out, h->x, (size_t)rows * 8 * sizeof(*out));
	runtime_close(&run);
	setup_batch_end(&s);
}

static void
a_later_symbol_changes_nothing_before_it(void **state)
{
	(void)state;
	for (size_t i = 0; i < 4; i++) {
		struct model *m = setup_model(names[i]);
		real before[6 * 8], after[6 * 8];

		m->config.word_dropout = 0;
		decoder_rows(m, "abcd|klmno", before, 6);
		for (int t = 1; t < 5; t++) {
			char text[] = "abcd|klmno";

			text[5 + t] = 'r';
			decoder_rows(m, text, after, 6);
			/* symbol t goes into row t + 1 */
			assert_memory_equal(before, after, (size_t)(t + 1) * 8 * sizeof(real));
			assert_memory_not_equal(before + (t + 1) * 8, after + (t + 1) * 8,
						8 * sizeof(real));
		}
		model_free(m);
	}
}

static void
threads_change_no_bit(void **state)
{
	(void)state;
	for (size_t i = 0; i < 4; i++) {
		struct model *m = setup_model(names[i]);
		struct setup_batch s;
		double loss[3];
		real *g[3];

		setup_batch(&s, m, setup_text, NULL, 4);
		for (int k = 0; k < 3; k++) {
			struct runtime run;

			setup_runtime(&run, k + 1, true);
			loss[k] = setup_loss(m, &run, &s.b, true);
			g[k] = copy_gradient(m);
			runtime_close(&run);
		}
		for (int k = 1; k < 3; k++) {
			assert_memory_equal(&loss[0], &loss[k], sizeof(loss[0]));
			assert_memory_equal(g[0], g[k], m->params.total * sizeof(real));
		}
		for (int k = 0; k < 3; k++)
			free(g[k]);
		setup_batch_end(&s);
		model_free(m);
	}
}

static void
short_and_empty_sentences_are_fine(void **state)
{
	static const char *const text[] = { "a|k", "|", "b|", "|l", "cd|mn" };

	(void)state;
	for (size_t i = 0; i < 4; i++) {
		struct model *m = setup_model(names[i]);
		struct setup_batch s;
		struct runtime run;

		setup_runtime(&run, 1, true);
		setup_batch(&s, m, text, NULL, 5);
		assert_true(isfinite(setup_loss(m, &run, &s.b, true)));
		for (size_t j = 0; j < m->params.total; j++)
			assert_true(isfinite(m->params.grad[j]));
		setup_batch_end(&s);
		setup_batch(&s, m, &text[1], NULL, 1);
		assert_true(isfinite(setup_loss(m, &run, &s.b, true)));
		setup_batch_end(&s);
		runtime_close(&run);
		model_free(m);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_sentence_is_the_same_alone_and_in_company),
		cmocka_unit_test(a_later_symbol_changes_nothing_before_it),
		cmocka_unit_test(threads_change_no_bit),
		cmocka_unit_test(short_and_empty_sentences_are_fine),
	};

	return cmocka_run_group_tests_name("what a sentence does not depend on", tests, NULL, NULL);
}
