/* op-case: inputs of test cases; see op-case.h. */
#include "ops/kit/op-case.h"

#include <stdlib.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/rng.h"
#include "ops/ops.h"
#include "tensor/kernels.h"

static const int lengths[2][CASE_SENTENCES] = { { 3, 1, 19, 2 }, { 2, 1, 5, 18 } };

double
case_value(uint32_t purpose, uint32_t row, uint32_t column)
{
	struct rng r;

	rng_init(&r, (uint64_t)purpose << 32 | row, rng_purpose("case"), column);
	return rng_normal(&r);
}

struct tape *
case_tape(struct case_bench *b)
{
	return b->tape;
}

static uint32_t
case_row_key(enum case_side side, int sentence, int row)
{
	return (uint32_t)(sentence * 1000 + (side == CASE_TARGET ? 500 : 0) + row);
}

const struct layout *
case_layout(struct case_bench *b, enum case_side side)
{
	struct arena *mem = tape_arena(b->tape);
	struct layout *l = ARENA_ARRAY(mem, struct layout, 1);
	int first = b->only < 0 ? 0 : b->only, n = b->only < 0 ? CASE_SENTENCES : 1;
	int *start = ARENA_ARRAY(mem, int, n), *len = ARENA_ARRAY(mem, int, n);
	uint32_t *key;

	l->n = n;
	l->rows = 0;
	for (int i = 0; i < n; i++) {
		start[i] = l->rows;
		len[i] = lengths[side][first + i];
		l->rows += len[i];
	}
	key = ARENA_ARRAY(mem, uint32_t, l->rows);
	for (int i = 0; i < n; i++)
		for (int r = 0; r < len[i]; r++)
			key[start[i] + r] = case_row_key(side, first + i, r);
	l->start = start;
	l->len = len;
	l->key = key;
	return l;
}

static void
case_fill(struct case_leaf *f, uint32_t purpose, const struct layout *l, int width)
{
	f->x = xcalloc(f->n, sizeof(*f->x));
	f->grad = xcalloc(f->n, sizeof(*f->grad));
	for (size_t i = 0; i < f->n; i++) {
		uint32_t row = (uint32_t)(i / (size_t)width);

		f->x[i] = (real)case_value(purpose, l ? l->key[row] : row,
					   (uint32_t)(i % (size_t)width));
	}
}

static struct node *
case_leaf(struct case_bench *b, const struct layout *l, int n_dim, int d0, int d1)
{
	struct case_leaf *f = &b->leaf[b->n_leaves];
	int d[2] = { d0, d1 }, width = n_dim == 2 ? d1 : n_dim == 1 ? d0 : 1;

	if (b->n_leaves == CASE_MAX_LEAVES)
		bug("a case with more than %d leaves", CASE_MAX_LEAVES);
	f->n = (size_t)width * (size_t)(n_dim == 2 ? d0 : 1);
	f->rows = l;
	if (b->n_leaves >= b->n_known)
		case_fill(f, (uint32_t)b->n_leaves + 1, l, width);
	k_zero(f->n, f->grad);
	f->node = tape_leaf(b->tape, NULL, n_dim, d, f->x,
			    b->frozen == b->n_leaves + 1 ? NULL : f->grad);
	f->node->rows = l;
	b->n_leaves++;
	return f->node;
}

struct node *
case_rows(struct case_bench *b, const struct layout *l, int width)
{
	return case_leaf(b, l, 2, l->rows, width);
}

struct node *
case_input(struct case_bench *b, int n_dim, int d0, int d1)
{
	return case_leaf(b, NULL, n_dim, d0, d1);
}

struct node *
case_param(struct case_bench *b, int n_dim, int d0, int d1)
{
	struct node *n = case_leaf(b, NULL, n_dim, d0, d1);

	n->parameter = 1;
	return n;
}

const int *
case_ints(struct case_bench *b, const struct layout *l, int below)
{
	int *x = ARENA_ARRAY(tape_arena(b->tape), int, l->rows);
	uint32_t what = 100 + (uint32_t)b->n_constants++;

	for (int r = 0; r < l->rows; r++) {
		const double v = 1e6 * (4 + case_value(what, l->key[r], 0)) + 1e7;

		x[r] = (int)((uint32_t)v % (uint32_t)below);
	}
	return x;
}

/* Row r of the labels of a sentence with the random numbers v [len]. */
static void
label_row(const int *v, int len, int r, int n, bool never, unsigned char *label)
{
	for (int c = 0; c < len; c++) {
		const int x = v[r] * 7 + v[c];

		label[c] = (unsigned char)(never && r != c && x % 3 == 0 ? LABEL_NEVER : x % n);
	}
}

const struct labels *
case_pairs(struct case_bench *b, const struct layout *l, int n, bool never)
{
	struct arena *mem = tape_arena(b->tape);
	const int *random = case_ints(b, l, 1000);
	struct labels *labels = arena_zero(mem, sizeof(*labels));
	const unsigned char **of = ARENA_ARRAY(mem, const unsigned char *, l->n);

	for (int i = 0; i < l->n; i++) {
		const int *v = random + l->start[i], len = l->len[i];
		unsigned char *label = ARENA_ARRAY(mem, unsigned char, len * len);

		for (int r = 0; r < len; r++)
			label_row(v, len, r, n, never, label + r * len);
		of[i] = v[0] % 4 == 3 ? NULL : label;
	}
	*labels = (struct labels){ of, n };
	return labels;
}

const real *
case_constants(struct case_bench *b, int n)
{
	real *x = ARENA_ARRAY(tape_arena(b->tape), real, n);
	uint32_t what = 100 + (uint32_t)b->n_constants++;

	for (int i = 0; i < n; i++)
		x[i] = (real)case_value(what, 0, (uint32_t)i);
	return x;
}

struct node *
case_build(struct case_bench *b, const struct op_case *c, struct tape *t)
{
	struct node *n;

	b->tape = t;
	b->n_leaves = b->n_constants = 0;
	n = c->build(b);
	b->n_known = b->n_leaves;
	return n;
}

void
case_release(struct case_bench *b)
{
	for (int i = 0; i < b->n_known; i++) {
		free(b->leaf[i].x);
		free(b->leaf[i].grad);
	}
	b->n_known = 0;
}
