/*
 * gradient-sum: gradients summed over the ranks while the walk back still goes on.
 *
 * The block of all gradients is cut into pieces.  A piece sets out as soon as no parameter in it
 * can get more.  Ranks must send the pieces in the same order, so that of rank 0's first walk is
 * everyone's from then on: the same for a training that goes on, and never a matter of bits.
 */
#ifndef GRADIENT_SUM_H
#define GRADIENT_SUM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/ranks.h"
#include "tape/params.h"

struct gradient_sum {
	struct ranks *ranks;		/* NULL with one rank: nothing to do */
	const struct params *params;
	size_t piece, n;		/* numbers in a piece, but for the last; pieces */
	int *parts;			/* [n] trained parameters that reach into it */
	int *left;			/* [n] of these, how many are not final yet */
	uint32_t *turn;			/* [n] which piece goes i-th; those with no parts are not among them */
	size_t n_turns, sent;
	uint32_t *seen;			/* [n] turns as this walk would have them */
	size_t n_seen;
	bool learnt;
};

#define GRADIENT_PIECE ((size_t)1 << 20)	/* 4 MiB: large for a network, small beside a model */

/* After params_allocate() and params_freeze(); p and r stay the caller's. */
void gradient_sum_init(struct gradient_sum *g, const struct params *p, struct ranks *r, size_t piece);
void gradient_sum_release(struct gradient_sum *g);

/* Around the last tape_gradient() of an update; a rank with nothing to walk calls both all the same. */
void gradient_sum_begin(struct gradient_sum *g, struct tape *t);
void gradient_sum_end(struct gradient_sum *g, struct tape *t);

#endif
