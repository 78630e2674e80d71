/*
 * params: the trained numbers of a model, by name.
 *
 * Named like paths: "enc.0.self.qkv.weight".  All values stand in one block of
 * memory, all gradients in another, each parameter aligned to 64 bytes, in the
 * order in which they were added; so one pass can update them all.
 */
#ifndef PARAMS_H
#define PARAMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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
 * Of a parameter that may have lost some of its numbers: along dimension `axis` it has `parts`
 * runs of blocks of the same size, `of` of them when it was whole; block[0..n), rising, are
 * left in each run.  parts 0: no such thing.
 */
struct cut { int axis, parts, of, n; const int *block; };

struct param {
	const char *name;
	int n_dim, d[NODE_MAX_DIM];
	size_t n, at;			/* numbers; offset in the blocks */
	enum init init;
	real scale;
	int fan_in, fan_out;		/* of a part: a fused matrix may be initialised as its parts are */
	real *x, *grad;			/* set by params_allocate() */
	bool frozen;			/* no gradient is taken */
	real rate;			/* how many times as fast as others it learns; 1 */
	struct cut cut;			/* set by who added it; block stays theirs */
	/*
	 * Of a weight [out, in]: product_prepare() of it transposed, for projections, while its values stay as
	 * they are; else NULL.
	 */
	const struct prepared *prepared;
};

struct params {
	struct param **list;
	size_t n, room;
	size_t total;			/* numbers in a block, padding counted */
	real *x, *grad;
};

void params_init(struct params *p);
void params_release(struct params *p);

/* name is copied.  Fans default to d[1] and d[0] (weights are [out, in]); bug() on a name twice. */
struct param *params_add(struct params *p, const char *name, enum init init, real scale,
			 int n_dim, const int *d);
struct param *params_find(const struct params *p, const char *name);	/* or NULL */

void params_allocate(struct params *p, bool gradients);			/* once, after the last add */
/* Values depend on seed and name alone, not on the order. */
void params_randomize(struct params *p, uint64_t seed);
void params_zero_grad(struct params *p);
/*
 * Copies what `to` has of `from`, whole or cut, into it; false if their shapes do not allow
 * that, or `from` lacks a block.  Both are allocated.
 */
bool param_copy(struct param *to, const struct param *from);
/* Freezes all whose names match a shell pattern (fnmatch); returns how many. */
size_t params_freeze(struct params *p, const char *pattern);

/*
 * Gradients of parameters that the tape has not met yet go to a block of the caller's, laid out as
 * params.grad, instead of there.  NULL: there again.
 */
void tape_gradients_to(struct tape *t, real *block);

/* The parameter as a leaf, one a tape and parameter (the same node each time). */
struct node *tape_param(struct tape *t, struct param *p);

#endif
