/*
 * params: the parameters of a model, by name.
 *
 * Names look like paths: "enc.1.self.qkv.weight".  The values of all parameters that are not narrow
 * are in one block of memory, and their gradients in another, in the order in which the parameters
 * were added, so that one loop can update all.  Each parameter begins at a multiple of 64 bytes.
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
	INIT_ZERO, INIT_ONE, INIT_CONSTANT,	/* `scale`: the constant */
	INIT_NORMAL,				/* `scale`: standard deviation */
	INIT_UNIFORM,				/* between -scale and scale */
	INIT_XAVIER_UNIFORM,			/* between -u and u, u = scale * sqrt(6 / (fan_in +
						 * fan_out)) */
	INIT_XAVIER_NORMAL			/* standard deviation scale * sqrt(2 / (fan_in +
						 * fan_out)) */
};

/*
 * Describes which blocks of a parameter were pruned, for example blocks of rows, one for each head.
 * Dimension `axis` consists of `parts` equal parts, such as queries, keys and values.  Each part
 * has `of` blocks in the unpruned model, and retains the `n` blocks whose numbers, from 0, are in
 * `block` [n], in ascending order.  If `parts` is 0, the parameter cannot be pruned.
 */
struct cut { int axis, parts, of, n; const int *block; };

struct param {
	const char *name;
	int n_dim, d[NODE_MAX_DIM];
	size_t n, at;			/* number of elements; index of the first in x and grad of
					 * struct params, set by params_allocate() */
	enum init init;
	real scale;
	int fan_in, fan_out;		/* numbers of inputs and outputs for the Xavier rules.
					 * params_add() sets them; callers may change them, as for a
					 * matrix of several projections */
	real *x, *grad;			/* set by params_allocate() */
	/*
	 * A matrix [R,C] is called narrow if it has 8-bit integers in place of x and grad, which
	 * are then NULL.  Its element [r][c] is unit[r] * q[r * C + c].  To get a narrow matrix,
	 * set `narrow` before params_allocate().
	 */
	bool narrow;
	int8_t *q;
	real *unit;
	struct arena rows;		/* memory of q and unit; after param_widen(), that of x */
	bool i8;			/* the values were read from 8-bit integers, i8 of
					 * model-file/member.h */
	bool frozen;			/* receives no gradient */
	real rate;			/* factor of the learning rate, by default 1.  A negative
					 * rate means gradient ascent without weight decay */
	struct cut cut;			/* set by the caller of params_add(), who owns cut.block */
	/*
	 * NULL, or, for a weight [out, in] whose values no longer change, its transpose as prepared
	 * for projections by product_prepare() (tensor/product.h).
	 */
	const struct prepared *prepared;
};

struct params {
	struct param **list;		/* [n] in the order in which they were added */
	size_t n, room;
	size_t total;			/* number of elements of x, and of grad, including padding;
					 * set by params_allocate() */
	real *x, *grad;			/* [total] values and gradients of all parameters that are
					 * not narrow; grad may be NULL */
};

void params_init(struct params *p);
void params_release(struct params *p);

/*
 * Adds a parameter with the shape d[n_dim].  `name` is copied; a duplicate name is a bug().  fan_in
 * is set to d[1] and fan_out to d[0], because weights are [out, in]; for a vector both are d[0].
 */
struct param *params_add(struct params *p, const char *name, enum init init, real scale,
			 int n_dim, const int *d);
/* The same, with a name that is formatted as by printf(3). */
struct param *params_add_named(struct params *p, enum init init, real scale, int n_dim,
			       const int *d, const char *fmt, ...) PRINTF_LIKE(6, 7);
/* The parameter of this name, or NULL. */
struct param *params_find(const struct params *p, const char *name);

/*
 * Allocates the values, which are 0 except in narrow parameters, and, if `gradients` is true, the
 * gradients.  Must be called once, after the last params_add().
 */
void params_allocate(struct params *p, bool gradients);
/* Stores row r of a matrix, narrow or not, in `out` [columns]. */
void param_row(const struct param *p, int r, real *out);
/*
 * Replaces the integers of a narrow parameter by values x; `grad` remains NULL.  Does nothing if
 * the parameter is not narrow.
 */
void param_widen(struct param *p);
/*
 * Frees the integers of a narrow parameter.  From then on, only `prepared` may be used in their
 * place.
 */
void param_drop(struct param *p);
/*
 * Initializes all values as their `init` says (Glorot and Bengio 2010 for the Xavier rules).  They
 * depend only on the seed and the name of the parameter.
 */
void params_randomize(struct params *p, uint64_t seed);
/*
 * Copies the values of `original` to `copy`.  Both may be pruned, and `copy` gets the values of the
 * blocks that it retains.
 * Returns false if the shapes differ otherwise, or if `original` lacks a block of `copy`.
 */
bool param_copy(struct param *copy, const struct param *original);
/*
 * Adds the name and shape of p to a hash h (hash_fnv1a() of base/hash.h), and returns the new hash.
 * Digests of models continue it with the values of p.
 */
uint64_t param_digest(uint64_t h, const struct param *p);
/*
 * Freezes the parameters whose names match the shell pattern (fnmatch()).  Returns the number of
 * matches.
 */
size_t params_freeze(struct params *p, const char *pattern);

/*
 * Where backward passes put the gradients of parameters, with `block` laid out like params.grad.
 * The functions apply to parameters that have no leaf on the tape yet.
 *
 * After tape_gradients_to(), gradients are stored in `block`, which need not be initialized, and
 * not added to params.grad.  Before the tape is rewound, the caller must call
 * tape_zero_missing_gradients(), which sets those gradients in the block to 0 that tape_gradient()
 * has not stored.  If `block` is NULL, gradients are added to params.grad again, and
 * tape_zero_missing_gradients() does nothing.
 *
 * After tape_gradients_add(), the gradient of each parameter is computed in memory that the next
 * one reuses, and is added to `block` when it is complete, while it is in the cache.
 */
void tape_gradients_to(struct tape *t, real *block);
void tape_gradients_add(struct tape *t, real *block);
void tape_zero_missing_gradients(struct tape *t, const struct params *p);

/*
 * The leaf of a parameter on a tape: each call returns the same node until the tape is rewound.
 * Returns NULL if p is NULL.  A narrow parameter may only be an input of op_embed(), and of
 * projections if it has `prepared`.
 */
struct node *tape_param(struct tape *t, struct param *p);

#endif
