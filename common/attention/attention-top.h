/*
 * attention-top: for attention variants (attention.h) that retain a given number of heads.  Each
 * head has a value, such as an element of a parameter; the n heads with the highest values, over
 * all sites (attention layers) of the variant, are the top.
 */
#ifndef ATTENTION_TOP_H
#define ATTENTION_TOP_H

#include <stdbool.h>
#include <stdint.h>

#include "attention/attention.h"

/*
 * A function of the variant that returns the values of the heads at the site of `a`, one for each
 * head that has not been pruned.
 */
typedef const real *attention_values(const struct attention *a);

/*
 * The number of heads, without pruned ones, at the sites before that of `end` where the variant of
 * `a` is active; at all such sites if `end` is NULL.
 */
int attention_heads_before(const struct attention *a, const struct attention *end);
/*
 * Whether head `head`, from 0, at the site of `a` is among the `n` heads with the highest values.
 * Of equal values, the one at the earlier site counts as higher, and at the same site that of the
 * earlier head.  Therefore, exactly `n` heads are at the top, or all if there are fewer.
 */
bool attention_is_top(const struct attention *a, int head, attention_values *values, int64_t n);
/*
 * Returns a node of constant gates [H], where H is the number of heads at the site of `a`.  `gate`
 * [H] has their values; the array remains the caller's and must live as long as the node.
 */
struct node *attention_constant(const struct attention *a, struct tape *t, real *gate);
/*
 * Returns a node of constant gates [H] for the site of `a`: 1 for the heads for which
 * attention_is_top() is true, and 0 for the others.
 */
struct node *attention_top_gates(const struct attention *a, struct tape *t,
				 attention_values *values, int64_t n);

#endif
