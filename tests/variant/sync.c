/* sync: the losses of dependency-based self-attention, against their equations. */
#include "syntax-case.h"

/* L_sync, computed by hand; a quarter of it is added to the loss. */
static void
synchrony_follows_the_equations(void **state)
{
	const char *spec[] = { "dbsa:src_weight=0,tgt_weight=0", "sync:weight=0.25" };
	const char *without[] = { spec[0], "sync:weight=0" };
	struct run r, base;
	const real *x;
	double E[8][8], C[8][8], D[8][8], sum = 0;
	int I, J;

	(void)state;
	start(&r, spec, 2, true);
	start(&base, without, 2, true);
	I = r.len;
	J = r.s.b.tgt.layout.len[0];
	x = weights(&r, "enc.1.self");
	for (int i = 0; i < I; i++)
		for (int j = 0; j < I; j++)
			E[i][j] = x[i * I + j];
	x = weights(&r, "dec.1.self");
	for (int t = 0; t < J; t++)
		for (int q = 0; q < J; q++)
			D[t][q] = x[t * J + q];
	x = weights(&r, "dec.1.cross");
	for (int t = 0; t < J; t++)
		for (int i = 0; i < I; i++)
			C[t][i] = (x[t * I + i] + x[(J + t) * I + i]) / 2;
	for (int t = 0; t < J; t++) {
		double m[8] = { 0 }, all = 0;

		for (int q = 0; q <= t; q++) {
			for (int i = 0; i < I; i++)
				for (int j = 0; j < I; j++)
					m[q] += C[t][i] * E[i][j] * C[q][j];
			all += exp(m[q]);
		}
		for (int q = 0; q <= t; q++)
			sum += pow(exp(m[q]) / all - D[t][q], 2);
	}
	assert_true(off_by(r.loss - base.loss, 0.25 * sum, 1) < 1e-12);
	stop(&r);
	stop(&base);
}

/* "He likes neural networks" in six subwords: six source pairs, two target pairs. */
static void
annotate_deguchi(struct record *rec, int64_t number, int src, int tgt)
{
	const int32_t head[] = { 2, 0, 4, 2 }, word[] = { 0, 1, 1, 2, 2, 3 };

	(void)number;
	(void)src;
	(void)tgt;
	record_set_ints(rec, "src.heads", head, 4);
	record_set_ints(rec, "src.word", word, 6);
	record_set_ints(rec, "tgt.heads", head, 4);
	record_set_ints(rec, "tgt.word", word, 6);
}

/* The mean of -log(weight of the target) in the first head; *pairs is their number. */
static double
mean_loss(struct run *r, const char *site, const int *target, int rows, int *pairs)
{
	const real *a = weights(r, site);
	double sum = 0;

	*pairs = 0;
	for (int t = 0; t < 6; t++)
		if (target[t] >= 0) {
			sum -= log(a[t * rows + target[t]]);
			++*pairs;
		}
	return sum / *pairs;
}

/* Losses are means over pairs per target token; there are seven, counting the end. */
static void
the_dependency_loss_is_a_mean_over_pairs(void **state)
{
	static const int src[] = { 1, 2, 2, 4, 5, 1 }, tgt[] = { -1, -1, 2, -1, -1, 1 };
	const char *spec = "dbsa:src_weight=0.5,tgt_weight=2";
	const char *off = "dbsa:src_weight=0,tgt_weight=0";
	double counts[64] = { 0 }, left, right;
	struct run r, base;
	int n_left, n_right;

	(void)state;
	setup_annotate = annotate_deguchi;
	start_with(&r, &spec, 1, true, "abcdef|klmnop");
	start_with(&base, &off, 1, true, "abcdef|klmnop");
	left = mean_loss(&r, "enc.1.self", src, 7, &n_left);
	right = mean_loss(&r, "dec.1.self", tgt, 7, &n_right);
	assert_true(off_by(r.loss - base.loss, 7 * (0.5 * left + 2 * right), 1) < 1e-12);
	attention_set_count(r.m->attention, &r.s.b, counts);
	assert_true(counts[0] == 6 && n_left == 6);	/* enc.1.self, the first site */
	assert_true(counts[2] == 2 && n_right == 2);	/* dec.1.self, after enc.2.self */
	stop(&r);
	stop(&base);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(synchrony_follows_the_equations),
		cmocka_unit_test(the_dependency_loss_is_a_mean_over_pairs),
	};

	return cmocka_run_group_tests_name("losses of dependencies", tests, NULL, NULL);
}
