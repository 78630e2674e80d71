/*
 * prefix: the forced tokens with which a translation begins.  These are the first token that all
 * targets of the model have, such as a language token (model/model-input.h), followed by the forced
 * tokens of the sentence.
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
 * Checks the n forced tokens of a translation, including the first token of m, if it has one.  The
 * translation may have at most `max` tokens.  Returns -1 with EXIT_INPUT if n is larger, or if an
 * id is not that of a token that a translation can have.
 */
int prefix_check(const struct model *m, const int *prefix, int n, int max, struct err *e) MUST_USE;

/*
 * Puts the first token of m before the forced tokens of n sentences.  Sentence i has the
 * `(*prefix_n)[i]` forced tokens `(*prefix)[i]`; *prefix may be NULL if no sentence has any.  Both
 * pointers then point to new arrays in `mem`.  Does nothing if m has no first token.
 */
void prefix_put_first(const struct model *m, int n, const int *const **prefix, const int **prefix_n,
		      struct arena *mem);
/* Removes the first token of m, if it has one, from all hypotheses of n translations. */
void prefix_drop_first(const struct model *m, int n, struct translation *out);

#endif
