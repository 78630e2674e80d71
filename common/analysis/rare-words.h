/*
 * rare-words: how rare each type of a vocabulary is, and the rarest tokens of a sentence.
 *
 * The rank of a type is how many types are more frequent.  Voita et al. 2019, section 5.3, look at
 * sentences whose least frequent token is not among the 500 most frequent types.
 */
#ifndef RARE_WORDS_H
#define RARE_WORDS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/compiler.h"
#include "base/err.h"
#include "text/vocab.h"

enum { RARE_FREQUENT = 500 };	/* unless someone says otherwise */

struct rare_words {
	int *rank;		/* [v->n] by type */
	int n;
};

void rare_words_release(struct rare_words *r);
/* As a vocabulary has its types: by falling count; the unknown symbol is the rarest. */
void rare_words_of_vocab(struct rare_words *r, const struct vocab *v);
/*
 * By counts: lines "type count", as bpe-learn --write-vocabulary has them; types that are not there
 * are the rarest.  EXIT_INPUT with the line, also for a type twice.
 */
int rare_words_of_counts(struct rare_words *r, const struct vocab *v, const char *name,
			 const char *text, size_t n, struct err *e) MUST_USE;

/*
 * The two rarest of n tokens, rarest first, of equally rare ones the one that comes first; -1
 * for what there is not.  Is the rarest outside so many most frequent types?
 */
bool rare_words_find(const struct rare_words *r, int frequent, const int *id, int n, int rarest[2]);

#endif
