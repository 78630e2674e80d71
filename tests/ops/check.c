/*
 * check: checks each case of each op: gradients against finite differences, and equal results for
 * all back ends, for any number of threads, and for single sentences.  Before that, it checks
 * that the constant of the op has all required members.
 */
#include "ops-whole.h"

/* Builds a case and a scalar from its result: the sum of its elements times coefficients. */
static struct node *
build(struct world *w, const struct op_case *c, struct node **out)
{
	struct node *n, *k;
	real *x;

	tape_rewind(w->tape);
	n = case_build(&w->bench, c, w->tape);
	if (out)
		*out = n;
	if (!n->block && !n->n_dim)
		return n;
	x = ARENA_ARRAY(&w->mem, real, node_size(n));
	for (size_t i = 0; i < node_size(n); i++)
		x[i] = (real)coefficient(n, i);
	k = tape_leaf(w->tape, NULL, n->n_dim, n->d, x, NULL);
	infer_like(k, n);
	return op_sum(w->tape, op_multiply(w->tape, n, k));
}

static double
loss_at(struct world *w, const struct op_case *c)
{
	return (double)*build(w, c, NULL)->x;
}

static double
scale_of(size_t n, const real *g)
{
	double s = 0;

	for (size_t i = 0; i < n; i++)
		s += fabs((double)g[i]);
	return s / (double)n;
}

/* Central differences of second order, extrapolated: (4 D(h) - D(2h)) / 3. */
static double
difference(struct world *w, const struct op_case *c, real *x)
{
	const double h = 1e-4, at = *x;
	double d[4];

	for (int i = 0; i < 4; i++) {
		static const double step[4] = { 1, -1, 2, -2 };

		*x = (real)(at + step[i] * h);
		d[i] = loss_at(w, c);
	}
	*x = (real)at;
	return (8 * (d[0] - d[1]) - (d[2] - d[3])) / (12 * h);
}

static void
check_leaf(struct world *w, const struct op *op, const struct op_case *c, int f, const real *g)
{
	struct case_leaf *leaf = &w->bench.leaf[f];
	size_t step = leaf->n / 150 + 1;
	double scale = scale_of(leaf->n, g);

	for (size_t i = (size_t)f % step; i < leaf->n; i += step) {
		double d = 1.5 * difference(w, c, &leaf->x[i]);

		if (!(fabs(d - g[i]) <= 1e-6 * (fabs(d) + scale) + 1e-9))
			FAIL(op, c,
			     "input %d, element %zu: gradient %.12g, finite difference %.12g",
			     f, i, (double)g[i], d);
	}
}

/* Copies the gradients first: the next build clears them. */
static void
check_gradient(const struct op *op, const struct op_case *c)
{
	struct world w;
	real *g[CASE_MAX_LEAVES];

	world_open(&w, "reference", 1, -1);
	tape_gradient(w.tape, build(&w, c, NULL), (real)1.5);
	for (int f = 0; f < w.bench.n_known; f++) {
		size_t n = w.bench.leaf[f].n;

		g[f] = xcalloc(n, sizeof(real));
		memcpy(g[f], w.bench.leaf[f].grad, n * sizeof(real));
	}
	for (int f = 0; f < w.bench.n_known; f++)
		check_leaf(&w, op, c, f, g[f]);
	for (int f = 0; f < w.bench.n_known; f++)
		free(g[f]);
	world_close(&w);
}

/* The result of one configuration of a case. */
struct result {
	size_t n_out;
	real *out;
	int n_leaves;
	size_t n[CASE_MAX_LEAVES];
	real *grad[CASE_MAX_LEAVES];
};

static struct result
result_of(const char *backend, int threads, int only, const struct op_case *c)
{
	struct world w;
	struct result r = { 0 };
	struct node *out, *loss;

	world_open(&w, backend, threads, only);
	loss = build(&w, c, &out);
	tape_gradient(w.tape, loss, 1);
	r.n_out = node_size(out);
	r.out = xcalloc(r.n_out, sizeof(real));
	for (size_t i = 0; i < r.n_out; i++)
		r.out[i] = !out->block && out->n_dim == 2 ?
			out->x[(i / (size_t)out->d[1]) * (size_t)out->ld + i % (size_t)out->d[1]]
				: out->x[i];
	r.n_leaves = w.bench.n_known;
	for (int f = 0; f < r.n_leaves; f++) {
		r.n[f] = w.bench.leaf[f].n;
		r.grad[f] = xcalloc(r.n[f], sizeof(real));
		memcpy(r.grad[f], w.bench.leaf[f].grad, r.n[f] * sizeof(real));
	}
	world_close(&w);
	return r;
}

static void
result_free(struct result *r)
{
	free(r->out);
	for (int f = 0; f < r->n_leaves; f++)
		free(r->grad[f]);
}

static double
results_apart(const struct result *a, const struct result *b)
{
	double d = apart(a->n_out, a->out, b->out);

	for (int f = 0; f < a->n_leaves; f++)
		d = fmax(d, apart(a->n[f], a->grad[f], b->grad[f]));
	return d;
}

static int
same_bits(const struct result *a, const struct result *b)
{
	int same = !memcmp(a->out, b->out, a->n_out * sizeof(real));

	for (int f = 0; f < a->n_leaves; f++)
		same = same && !memcmp(a->grad[f], b->grad[f], a->n[f] * sizeof(real));
	return same;
}

static void
check_backends_and_threads(const struct op *op, const struct op_case *c)
{
	static const int threads[] = { 2, 3, 5 };
	struct result ref = result_of("reference", 1, -1, c);

	for (int b = 0; backends[b]; b++) {
		struct result one = result_of(backends[b]->name, 1, -1, c);
		double d = results_apart(&ref, &one);

		if (!(d <= 1e-11))
			FAIL(op, c, "%s differs from the reference by %g", backends[b]->name, d);
		for (int i = 0; i < 3; i++) {
			struct result many = result_of(backends[b]->name, threads[i], -1, c);

			if (!same_bits(&one, &many))
				FAIL(op, c, "%s: different bits with %d threads", backends[b]->name,
				     threads[i]);
			result_free(&many);
		}
		result_free(&one);
	}
	result_free(&ref);
}

/* Rows of activations are compared bit by bit; gradients of parameters are summed. */
static void
check_alone(const struct op *op, const struct op_case *c)
{
	struct result all = result_of("reference", 1, -1, c), sum = { 0 };
	size_t at_out = 0, at[CASE_MAX_LEAVES] = { 0 };
	double total = 0;

	sum.n_leaves = all.n_leaves;
	for (int f = 0; f < all.n_leaves; f++)
		sum.grad[f] = xcalloc(all.n[f], sizeof(real));
	for (int s = 0; s < CASE_SENTENCES; s++) {
		struct result one = result_of("reference", 1, s, c);

		if (c->flags & CASE_ONE_BATCH)
			total += (double)one.out[0];
		else if (memcmp(one.out, all.out + at_out, one.n_out * sizeof(real)))
			FAIL(op, c, "sentence %d alone has a different result", s);
		at_out += one.n_out;
		for (int f = 0; f < all.n_leaves; f++) {
			if (one.n[f] == all.n[f]) {
				k_add(all.n[f], sum.grad[f], one.grad[f], sum.grad[f]);
				continue;
			}
			if (memcmp(one.grad[f], all.grad[f] + at[f], one.n[f] * sizeof(real)))
				FAIL(op, c, "sentence %d alone: different gradient of input %d", s,
				     f);
			at[f] += one.n[f];
		}
		result_free(&one);
	}
	for (int f = 0; f < all.n_leaves; f++)
		if (!at[f] && apart(all.n[f], all.grad[f], sum.grad[f]) > 1e-12)
			FAIL(op, c, "input %d: gradients of single sentences do not add up", f);
	if (c->flags & CASE_ONE_BATCH && !(fabs(total - all.out[0]) <= 1e-12 * fabs(total)))
		FAIL(op, c, "losses of single sentences do not add up");
	result_free(&sum);
	result_free(&all);
}

/* The gradient of leaf f, and what the op must make of memory that has these values before. */
static void
check_memory_of(const struct op *op, const struct op_case *c, int f, const struct result *ref,
		bool add)
{
	struct world w;
	struct node *loss;
	struct case_leaf *leaf;

	world_open(&w, "reference", 1, -1);
	loss = build(&w, c, NULL);
	leaf = &w.bench.leaf[f];
	for (size_t i = 0; i < leaf->n; i++)
		leaf->grad[i] = add ? 1 : (real)NAN;
	leaf->node->grad_set = add;
	tape_gradient(w.tape, loss, 1);
	for (size_t i = 0; i < leaf->n; i++) {
		const double x = leaf->grad[i], y = ref->grad[f][i] + add;

		if (!(fabs(x - y) <= 1e-12 * (1 + fabs(y))))
			FAIL(op, c, "gradient of input %d, element %zu, %s: %.12g, expected %.12g",
			     f, i, add ? "is not added (beta 1)"
				       : "does not overwrite the memory (beta 0)", x, y);
	}
	world_close(&w);
}

/* Gradients are added with beta 1, and overwrite undefined memory with beta 0; see grad_of(). */
static void
check_memory(const struct op *op, const struct op_case *c)
{
	struct result ref = result_of("reference", 1, -1, c);

	for (int f = 0; f < ref.n_leaves; f++) {
		check_memory_of(op, c, f, &ref, true);
		check_memory_of(op, c, f, &ref, false);
	}
	result_free(&ref);
}

/* An input that needs no gradient gets none, and the others get the same as before. */
static void
check_frozen(const struct op *op, const struct op_case *c)
{
	struct result ref = result_of("reference", 1, -1, c);

	for (int f = 0; f < ref.n_leaves && ref.n_leaves > 1; f++) {
		struct world w;

		world_open(&w, "reference", 1, -1);
		w.bench.frozen = f + 1;
		tape_gradient(w.tape, build(&w, c, NULL), 1);
		for (int g = 0; g < ref.n_leaves; g++)
			if (g != f && memcmp(w.bench.leaf[g].grad, ref.grad[g],
					     ref.n[g] * sizeof(real)))
				FAIL(op, c, "gradient of input %d differs if input %d needs none",
				     g, f);
		world_close(&w);
	}
	result_free(&ref);
}

static int
has_rows(const struct op_case *c)
{
	struct world w;
	struct node *out;
	int yes;

	world_open(&w, "reference", 1, -1);
	build(&w, c, &out);
	yes = out->rows || out->block || c->flags & CASE_ONE_BATCH;
	world_close(&w);
	return yes;
}

static void
check_one(const struct op *op)
{
	for (const struct op_case *c = op->cases; c->name; c++) {
		check_gradient(op, c);
		check_memory(op, c);
		check_frozen(op, c);
		check_backends_and_threads(op, c);
		if (has_rows(c))
			check_alone(op, c);
	}
}

static void
test_op(void **state)
{
	check_whole(state, check_one);
}

/* Removes one member after the other, the last that is checked first. */
static void
missing_members_are_found(void **state)
{
	static const struct op_case none[] = { { 0 } };
	struct op op = ops_hard_concrete;
#define FINDS(member, value, text) do { \
	op.member = value; \
	assert_string_equal(op_defect(&op, "hard_concrete"), text); \
} while (0)

	(void)state;
	assert_null(op_defect(&op, "hard_concrete"));
	FINDS(cases, none, "it has no cases");
	FINDS(cases, NULL, "it has no cases");
	FINDS(relevance, NULL, ".relevance is NULL");
	FINDS(gradient, NULL, ".gradient is NULL");
	FINDS(forward, NULL, ".forward is NULL");
	FINDS(infer, NULL, ".infer is NULL");
	FINDS(formula, NULL, ".formula is NULL");
	FINDS(name, "hard", ".name is not the name of the file");
	FINDS(name, "hard-concrete-gate", ".name is not the name of the file");
	FINDS(name, NULL, ".name is NULL");
#undef FINDS
}

int
main(void)
{
	struct CMUnitTest test[OP_FILES + 1] = {
		[OP_FILES] = cmocka_unit_test(missing_members_are_found)
	};

	tests_of_ops(test, test_op);
	return cmocka_run_group_tests_name("every op keeps its word", test, NULL, NULL);
}
