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

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(synchrony_follows_the_equations),
	};

	return cmocka_run_group_tests_name("losses of dependencies", tests, NULL, NULL);
}
