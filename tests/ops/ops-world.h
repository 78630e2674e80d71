/* ops-world: the environment of a case of an op, for the checkers of ops. */
#ifndef OPS_WORLD_H
#define OPS_WORLD_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/arena.h"
#include "base/mem.h"
#include "base/pool.h"
#include "ops/kit/op-case.h"
#include "ops/ops.h"
#include "tensor/backend/backend.h"
#include "tensor/relevance-kernels.h"

/* The environment of a case. */
struct world {
	struct arena mem, scratch;
	struct backend backend;
	struct pass pass;
	struct tape *tape;
	struct case_bench bench;
};

static inline void
world_open(struct world *w, const char *backend, int threads, int only)
{
	struct err e;

	memset(w, 0, sizeof(*w));
	arena_init(&w->mem, 0);
	arena_init(&w->scratch, 0);
	if (backend_open(&w->backend, backend, &e))
		fail_msg("%s", e.text);
	w->pass = (struct pass){
		.scratch = &w->scratch, .backend = &w->backend,
		.pool = threads > 1 ? pool_new(threads) : NULL,
		.seed = 42, .step = 7, .training = 1,
	};
	w->tape = tape_new(&w->mem, &w->pass);
	w->bench.only = only;
}

static inline void
world_close(struct world *w)
{
	case_release(&w->bench);
	tape_free(w->tape);
	pool_free(w->pass.pool);
	backend_close(&w->backend);
	arena_release(&w->mem);
	arena_release(&w->scratch);
}

/*
 * The random value for element i of a result, addressed by (row key, column) independently of the
 * batch.
 */
static inline double
coefficient(const struct node *n, size_t i)
{
	if (n->block) {
		int s = 0;
		ptrdiff_t at;
		int T, S, row;

		while (n->block[s + 1] <= (ptrdiff_t)i)
			s++;
		T = n->queries->len[s];
		S = n->keys->len[s];
		at = (ptrdiff_t)i - n->block[s];
		row = n->queries->start[s] + (int)(at / S % T);
		return case_value(1000, n->queries->key[row], (uint32_t)(at / S / T * S + at % S));
	}
	if (n->n_dim == 2) {
		uint32_t row = (uint32_t)(i / (size_t)n->d[1]);

		return case_value(1000, n->rows ? n->rows->key[row] : row,
				  (uint32_t)(i % (size_t)n->d[1]));
	}
	return n->n_dim ? case_value(1000, 0, (uint32_t)i) : 1;
}

#define FAIL(op, c, ...) do { \
	print_error("%s, %s: ", (op)->name, (c)->name); \
	print_error(__VA_ARGS__); \
	print_error("\n"); \
	fail(); \
} while (0)

/*
 * The maximum difference, relative to the maximum absolute value; infinity if a difference is not a
 * number.
 */
static inline double
apart(size_t n, const real *a, const real *b)
{
	double d = 0, s = 1e-30;

	for (size_t i = 0; i < n; i++) {
		double one = fabs((double)a[i] - b[i]);

		if (isnan(one))
			return INFINITY;
		d = fmax(d, one);
		s = fmax(s, fabs((double)a[i]));
	}
	return d / s;
}

#endif
