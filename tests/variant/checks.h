/*
 * checks: invariants of all models, with any variants.  Each test file is one program and includes
 * this at most once.  Models have width 8.
 */
#ifndef CHECKS_H
#define CHECKS_H

#include "search/decoder.h"
#include "setup.h"
#include "tape/op.h"

UNUSED static real *
copy_gradient(const struct model *m)
{
	real *g = xmalloc(m->params.total * sizeof(*g));

	memcpy(g, m->params.grad, m->params.total * sizeof(*g));
	return g;
}

/* The losses of a batch, row by row. */
UNUSED static void
rows_of(struct model *m, struct runtime *run, const struct batch *b, real *out)
{
	struct node *nll;

	tape_rewind(run->tape);
	model_loss(m, run->tape, b, &nll);
	memcpy(out, op_cross_entropy_rows(nll), (size_t)b->tgt.layout.rows * sizeof(*out));
}

/*
 * Compares each sentence alone, as a part of an update, with all together: losses by row, and the
 * sum of gradients, with dropout.
 */
UNUSED static void
check_company(struct model *m)
{
	struct setup_batch all, one;
	struct runtime run;
	real *sum = xcalloc(m->params.total, sizeof(*sum)), *together, rows[64], row[64];
	double loss = 0, whole, counts[64] = { 0 };

	setup_runtime(&run, 2, true);
	setup_batch(&all, m, setup_text, NULL, 4);
	attention_set_count(m->attention, &all.b, counts);
	rows_of(m, &run, &all.b, rows);
	for (int64_t i = 0; i < 4; i++) {
		setup_batch(&one, m, &setup_text[i], &i, 1);
		one.b.counts = counts;
		one.b.target = all.b.tgt.layout.rows;
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
				fail_msg("%s: alone %.15g, in a batch %.15g",
					 m->params.list[i]->name, sum[j], together[j]);
	free(sum);
	free(together);
	setup_batch_end(&all);
	runtime_close(&run);
}

/* The decoder outputs of the first sentence. */
UNUSED static void
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

/* A changed target token does not affect rows before the one that reads it. */
UNUSED static void
check_causal(struct model *m)
{
	real before[6 * 8], after[6 * 8];

	m->config.word_dropout = 0;
	decoder_rows(m, "abcd|klmno", before, 6);
	for (int t = 1; t < 5; t++) {
		char text[] = "abcd|klmno";

		text[5 + t] = 'r';
		decoder_rows(m, text, after, 6);
		/* row t + 1 reads token t */
		assert_memory_equal(before, after, (size_t)(t + 1) * 8 * sizeof(real));
		assert_memory_not_equal(before + (t + 1) * 8, after + (t + 1) * 8,
					8 * sizeof(real));
	}
}

/* The results with 1, 2 and 3 threads have the same bits. */
UNUSED static void
check_threads(struct model *m)
{
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
}

/* Sentences of one token, and empty ones. */
UNUSED static void
check_short(struct model *m)
{
	static const char *const text[] = { "a|k", "|", "b|", "|l", "cd|mn" };
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
}

/*
 * Incremental decoding: a step has only the newest query of each hypothesis and gives the output of
 * the whole decoder.  The second hypothesis begins as a copy of the first.
 */
UNUSED static void
check_incremental(struct model *m)
{
	static const char *const text[] = { "abc|klm", "abc|klno", "de|pqrs" };
	static const int64_t number[] = { 0, 0, 2 };
	struct decoder_cache *c = decoder_cache_new(m, 3, false);
	struct setup_batch s;
	struct runtime full, run;
	struct node *memory, *whole;

	setup_runtime(&full, 1, false);
	setup_runtime(&run, 2, false);
	setup_batch(&s, m, text, number, 3);
	memory = model_encode(m, full.tape, &s.b);
	whole = model_decode(m, full.tape, &s.b, memory);
	decoder_cache_add(c, m, full.tape, &s.b, memory);
	for (int pos = 0; pos < 4; pos++) {
		const int slot[] = { 0, 2, 1 }, sentence[] = { 0, 2, 1 };
		const int position[] = { pos, pos, pos };
		const int n = pos < 3 ? 2 : 3, len = 3;
		int id[3];
		const struct node *h;

		for (int i = 0; i < n; i++)
			id[i] = s.b.tgt.id[s.b.tgt.layout.start[sentence[i]] + pos];
		if (pos == 3)
			decoder_cache_move(c, 1, &slot[0], &slot[2], &len);
		tape_rewind(run.tape);
		h = decoder_step(c, m, run.tape, n, slot, sentence, position, id, NULL);
		for (int i = 0; i < n; i++)
			for (int j = 0; j < 8; j++) {
				const int row = s.b.tgt.layout.start[sentence[i]] + pos;
				const double all = whole->x[row * 8 + j];

				if (off_by(h->x[i * 8 + j], all, 1) > 1e-12)
					fail_msg("position %d: %.15g, by the whole decoder %.15g",
						 pos, h->x[i * 8 + j], all);
			}
	}
	decoder_cache_free(c);
	setup_batch_end(&s);
	runtime_close(&full);
	runtime_close(&run);
}

/* Sets the relevance of the best entry of row r to 1, in a plane of the logits. */
UNUSED static void
seed_row(const struct node *logits, int r, real *rel)
{
	const real *x = logits->x + (ptrdiff_t)r * logits->ld;
	int best = 0;

	for (int v = 1; v < logits->d[1]; v++)
		if (x[v] > x[best])
			best = v;
	rel[(ptrdiff_t)r * logits->d[1] + best] = 1;
}

/* The same for rows [from, to), one plane each; then the relevance pass through the model. */
UNUSED static void
relevance_of_rows(struct runtime *run, struct node *logits, int from, int to, const struct lrp *how)
{
	real *rel = tape_relevance_seeds(run->tape, logits, to - from);

	for (int r = from; r < to; r++)
		seed_row(logits, r, rel + (r - from) * rel_step(logits));
	tape_relevance(run->tape, logits, how);
}

/* The relevance that arrives at both embeddings in a plane. */
UNUSED static double
arrived(const struct runtime *run, int plane)
{
	const struct node *end[] = { tape_find(run->tape, "src.embed"),
				     tape_find(run->tape, "tgt.embed") };
	double sum = 0;

	for (int i = 0; i < 2; i++) {
		if (!end[i]->rel)
			fail_msg("no relevance has reached %s", end[i]->name);
		for (size_t j = 0; j < node_size(end[i]); j++)
			sum += end[i]->rel[plane * rel_step(end[i]) + (ptrdiff_t)j];
	}
	return sum;
}

/* Relevance 1 of the best entry of each row arrives completely at the embeddings. */
UNUSED static void
check_relevance(struct model *m, const struct lrp *how, double tolerance)
{
	struct setup_batch s;
	struct runtime run;
	struct node *logits;

	setup_runtime(&run, 1, false);
	setup_batch(&s, m, setup_text, NULL, 4);
	logits = model_logits(m, run.tape,
			      model_decode(m, run.tape, &s.b, model_encode(m, run.tape, &s.b)));
	relevance_of_rows(&run, logits, 0, logits->d[0], how);
	for (int r = 0; r < logits->d[0]; r++)
		if (!(fabs(arrived(&run, r) - 1) <= tolerance))
			fail_msg("row %d: relevance %.15g arrived, expected 1", r,
				 arrived(&run, r));
	setup_batch_end(&s);
	runtime_close(&run);
}

UNUSED static const struct lrp check_alpha_beta = {
	.rule = LRP_ALPHABETA, .alpha = 0.5, .beta = 0.5, .norm = LRP_NORM_JACOBIAN
};
UNUSED static const struct lrp check_alpha_beta_local = {
	.rule = LRP_ALPHABETA_LOCAL, .alpha = 0.5, .beta = 0.5, .norm = LRP_NORM_JACOBIAN
};
UNUSED static const struct lrp check_epsilon = {
	.rule = LRP_EPSILON, .eps = 1e-14, .norm = LRP_NORM_FROZEN_STD, .attention_constant = 1
};

#endif
