/*
 * op-case: test cases of ops.
 *
 * A case is a function that builds a small graph that ends in the op.  The checker
 * (tests/ops/check.c) builds it repeatedly: with one element shifted, with another back end, with a
 * single sentence, with other numbers of threads.  All inputs must therefore come from the bench,
 * which returns the same values each time.
 */
#ifndef OP_CASE_H
#define OP_CASE_H

#include "tape/op.h"

struct case_bench;
struct labels;

struct op_case {
	const char *name;		/* NULL ends the list */
	struct node *(*build)(struct case_bench *b);
	unsigned flags;
};

enum {
	CASE_NO_RELEVANCE = 1,		/* relevance is not conserved: embeddings, losses */
	CASE_ONE_BATCH    = 2		/* the result depends on all rows, such as a sum */
};

struct tape *case_tape(struct case_bench *b);
/* Sentences of different lengths.  Both sides have the same sentences with other lengths. */
enum case_side { CASE_SOURCE, CASE_TARGET };
const struct layout *case_layout(struct case_bench *b, enum case_side side);
/* Normally distributed leaves: activations with a layout, parameters, and inputs of any shape. */
struct node *case_rows(struct case_bench *b, const struct layout *l, int width);
struct node *case_param(struct case_bench *b, int n_dim, int d0, int d1);
struct node *case_input(struct case_bench *b, int n_dim, int d0, int d1);
/* An integer in 0 ... `below` - 1 for each row; normally distributed constants. */
const int *case_ints(struct case_bench *b, const struct layout *l, int below);
const real *case_constants(struct case_bench *b, int n);
/*
 * A label in 0 ... n - 1 for each pair of rows of a sentence; with `never`, LABEL_NEVER for some
 * pairs of different rows.  About every fourth sentence has no labels.
 */
const struct labels *case_pairs(struct case_bench *b, const struct layout *l, int n, bool never);

/* For checkers. */

struct case_leaf {
	struct node *node;		/* in the last build */
	const struct layout *rows;	/* of activations, else NULL */
	size_t n;
	real *x, *grad;			/* shared by all builds */
};

enum { CASE_MAX_LEAVES = 12 };

struct case_bench {
	struct tape *tape;
	int only;			/* the only sentence of a build, or -1 for all */
	int n_leaves, n_constants;	/* of the current build, so far */
	struct case_leaf leaf[CASE_MAX_LEAVES];
	int frozen;			/* this leaf, from 1, needs no gradient; 0: none */
	int n_known;			/* leaves of the previous build */
};

/* Builds a case on t.  Leaves keep their values from earlier builds; gradients are cleared. */
struct node *case_build(struct case_bench *b, const struct op_case *c, struct tape *t);
void case_release(struct case_bench *b);
/* The normally distributed value of an address. */
double case_value(uint32_t purpose, uint32_t row, uint32_t column);
/* The number of sentences of a layout with all sentences. */
enum { CASE_SENTENCES = 4 };

#endif
