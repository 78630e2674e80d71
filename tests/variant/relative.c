/* Relative positions: the paper's equations in three loops, and models with the variant. */
#include "setup.h"

#include "ops/kit/op-case.h"
#include "ops/ops.h"

enum { T = 3, S = 5, HEADS = 2, D = 3, K = 2 };

struct leaves {
	real q[T][HEADS * D], k[S][HEADS * D], v[S][HEADS * D], keys[2 * K + 1][D],
		values[2 * K + 1][D];
};

static int
clip(int x)
{
	return x < -K ? -K : x > K ? K : x;
}

/*
 * Element c of the output of head h for query i, equations 3 and 4; the queries are the last of the
 * keys.
 */
static double
brute(const struct leaves *l, int h, int i, int c)
{
	double e[S], all = 0, z = 0;
	const int at = i + S - T;

	for (int j = 0; j < S; j++) {
		double sum = 0;

		for (int x = 0; x < D; x++)
			sum += l->q[i][h * D + x] *
			       (l->k[j][h * D + x] + l->keys[clip(j - at) + K][x]);
		e[j] = exp(sum / sqrt(D));
		all += e[j];
	}
	for (int j = 0; j < S; j++)
		z += e[j] / all * (l->v[j][h * D + c] + l->values[clip(j - at) + K][c]);
	return z;
}

static struct node *
leaf(struct tape *t, int rows, int columns, real *x, const struct layout *l)
{
	struct node *n = tape_leaf(t, NULL, 2, (const int[]){ rows, columns }, x, NULL);

	n->rows = l;
	return n;
}

static void
attention_follows_the_equations(void **state)
{
	const int start = 0, t_len = T, s_len = S;
	const struct layout q = { 1, T, &start, &t_len, NULL }, k = { 1, S, &start, &s_len, NULL };
	struct leaves l;
	struct runtime run;
	struct node *nq, *s, *w, *z;
	struct tape *t;

	(void)state;
	for (size_t i = 0; i < sizeof(l) / sizeof(real); i++)
		((real *)&l)[i] = case_value(1, 0, (uint32_t)i);
	setup_runtime(&run, 1, false);
	t = run.tape;
	nq = leaf(t, T, HEADS * D, l.q[0], &q);
	s = op_scores(t, nq, leaf(t, S, HEADS * D, l.k[0], &k), &q, &k, HEADS, 1 / sqrt(D), false);
	s = op_relative(t, s, nq, leaf(t, 2 * K + 1, D, l.keys[0], NULL), 1 / sqrt(D),
			NULL);
	w = op_softmax(t, s);
	z = op_context(t, w, leaf(t, S, HEADS * D, l.v[0], &k));
	z = op_relative_values(t, z, w, leaf(t, 2 * K + 1, D, l.values[0], NULL), NULL);
	for (int i = 0; i < T; i++)
		for (int h = 0; h < HEADS; h++)
			for (int c = 0; c < D; c++)
				assert_true(off_by(z->x[i * HEADS * D + h * D + c],
						   brute(&l, h, i, c), 1) < 1e-14);
	runtime_close(&run);
}

static size_t
extra(const char *spec, int layers, int width, int heads)
{
	struct model_config c = setup_config("onmt");
	struct model *plain, *m;
	size_t n = 0;

	c.enc_layers = c.dec_layers = layers;
	c.width = width;
	c.heads = heads;
	plain = setup_model_of(&c, "onmt", NULL, 0, 0);
	m = setup_model_of(&c, "onmt", &spec, 1, 0);
	for (size_t i = 0; i < m->params.n; i++)
		n += m->params.list[i]->n;
	for (size_t i = 0; i < plain->params.n; i++)
		n -= plain->params.list[i]->n;
	model_free(plain);
	model_free(m);
	return n;
}

/*
 * Zhang et al. 2021, Table 1, have 0.03 M more parameters: 41 rows of 64 in 12 layers, with one
 * table for keys and values.
 */
static void
tables_are_as_large_as_published(void **state)
{
	(void)state;
	assert_int_equal(extra("relative", 6, 512, 8), 31488);
	assert_int_equal(extra("relative:share_kv=off", 6, 512, 8), 2 * 31488);
	assert_int_equal(extra("relative:decoder=off,last=1,k=2", 6, 16, 2), 5 * 8);
	assert_int_equal(extra("relative:decoder=off,first=2,k=2", 6, 16, 2), 5 * 5 * 8);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(attention_follows_the_equations),
		cmocka_unit_test(tables_are_as_large_as_published),
	};

	return cmocka_run_group_tests_name("relative positions", tests, NULL, NULL);
}
