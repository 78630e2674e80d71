/*
 * storage: nodes whose values are dropped or rounded to bf16, against the same graph with all
 * values: the results and the gradients have the same bits.
 */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/mem.h"
#include "base/pool.h"
#include "base/rng.h"
#include "ops/ops.h"
#include "tensor/backend/backend.h"
#include "tensor/kernels.h"

enum { ROWS = 150, WIDTH = 36, HIDDEN = 70, PARAMS = 7 };

static const struct { int rows, columns; } sizes[PARAMS] = {
	{ ROWS, WIDTH }, { 0, WIDTH }, { 0, WIDTH }, { HIDDEN, WIDTH }, { 0, HIDDEN },
	{ WIDTH, HIDDEN }, { 0, WIDTH },
};

struct world {
	struct arena mem, scratch;
	struct backend backend;
	struct pass pass;
	struct tape *tape;
	struct node *leaf[PARAMS], *norm, *hidden, *y, *out;
	size_t n[PARAMS];
};

static void
add_leaf(struct world *w, int i)
{
	const int n_dim = sizes[i].rows ? 2 : 1;
	const int d[2] = { sizes[i].rows ? sizes[i].rows : sizes[i].columns, sizes[i].columns };
	struct rng r;
	real *x;

	w->n[i] = (size_t)d[0] * (n_dim == 2 ? (size_t)d[1] : 1);
	x = ARENA_ARRAY(&w->mem, real, w->n[i]);
	rng_init(&r, 5, (uint32_t)i, 0);
	for (size_t k = 0; k < w->n[i]; k++)
		x[k] = (real)rng_normal(&r);
	w->leaf[i] = tape_leaf(w->tape, NULL, n_dim, d, x,
			       arena_zero(&w->mem, w->n[i] * sizeof(*x)));
}

static void
world_open(struct world *w, const char *backend, bool training)
{
	struct err e;

	memset(w, 0, sizeof(*w));
	arena_init(&w->mem, 0);
	arena_init(&w->scratch, 0);
	if (backend_open(&w->backend, backend, &e))
		fail_msg("%s", e.text);
	w->pass = (struct pass){ .scratch = &w->scratch, .backend = &w->backend,
				 .pool = pool_new(3), .seed = 3, .step = 9,
				 .training = training };
	w->tape = tape_new(&w->mem, &w->pass);
	for (int i = 0; i < PARAMS; i++)
		add_leaf(w, i);
}

static void
world_close(struct world *w)
{
	tape_free(w->tape);
	pool_free(w->pass.pool);
	backend_close(&w->backend);
	arena_release(&w->mem);
	arena_release(&w->scratch);
}

/* x + dropout(w2 dropout(relu(w1 norm(x)))), as a feed-forward sublayer. */
static void
build(struct world *w, bool replace)
{
	struct node **p = w->leaf;
	struct tape *t = w->tape;

	w->norm = op_norm(t, p[0], p[1], p[2], (real)1e-5);
	if (replace)
		tape_round(t, w->norm);
	w->hidden = op_linear_relu(t, w->norm, p[3], p[4], (real)0.2);
	if (replace)
		tape_round(t, w->hidden);
	w->y = op_linear(t, w->hidden, p[5], p[6]);
	w->out = op_residual(t, p[0], w->y, (real)0.1);
	if (replace)
		tape_drop(t, w->y);
}

static void
compare(const char *backend, bool rounds)
{
	struct world a, b;

	world_open(&a, backend, true);
	world_open(&b, backend, true);
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
	tape_gradient(a.tape, op_sum(a.tape, op_multiply(a.tape, a.out, a.out)), 1);
	tape_gradient(b.tape, op_sum(b.tape, op_multiply(b.tape, b.out, b.out)), 1);
	for (int i = 0; i < PARAMS; i++)
		assert_memory_equal(a.leaf[i]->grad, b.leaf[i]->grad, a.n[i] * sizeof(real));
	world_close(&a);
	world_close(&b);
}

static void
test_same_bits(void **state)
{
	struct backend b;
	struct err e;

	(void)state;
	compare("native", false);
	compare("native:bf16", true);
	if (backend_open(&b, "onednn:bf16", &e))
		return;
	backend_close(&b);
	compare("onednn:bf16", true);
}

/* Released memory serves a later node. */
static void
test_reused(void **state)
{
	struct world w;
	const real *first;

	(void)state;
	world_open(&w, "native", true);
	w.norm = op_norm(w.tape, w.leaf[0], w.leaf[1], w.leaf[2], (real)1e-5);
	first = w.norm->x;
	tape_drop(w.tape, w.norm);
	assert_ptr_equal(op_norm(w.tape, w.leaf[0], w.leaf[1], w.leaf[2], (real)1e-5)->x, first);
	world_close(&w);
}

/* Outside of training, and of ops that read their results in the backward pass, all values stay. */
static void
test_kept(void **state)
{
	struct world w;
	struct node *n;

	(void)state;
	world_open(&w, "native:bf16", false);
	build(&w, true);
	assert_non_null(w.norm->x);
	assert_non_null(w.hidden->x);
	assert_non_null(w.y->x);
	world_close(&w);
	world_open(&w, "native:bf16", true);
	n = op_sigmoid(w.tape, w.leaf[0]);
	tape_round(w.tape, n);
	tape_drop(w.tape, n);
	assert_non_null(n->x);
	assert_null(n->x16);
	world_close(&w);
}

/* An op that would read the values is a fault of the program. */
static void
test_read(void **state)
{
	struct world w;
	pid_t child;
	int status;

	(void)state;
	world_open(&w, "native:bf16", true);
	build(&w, true);
	child = fork();
	if (!child) {
		if (!freopen("/dev/null", "w", stderr))
			_exit(1);
		op_scale(w.tape, w.hidden, 2);
		_exit(0);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_false(WIFEXITED(status) && WEXITSTATUS(status) == 0);
	assert_false(WIFSIGNALED(status) && WTERMSIG(status) == SIGSEGV);
	world_close(&w);
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
