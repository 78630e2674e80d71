/*
 * op-case: what an op is tried with.
 *
 * A case is a function that builds a small graph which ends in what the op computes.
 * The checker (tests/ops/check.c) builds it again and again: with one number shifted, with
 * another back end, with one sentence alone, with other numbers of threads.  So
 * everything a case uses must come from the bench, which gives the same each time.
 */
#ifndef OP_CASE_H
#define OP_CASE_H

#include "tape/op.h"

struct case_bench;

struct op_case {
	const char *name;		/* NULL ends the list */
	struct node *(*build)(struct case_bench *b);
	unsigned flags;
};

enum {
	CASE_NO_RELEVANCE = 1,		/* sums are not kept: embeddings, losses */
	CASE_ONE_BATCH    = 2		/* what comes out depends on all rows (a sum over them) */
};

struct tape *case_tape(struct case_bench *b);
/* Sentences with lengths 3 1 4 2 and so on; two sides of different lengths, same sentences. */
enum case_side { CASE_SOURCE, CASE_TARGET };
const struct layout *case_layout(struct case_bench *b, enum case_side side);
/* Normally distributed leaves: activations of the rows of a layout, parameters, and any shape. */
struct node *case_rows(struct case_bench *b, const struct layout *l, int width);
struct node *case_param(struct case_bench *b, int n_dim, int d0, int d1);
struct node *case_input(struct case_bench *b, int n_dim, int d0, int d1);
/* One number in 0 ... below - 1 for each row; and constants. */
const int *case_ints(struct case_bench *b, const struct layout *l, int below);
const real *case_constants(struct case_bench *b, int n);

/* For checkers. */

struct case_leaf {
	struct node *node;		/* in the tape built last */
	const struct layout *rows;	/* of activations, else NULL */
	size_t n;
	real *x, *grad;			/* kept from build to build */
};

enum { CASE_MAX_LEAVES = 12 };

struct case_bench {
	struct tape *tape;
	int only;			/* the one sentence there is, or -1 */
	int n_leaves, n_constants;	/* met in this build */
	struct case_leaf leaf[CASE_MAX_LEAVES];
	int n_known;			/* leaves of the build before */
};

/* A build on t: numbers of the leaves stay what they were, gradients are cleared. */
struct node *case_build(struct case_bench *b, const struct op_case *c, struct tape *t);
void case_release(struct case_bench *b);
/* The number that belongs to an address: normally distributed. */
double case_value(uint32_t what, uint32_t row, uint32_t column);
/* The sentences' numbers of rows; case_layout() of a bench with all of them. */
enum { CASE_SENTENCES = 4 };

#endif
