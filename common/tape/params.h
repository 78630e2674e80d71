/*
 * params: the parameters of a model, by name.
 *
 * Names look like paths: "enc.1.self.qkv.weight".  All values are in one block of memory and all
 * gradients in another, in the order in which parameters were added, each aligned to 64 bytes.  One
 * loop can therefore update all parameters.
 */
#ifndef PARAMS_H
#define PARAMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/err.h"
#include "tape/tape.h"

enum init {
	INIT_ZERO, INIT_ONE, INIT_CONSTANT,	/* scale: the constant */
	INIT_NORMAL,				/* scale: standard deviation */
	INIT_UNIFORM,				/* scale: limit of (-limit, limit) */
	INIT_XAVIER_UNIFORM,			/* limit scale * sqrt(6 / (fan_in + fan_out)) */
	INIT_XAVIER_NORMAL			/* deviation scale * sqrt(2 / (fan_in + fan_out)) */
};

/*
 * A parameter from which blocks may have been pruned, such as those of heads.  Dimension `axis`
 * consists of `parts` equal parts, each of `of` blocks in the whole model.  Each part retains the
 * blocks block[0..n), in rising order.  parts 0: the parameter cannot be pruned.
 */
struct cut { int axis, parts, of, n; const int *block; };

struct param {
	const char *name;
	int n_dim, d[NODE_MAX_DIM];
	size_t n, at;			/* number of elements; offset in x and grad of params, set
					 * by params_allocate() */
	enum init init;
	real scale;
	int fan_in, fan_out;		/* numbers of inputs and outputs for the Xavier rules; for a
					 * fused matrix, those of a part */
	real *x, *grad;			/* set by params_allocate() */
	/*
	 * A matrix [R,C] may have 8-bit integers in place of x and grad, which are then NULL:
	 * element [r][c] is unit[r] * q[r * C + c].  Set `narrow` before params_allocate() to have
	 * this.
	 */
	bool narrow;
	int8_t *q;
	real *unit;
	struct arena rows;		/* memory of q and unit, and of x after param_widen() */
	bool i8;			/* was read from 8-bit integers */
	bool frozen;			/* receives no gradient */
	real rate;			/* factor of the learning rate; 1.  Negative: gradient
					 * ascent, without weight decay */
	struct cut cut;			/* set by the caller of params_add(), who owns block */
	/*
	 * For a weight [out, in] whose values do not change: product_prepare() of its transpose,
	 * for projections.  Else NULL.
	 */
	const struct prepared *prepared;
};

struct params {
	struct param **list;		/* [n] in the order in which they were added */
	size_t n, room;
	size_t total;			/* elements of x and of grad, including padding; set by
					 * params_allocate() */
	real *x, *grad;			/* [total] all values; all gradients, or NULL */
};

void params_init(struct params *p);
void params_release(struct params *p);

/*
 * Adds a parameter.  `name` is copied; a duplicate name is a bug().  fan_in and fan_out default to
 * d[1] and d[0], because weights are [out, in].
 */
struct param *params_add(struct params *p, const char *name, enum init init, real scale,
			 int n_dim, const int *d);
/* The parameter of this name, or NULL. */
struct param *params_find(const struct params *p, const char *name);

/*
 * Allocates values and, if required, gradients.  Must be called once, after the last params_add().
 */
void params_allocate(struct params *p, bool gradients);
/* Stores row r of a matrix in `out`, also if it is narrow. */
void param_row(const struct param *p, int r, real *out);
/*
 * Replaces the integers of a narrow parameter by elements x, without gradients; does nothing for
 * other parameters.
 */
void param_widen(struct param *p);
/*
 * Frees the values of a narrow parameter that are no longer needed, so that only `prepared`
 * remains.
 */
void param_drop(struct param *p);
/* Initializes all values.  They depend only on the seed and the name of a parameter. */
void params_randomize(struct params *p, uint64_t seed);
/*
 * Copies values from `original` to `copy`, both of which may be pruned.  Returns false if the
 * shapes differ, or if `original` lacks a block of `copy`.
 */
bool param_copy(struct param *copy, const struct param *original);
/*
 * Adds the name and shape of p to h, a hash_fnv1a(), and returns it.  In a digest of parameters,
 * the values follow.
 */
uint64_t param_digest(uint64_t h, const struct param *p);
/* Freezes the parameters whose names match a shell pattern (fnmatch); returns their number. */
size_t params_freeze(struct params *p, const char *pattern);

/*
 * Stores gradients of parameters in `block`, laid out as params.grad, instead of adding them to
 * params.grad; NULL restores it.  Affects parameters that have no leaf on the tape yet.  The block
 * need not be initialized: tape_zero_missing_gradients() sets the gradients that tape_gradient()
 * has not stored to 0.  It is called before the tape is rewound, and does nothing without a block.
 *
 * tape_gradients_add() instead computes the gradient of each parameter in reused memory, and adds
 * it to the block once it is complete, while it is in the cache.
 */
void tape_gradients_to(struct tape *t, real *block);
void tape_gradients_add(struct tape *t, real *block);
void tape_zero_missing_gradients(struct tape *t, const struct params *p);

/*
 * The leaf of a parameter; the same node for each call on a tape.  Only op_embed() and projections
 * with `prepared`, also in the relevance pass, accept a narrow one.
 */
struct node *tape_param(struct tape *t, struct param *p);

#endif
