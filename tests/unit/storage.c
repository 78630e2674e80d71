/*
 * storage: nodes whose values are dropped or rounded to bf16, against the same graph with all
 * values: the results and the gradients have the same bits.
 */
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../ops/ops-world.h"
#include "base/rng.h"

enum { ROWS = 150, WIDTH = 36, HIDDEN = 70, PARAMS = 7 };

static const struct { int rows, columns; } sizes[PARAMS] = {
	{ ROWS, WIDTH }, { 0, WIDTH }, { 0, WIDTH }, { HIDDEN, WIDTH }, { 0, HIDDEN },
	{ WIDTH, HIDDEN }, { 0, WIDTH },
};

struct graph {
	struct world w;
	struct node *leaf[PARAMS], *norm, *hidden, *y, *out;
	size_t n[PARAMS];
};

static void
add_leaf(struct graph *g, int i)
{
	const int n_dim = sizes[i].rows ? 2 : 1;
	const int d[2] = { sizes[i].rows ? sizes[i].rows : sizes[i].columns, sizes[i].columns };
	struct rng r;
	real *x;

	g->n[i] = (size_t)d[0] * (n_dim == 2 ? (size_t)d[1] : 1);
	x = ARENA_ARRAY(&g->w.mem, real, g->n[i]);
	rng_init(&r, 5, (uint32_t)i, 0);
	for (size_t k = 0; k < g->n[i]; k++)
		x[k] = (real)rng_normal(&r);
	g->leaf[i] = tape_leaf(g->w.tape, NULL, n_dim, d, x,
			       arena_zero(&g->w.mem, g->n[i] * sizeof(*x)));
}

static void
graph_open(struct graph *g, const char *backend, bool training)
{
	world_open(&g->w, backend, 3, -1);
	g->w.pass.training = training;
	for (int i = 0; i < PARAMS; i++)
		add_leaf(g, i);
}

/* x + dropout(w2 dropout(relu(w1 norm(x)))), as a feed-forward sublayer. */
static void
build(struct graph *g, bool replace)
{
	struct node **p = g->leaf;
	struct tape *t = g->w.tape;

	g->norm = op_norm(t, p[0], p[1], p[2], (real)1e-5);
	if (replace)
		tape_round(t, g->norm);
	g->hidden = op_linear_relu(t, g->norm, p[3], p[4], (real)0.2);
	if (replace)
		tape_round(t, g->hidden);
	g->y = op_linear(t, g->hidden, p[5], p[6]);
	g->out = op_residual(t, p[0], g->y, (real)0.1);
	if (replace)
		tape_drop(t, g->y);
}

static void
compare(const char *backend, bool rounds)
{
	struct graph a, b;

	graph_open(&a, backend, true);
	graph_open(&b, backend, true);
	build(&a, false);
	build(&b, true);
	assert_null(b.y->x);
	if (rounds) {
		bf16 *should = xmalloc(ROWS * WIDTH * sizeof(*should));

		assert_null(b.norm->x);
		assert_null(b.hidden->x);
		slow_to_bf16(ROWS * WIDTH, a.norm->x, should);
		assert_memory_equal(b.norm->x16, should, ROWS * WIDTH * sizeof(*should));
		free(should);
	} else {
		assert_null(b.norm->x16);
		assert_memory_equal(a.norm->x, b.norm->x, ROWS * WIDTH * sizeof(real));
	}
	assert_memory_equal(a.out->x, b.out->x, ROWS * WIDTH * sizeof(real));
	tape_gradient(a.w.tape, op_sum(a.w.tape, op_multiply(a.w.tape, a.out, a.out)), 1);
	tape_gradient(b.w.tape, op_sum(b.w.tape, op_multiply(b.w.tape, b.out, b.out)), 1);
	for (int i = 0; i < PARAMS; i++)
		assert_memory_equal(a.leaf[i]->grad, b.leaf[i]->grad, a.n[i] * sizeof(real));
	world_close(&a.w);
	world_close(&b.w);
}

static void
test_same_bits(void **state)
{
	(void)state;
	compare("native", false);
	compare("native:bf16", true);
	compare("native:bf16:v2", true);
}

/* Released memory serves a later node. */
static void
test_reused(void **state)
{
	struct graph g;
	const real *first;

	(void)state;
	graph_open(&g, "native", true);
	g.norm = op_norm(g.w.tape, g.leaf[0], g.leaf[1], g.leaf[2], (real)1e-5);
	first = g.norm->x;
	tape_drop(g.w.tape, g.norm);
	assert_ptr_equal(op_norm(g.w.tape, g.leaf[0], g.leaf[1], g.leaf[2], (real)1e-5)->x, first);
	world_close(&g.w);
}

/* Outside of training, and of ops that read their results in the backward pass, all values stay. */
static void
test_kept(void **state)
{
	struct graph g;
	struct node *n;

	(void)state;
	graph_open(&g, "native:bf16", false);
	build(&g, true);
	assert_non_null(g.norm->x);
	assert_non_null(g.hidden->x);
	assert_non_null(g.y->x);
	world_close(&g.w);
	graph_open(&g, "native:bf16", true);
	n = op_sigmoid(g.w.tape, g.leaf[0]);
	tape_round(g.w.tape, n);
	tape_drop(g.w.tape, n);
	assert_non_null(n->x);
	assert_null(n->x16);
	world_close(&g.w);
}

/* An op that would read the values is a fault of the program. */
static void
test_read(void **state)
{
	struct graph g;
	pid_t child;
	int status;

	(void)state;
	graph_open(&g, "native:bf16", true);
	build(&g, true);
	child = fork();
	if (!child) {
		if (!freopen("/dev/null", "w", stderr))
			_exit(1);
		op_scale(g.w.tape, g.hidden, 2);
		_exit(0);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_false(WIFEXITED(status) && WEXITSTATUS(status) == 0);
	assert_false(WIFSIGNALED(status) && WTERMSIG(status) == SIGSEGV);
	world_close(&g.w);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_same_bits),
		cmocka_unit_test(test_reused),
		cmocka_unit_test(test_kept),
		cmocka_unit_test(test_read),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
