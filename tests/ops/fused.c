/*
 * fused: fused ops against separate ones: values and gradients, with the same dropout masks.
 * Attention is in attention-parts.c.
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
#include "tensor/backend/backend.h"

enum { WIDTH = 5, TYPES = 21 };

typedef struct node *build(struct case_bench *b, real p);

struct world {
	struct arena mem, scratch;
	struct backend backend;
	struct pass pass;
	struct tape *tape;
	struct case_bench bench;
	struct node *out;
};

static void
world_open(struct world *w)
{
	struct err e;

	memset(w, 0, sizeof(*w));
	arena_init(&w->mem, 0);
	arena_init(&w->scratch, 0);
	if (backend_open(&w->backend, "reference", &e))
		fail_msg("%s", e.text);
	w->pass = (struct pass){ .scratch = &w->scratch, .backend = &w->backend,
				 .seed = 3, .step = 9, .training = 1 };
	w->tape = tape_new(&w->mem, &w->pass);
	w->bench.only = -1;
	w->bench.tape = w->tape;
}

static void
world_close(struct world *w)
{
	w->bench.n_known = w->bench.n_leaves;	/* built without case_build() */
	case_release(&w->bench);
	tape_free(w->tape);
	backend_close(&w->backend);
	arena_release(&w->mem);
	arena_release(&w->scratch);
}

static void
assert_near(double a, double b, const char *what, size_t i)
{
	if (!(fabs(a - b) <= 1e-12 * (1 + fabs(b))))
		fail_msg("%s %zu: fused %.15g, in parts %.15g", what, i, a, b);
}

static void
assert_gradients_near(const struct world *one, const struct world *two)
{
	for (int f = 0; f < one->bench.n_leaves; f++) {
		double size = 0;

		for (size_t i = 0; i < one->bench.leaf[f].n; i++) {
			double a = (double)one->bench.leaf[f].grad[i];

			assert_near(a, (double)two->bench.leaf[f].grad[i], "gradient", i);
			size += fabs(a);
		}
		assert_true(size > 0);
	}
}

/* A result that is not constant, so that its gradients distinguish rows and columns. */
static void
run(struct world *w, build *how, real p)
{
	struct node *c;
	real *x;

	world_open(w);
	w->out = how(&w->bench, p);
	x = ARENA_ARRAY(&w->mem, real, node_size(w->out));
	for (size_t i = 0; i < node_size(w->out); i++)
		x[i] = (real)case_value(99, 0, (uint32_t)i);
	c = tape_leaf(w->tape, NULL, w->out->n_dim, w->out->d, x, NULL);
	tape_gradient(w->tape, op_sum(w->tape, op_multiply(w->tape, w->out, c)), 1);
}

static void
compare(build *fused, build *parts, real p)
{
	struct world one, two;

	run(&one, fused, p);
	run(&two, parts, p);
	for (size_t i = 0; i < node_size(one.out); i++)
		assert_near((double)one.out->x[i], (double)two.out->x[i], "value", i);
	assert_int_equal(one.bench.n_leaves, two.bench.n_leaves);
	assert_gradients_near(&one, &two);
	world_close(&one);
	world_close(&two);
}

/* A node's index addresses its mask: the fused op has the index of the dropout op. */
static void
fill_places(struct tape *t, struct node *x, int n)
{
	for (int i = 0; i < n; i++)
		op_scale(t, x, 1);
}

struct layer { struct node *x, *w, *b; };

static struct layer
layer_of(struct case_bench *b)
{
	struct layer l;

	l.x = case_rows(b, case_layout(b, CASE_SOURCE), WIDTH);
	l.w = case_param(b, 2, TYPES, WIDTH);
	l.b = case_param(b, 1, TYPES, 0);
	return l;
}

static struct node *
linear_relu_fused(struct case_bench *b, real p)
{
	struct layer l = layer_of(b);

	fill_places(b->tape, l.x, 2);
	return op_linear_relu(b->tape, l.x, l.w, l.b, p);
}

static struct node *
linear_relu_parts(struct case_bench *b, real p)
{
	struct layer l = layer_of(b);

	return op_dropout(b->tape, op_relu(b->tape, op_linear(b->tape, l.x, l.w, l.b)), p);
}

static void
projection_relu_dropout(void **state)
{
	(void)state;
	compare(linear_relu_fused, linear_relu_parts, 0);
	compare(linear_relu_fused, linear_relu_parts, (real)0.4);
}

struct sublayer { struct node *x, *y, *gain, *bias; };

static struct sublayer
sublayer_of(struct case_bench *b)
{
	const struct layout *l = case_layout(b, CASE_TARGET);
	struct sublayer s;

	s.x = case_rows(b, l, TYPES);
	s.y = case_rows(b, l, TYPES);
	s.gain = case_param(b, 1, TYPES, 0);
	s.bias = case_param(b, 1, TYPES, 0);
	return s;
}

static struct node *
residual_norm_fused(struct case_bench *b, real p)
{
	struct sublayer s = sublayer_of(b);

	return op_residual_norm(b->tape, s.x, s.y, s.gain, s.bias, (real)1e-5, p);
}

static struct node *
residual_norm_parts(struct case_bench *b, real p)
{
	struct sublayer s = sublayer_of(b);

	struct node *y = op_dropout(b->tape, s.y, p);

	return op_norm(b->tape, op_add(b->tape, s.x, y), s.gain, s.bias, (real)1e-5);
}

static struct node *
residual_fused(struct case_bench *b, real p)
{
	struct sublayer s = sublayer_of(b);

	return op_norm(b->tape, op_residual(b->tape, s.x, s.y, p), s.gain, s.bias, (real)1e-5);
}

static void
residual_dropout_norm(void **state)
{
	(void)state;
	compare(residual_norm_fused, residual_norm_parts, 0);
	compare(residual_norm_fused, residual_norm_parts, (real)0.4);
	compare(residual_fused, residual_norm_parts, (real)0.4);
}

/* Whether entry v can have a smoothed probability. */
static bool
counts(const struct cross_entropy *c, int v)
{
	return !(c->valid && !c->valid[v]) && !(c->variant == SMOOTHING_ONMT && v == c->pad);
}

/* The smoothed probability of entry v if the target is gold (--smoothing in nmt-train(1)). */
static double
wanted(const struct cross_entropy *c, int v, int gold)
{
	double e = (double)c->smoothing;
	int n = 0;

	for (int u = 0; u < TYPES; u++)
		n += counts(c, u);
	if (!counts(c, v))
		return 0;
	if (c->variant == SMOOTHING_FAIRSEQ_OLD)
		return e / n + (v == gold ? 1 - e : 0);
	return v == gold ? 1 - e : e / (n - 1);
}

/* The constant that tensor2tensor subtracts, so that the minimum loss is 0. */
static double
entropy(const struct cross_entropy *c)
{
	double h = 0;

	for (int v = 0; v < TYPES; v++)
		if (wanted(c, v, c->pad + 1) > 0)
			h -= wanted(c, v, c->pad + 1) * log(wanted(c, v, c->pad + 1));
	return h;
}

/* The loss from stored logits, which are replaced by its gradient p - q. */
static double
loss_of(struct node *logits, const struct cross_entropy *c)
{
	double loss = 0;

	for (int r = 0; r < logits->d[0]; r++) {
		real *x = logits->x + (ptrdiff_t)r * TYPES;
		double sum = 0;

		if (c->variant == SMOOTHING_T2T)
			loss -= entropy(c);
		for (int v = 0; v < TYPES; v++)
			sum += c->valid && !c->valid[v] ? 0 : exp((double)x[v]);
		for (int v = 0; v < TYPES; v++) {
			double q = wanted(c, v, c->target[r]);

			loss -= q * ((double)x[v] - log(sum));
			x[v] = c->valid && !c->valid[v] ? 0
			       : (real)(exp((double)x[v]) / sum - q);
		}
	}
	return loss;
}

/* The first entries are masked; 2 is the padding. */
static void
compare_loss(enum smoothing variant, real smoothing, int masked)
{
	unsigned char valid[TYPES];
	struct cross_entropy c = {
		.variant = variant, .smoothing = smoothing, .pad = 2, .valid = masked ? valid : NULL
	};
	struct world one, two;
	struct node *loss, *logits, *slope;
	struct layer l;

	for (int v = 0; v < TYPES; v++)
		valid[v] = v >= masked;
	world_open(&one);
	l = layer_of(&one.bench);
	/* no target is the padding */
	c.target = case_ints(&one.bench, l.x->rows, TYPES - 3);
	for (int r = 0; r < l.x->rows->rows; r++)
		((int *)(uintptr_t)c.target)[r] += 3;
	loss = op_cross_entropy(one.tape, l.x, l.w, l.b, &c);
	tape_gradient(one.tape, loss, 1);
	world_open(&two);
	l = layer_of(&two.bench);
	logits = op_linear(two.tape, l.x, l.w, l.b);
	assert_near((double)*loss->x, loss_of(logits, &c), "loss", (size_t)variant);
	/* sum(logits * (p - q)) with p - q held constant has the gradient of the loss */
	slope = tape_leaf(two.tape, NULL, 2, logits->d, logits->x, NULL);
	logits = op_linear(two.tape, l.x, l.w, l.b);
	tape_gradient(two.tape, op_sum(two.tape, op_multiply(two.tape, logits, slope)), 1);
	assert_gradients_near(&one, &two);
	world_close(&one);
	world_close(&two);
}

static void
projection_cross_entropy(void **state)
{
	(void)state;
	for (enum smoothing v = SMOOTHING_FAIRSEQ_OLD; v <= SMOOTHING_T2T; v++) {
		compare_loss(v, 0, 0);
		compare_loss(v, (real)0.1, 0);
		compare_loss(v, (real)0.1, 2);
		compare_loss(v, (real)0.1, 3);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(projection_relu_dropout),
		cmocka_unit_test(residual_dropout_norm),
		cmocka_unit_test(projection_cross_entropy),
	};

	return cmocka_run_group_tests_name("fused ops are their parts", tests, NULL, NULL);
}
