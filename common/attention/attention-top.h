/*
 * attention-top: the heads with the highest values of a parameter, over all sites of a variant, for
 * variants that retain a given number of heads.
 */
#ifndef ATTENTION_TOP_H
#define ATTENTION_TOP_H

#include <stdbool.h>
#include <stdint.h>

#include "attention/attention.h"

/* Returns the values of the heads of a's site, one for each retained head. */
typedef const real *attention_values(const struct attention *a);

/* The number of retained heads at all sites where the variant is active. */
int attention_n_heads(const struct attention *a);
/*
 * Whether a head of a's site is among the n heads with the highest values.  Of equal values, those
 * of earlier sites, and of earlier heads, are higher, so that exactly n heads are.
 */
bool attention_is_top(const struct attention *a, int head, attention_values *values, int64_t n);
/*
 * A node of constant gates [H] for a's site, with the values of `gate` [H], which the caller owns
 * and keeps as in tape_leaf().
 */
struct node *attention_constant(const struct attention *a, struct tape *t, real *gate);
/*
 * A node of constant gates [H] for a's site: 1 for the heads for which attention_is_top() is true,
 * and 0 for all others.
 */
struct node *attention_top_gates(const struct attention *a, struct tape *t,
				 attention_values *values, int64_t n);

#endif
