/*
 * attention-parts: the fused op equals its parts, including masks; the layouts of decoding, in
 * which hypotheses share keys or have their own rows with gaps in between.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/arena.h"
#include "ops/kit/op-case.h"
#include "ops/ops.h"
#include "tape/op.h"
#include "tape/params.h"
#include "tensor/backend/backend.h"

enum { WIDTH = 6, HEADS = 2, ROWS = 24 };

struct world {
	struct arena mem, scratch;
	struct backend backend;
	struct pass pass;
	struct tape *tape;
	real x[4][ROWS * WIDTH], grad[4][ROWS * WIDTH];
	struct node *leaf[4];
};

static void
world_open(struct world *w)
{
	struct err e;

	memset(w, 0, sizeof(*w));
	arena_init(&w->mem, 0);
	arena_init(&w->scratch, 0);
	assert_int_equal(backend_open(&w->backend, "reference", &e), 0);
	w->pass = (struct pass){ .scratch = &w->scratch, .backend = &w->backend, .seed = 3,
				 .step = 9, .training = 1 };
	w->tape = tape_new(&w->mem, &w->pass);
	for (int i = 0; i < 4; i++)
		for (int j = 0; j < ROWS * WIDTH; j++)
			w->x[i][j] = (real)case_value((uint32_t)i, (uint32_t)(j / WIDTH),
						      (uint32_t)(j % WIDTH));
}

static void
world_close(struct world *w)
{
	tape_free(w->tape);
	backend_close(&w->backend);
	arena_release(&w->mem);
	arena_release(&w->scratch);
}

static struct node *
leaf(struct world *w, int i, int rows)
{
	w->leaf[i] = tape_leaf(w->tape, NULL, 2, (int[]){ rows, WIDTH }, w->x[i], w->grad[i]);
	return w->leaf[i];
}

static const uint32_t keys[ROWS] = { 7, 8, 9, 20, 21, 22, 23, 24, 31, 40, 41, 50, 51, 52, 53, 54,
				     55, 56, 57, 58, 59, 60 };

static void
finish(struct world *w, struct node *out)
{
	struct node *c = tape_leaf(w->tape, NULL, 2, out->d, w->x[3], NULL);

	tape_gradient(w->tape, op_sum(w->tape, op_multiply(w->tape, out, c)), 1);
}

/* Relevance of two seeds, which the fused op propagates at once. */
static void
trace(struct world *w, struct node *out, const struct lrp *how)
{
	real *rel;

	w->pass.training = 0;
	rel = tape_relevance_seeds(w->tape, out, 2);
	for (int i = 0; i < 8 * WIDTH; i++)
		rel[i % 2 * rel_step(out) + i] = (real)fabs((double)w->x[3][i]);
	tape_relevance(w->tape, out, how);
}

/* Biases by distance, of heads 2 and 0 among 3. */
static const struct distance_bias rule = { 5, true, (const int[]){ 2, 0 } };

/* The table of biases, whose gradient is grad[3]; NULL: none. */
static struct node *
table_of(struct world *w, bool biased)
{
	struct node *n;

	if (!biased)
		return NULL;
	n = tape_leaf(w->tape, NULL, 2, (int[]){ 3, 8 }, w->x[3] + 70, w->grad[3]);
	n->parameter = 1;
	return n;
}

/* Both ops have the same node index, so that the dropout masks are equal. */
static struct node *
fused(struct world *w, const struct attend *a, bool biased)
{
	struct node *q = leaf(w, 0, 8), *k = leaf(w, 1, 9), *v = leaf(w, 2, 9);
	struct node *table = table_of(w, biased);

	for (int i = 0; i < 2 + biased; i++)
		op_scale(w->tape, q, 1);
	return op_attention_biased(w->tape, q, k, v, table, a, &rule);
}

static struct node *
in_parts(struct world *w, const struct attend *a, bool biased)
{
	struct node *q = leaf(w, 0, 8), *k = leaf(w, 1, 9), *v = leaf(w, 2, 9);
	struct node *table = table_of(w, biased);
	struct node *s = op_scores(w->tape, q, k, a->queries, a->keys, a->heads, a->scale,
				   a->causal);

	if (table)
		s = op_distance_bias(w->tape, s, table, &rule);
	return op_context(w->tape, op_dropout(w->tape, op_softmax(w->tape, s), a->p), v);
}

static void
compare_relevance(struct world *one, struct node *x, struct world *two, struct node *y)
{
	static const struct lrp rules[] = {
		{ .rule = LRP_ATTNLRP, .eps = (real)1e-14 },
		{ .rule = LRP_EPSILON, .eps = (real)1e-14 },
		{ .rule = LRP_ALPHABETA, .alpha = (real)0.5, .beta = (real)0.5 },
		{ .rule = LRP_EPSILON, .eps = (real)1e-14, .attention_constant = 1 },
	};

	for (size_t r = 0; r < sizeof(rules) / sizeof(*rules); r++) {
		double size = 0;

		trace(one, x, &rules[r]);
		trace(two, y, &rules[r]);
		for (int g = rules[r].attention_constant ? 2 : 0; g < 3; g++)
			for (int i = 0; i < 2 * (g ? 9 : 8) * WIDTH; i++) {
				const double rel = (double)one->leaf[g]->rel[i];

				size += fabs(rel);
				assert_true(fabs(rel - (double)two->leaf[g]->rel[i]) < 1e-10);
			}
		assert_true(size > 1);
	}
}

static void
compare(bool causal, real p, bool biased)
{
	const struct layout q = { 3, 8, (int[]){ 0, 3, 7 }, (int[]){ 3, 4, 1 }, keys };
	const struct layout k = { 3, 9, (int[]){ 0, 3, 8 }, (int[]){ 3, 5, 1 }, keys };
	const struct attend a = { &q, &k, HEADS, (real)0.7, p, causal };
	struct world one, two;
	struct node *x, *y;
	double size = 0;

	world_open(&one);
	world_open(&two);
	x = fused(&one, &a, biased);
	y = in_parts(&two, &a, biased);
	for (int i = 0; i < 8 * WIDTH; i++)
		assert_true(fabs((double)(x->x[i] - y->x[i])) < 1e-13);
	finish(&one, x);
	finish(&two, y);
	for (int g = 0; g < 3 + biased; g++)
		for (int i = 0; i < (g < 3 ? 9 * WIDTH : 3 * 8); i++)
			assert_true(fabs((double)(one.grad[g][i] - two.grad[g][i])) < 1e-12);
	for (int i = 0; i < 3 * 8; i++)
		size += fabs((double)one.grad[3][i]);
	assert_true(biased ? size > 0.1 : size == 0);
	if (p == 0)
		compare_relevance(&one, x, &two, y);
	world_close(&one);
	world_close(&two);
}

static void
test_parts(void **state)
{
	(void)state;
	for (int how = 0; how < 8; how++)
		compare(how & 1, how & 2 ? (real)0.4 : 0, how & 4);
}

/* Reference implementation: row i of the queries attends to keys [start, start + len). */
static void
one_query(const struct world *w, int row, int start, int len, int head, real *out)
{
	double p[ROWS], sum = 0, y[WIDTH] = { 0 };
	int d = WIDTH / HEADS;

	for (int j = 0; j < len; j++) {
		double s = 0;

		for (int e = 0; e < d; e++)
			s += (double)w->x[0][row * WIDTH + head * d + e] *
				w->x[1][(start + j) * WIDTH + head * d + e];
		p[j] = exp(0.5 * s);
		sum += p[j];
	}
	for (int j = 0; j < len; j++)
		for (int e = 0; e < d; e++)
			y[e] += p[j] / sum * w->x[2][(start + j) * WIDTH + head * d + e];
	for (int e = 0; e < d; e++)
		out[e] = (real)y[e];
}

/* One query per hypothesis; the first two share their keys, those of the third follow a gap. */
static void
test_decoding(void **state)
{
	static const int starts[4] = { 2, 2, 15, 9 }, lens[4] = { 4, 4, 7, 1 };
	const struct layout q = { 4, 4, (int[]){ 0, 1, 2, 3 }, (int[]){ 1, 1, 1, 1 }, NULL };
	const struct layout k = { 4, ROWS, starts, lens, NULL };
	const struct attend a = { &q, &k, HEADS, (real)0.5, (real)0.4, true };
	struct world w;
	struct node *n, *s;

	(void)state;
	world_open(&w);
	w.pass.training = 0;
	n = op_attention(w.tape, leaf(&w, 0, 4), leaf(&w, 1, ROWS), leaf(&w, 2, ROWS), &a);
	s = op_scores(w.tape, leaf(&w, 0, 4), leaf(&w, 1, ROWS), &q, &k, HEADS, (real)0.5, true);
	s = op_context(w.tape, op_softmax(w.tape, s), leaf(&w, 2, ROWS));
	for (int i = 0; i < 4; i++) {
		for (int h = 0; h < HEADS; h++) {
			real should[WIDTH];

			one_query(&w, i, starts[i], lens[i], h, should);
			for (int e = 0; e < WIDTH / HEADS; e++) {
				int at = i * WIDTH + h * WIDTH / HEADS + e;

				assert_true(fabs((double)(n->x[at] - should[e])) < 1e-12);
				assert_true(fabs((double)(s->x[at] - should[e])) < 1e-12);
			}
		}
	}
	world_close(&w);
}

/* A parameter has one node per tape, and frozen parameters receive no gradient. */
static void
test_params(void **state)
{
	struct params p;
	struct world w;
	struct param *a, *b;
	real first;

	(void)state;
	world_open(&w);
	params_init(&p);
	a = params_add(&p, "enc.1.a", INIT_XAVIER_UNIFORM, 1, 2, (int[]){ 3, 5 });
	b = params_add(&p, "enc.1.b", INIT_NORMAL, 1, 1, (int[]){ 5 });
	params_allocate(&p, true);
	params_randomize(&p, 4);
	first = b->x[0];
	for (int i = 0; i < 15; i++)
		assert_true(fabs((double)a->x[i]) <= sqrt(6.0 / 8));
	assert_int_equal(params_freeze(&p, "*.b"), 1);
	assert_ptr_equal(tape_param(w.tape, a), tape_param(w.tape, a));
	tape_gradient(w.tape, op_sum(w.tape, op_scale(w.tape, tape_param(w.tape, a), 2)), 3);
	tape_gradient(w.tape, op_sum(w.tape, tape_param(w.tape, b)), 1);
	assert_true(a->grad[7] == 6 && b->grad[0] == 0);
	assert_true((uintptr_t)b->x % 64 == 0);
	params_release(&p);

	/* The values are the same in any batch. */
	b = params_add(&p, "enc.1.b", INIT_NORMAL, 1, 1, (int[]){ 5 });
	params_allocate(&p, false);
	params_randomize(&p, 4);
	assert_true(b->x[0] == first && !b->grad);
	params_release(&p);
	world_close(&w);
}

/* tape_keep_gradient() keeps the gradient, of a view too, and it equals finite differences. */
static void
test_keep(void **state)
{
	struct world w;
	struct node *x, *y, *v;

	(void)state;
	world_open(&w);
	x = op_scale(w.tape, leaf(&w, 0, 4), 2);
	v = op_columns(w.tape, x, 1, 3);
	y = op_multiply(w.tape, v, v);
	tape_keep_gradient(w.tape, v);
	tape_gradient(w.tape, op_sum(w.tape, y), 1);
	assert_non_null(v->grad);
	for (int r = 0; r < 4; r++)
		for (int c = 0; c < 3; c++)
			assert_true(fabs((double)(v->grad[r * WIDTH + c] - 2 *
						  v->x[r * WIDTH + c])) < 1e-14);
	world_close(&w);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_parts), cmocka_unit_test(test_decoding),
		cmocka_unit_test(test_params),
		cmocka_unit_test(test_keep),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
