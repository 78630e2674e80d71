/*
 * prefix: the forced tokens with which translations begin: those of a sentence, and before them the
 * first token of a model's targets, such as a language token (model-input.h).
 */
#ifndef PREFIX_H
#define PREFIX_H

#include "base/arena.h"
#include "base/compiler.h"
#include "base/err.h"
#include "model/model.h"
#include "search/search.h"

/* The token that the decoder of m reads first; -1: the zero vector. */
int prefix_input(const struct model *m);
/*
 * Checks n forced tokens, with the first token of m if it has one, in a translation of at most
 * `max` tokens.  Returns -1 with EXIT_INPUT for too many, and for ids that cannot be produced.
 */
int prefix_check(const struct model *m, const int *prefix, int n, int max, struct err *e) MUST_USE;

/*
 * Points *prefix and *prefix_n to the prefixes of n sentences with the first token of m before each
 * of them, allocated in `mem`.  *prefix may be NULL.  Without a first token, does nothing.
 */
void prefix_put_first(const struct model *m, int n, const int *const **prefix, const int **prefix_n,
		      struct arena *mem);
/* Removes the first token of m from n translations. */
void prefix_drop_first(const struct model *m, int n, struct translation *out);

#endif
