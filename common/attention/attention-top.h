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

/* The number of heads at all active sites of the variant. */
int attention_n_heads(const struct attention *a);
/*
 * Whether a head of a's site is among the n heads with the highest values.  Of equal values, those
 * of earlier sites, and of earlier heads, are higher, so that exactly n heads are.
 */
bool attention_is_top(const struct attention *a, int head, attention_values *values, int64_t n);
/* Constant gates [H] of a's site: `gate[h]` for head h; the caller's, as in tape_leaf(). */
struct node *attention_constant(const struct attention *a, struct tape *t, real *gate);
/* Constant gates [H] of a's site: 1 for the n highest heads, and 0 for all others. */
struct node *attention_top_gates(const struct attention *a, struct tape *t,
				 attention_values *values, int64_t n);

#endif
