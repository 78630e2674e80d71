/*
 * first-prefix: the forced first token of a model's targets, such as a language token
 * (model-input.h), in a search.
 */
#ifndef FIRST_PREFIX_H
#define FIRST_PREFIX_H

#include "base/arena.h"
#include "model/model.h"
#include "search/search.h"

/*
 * Points *prefix and *prefix_n to the prefixes of n sentences with the first token of m before each
 * of them, allocated in `mem`.  *prefix may be NULL.  Without a first token, does nothing.
 */
void first_prefix_put(const struct model *m, int n, const int *const **prefix, const int **prefix_n,
		      struct arena *mem);
/* Removes the first token of m from n translations. */
void first_prefix_drop(const struct model *m, int n, struct translation *out);

#endif
