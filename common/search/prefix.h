/*
 * prefix: the forced tokens with which translations begin: the first token of a model's targets,
 * such as a language token (model-input.h), and after it the forced tokens of the sentence.
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
 * Checks n forced tokens of a translation of at most `max` tokens, which may also have the first
 * token of m.  Returns -1 with EXIT_INPUT for too many tokens, and for ids that cannot be produced.
 */
int prefix_check(const struct model *m, const int *prefix, int n, int max, struct err *e) MUST_USE;

/*
 * Puts the first token of m before the prefixes of n sentences: points *prefix and *prefix_n to new
 * arrays in `mem`.  *prefix may be NULL.  Does nothing if m has no first token.
 */
void prefix_put_first(const struct model *m, int n, const int *const **prefix, const int **prefix_n,
		      struct arena *mem);
/* Removes the first token of m from n translations. */
void prefix_drop_first(const struct model *m, int n, struct translation *out);

#endif
