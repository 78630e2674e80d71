/*
 * rare-words: frequency ranks of vocabulary entries, and the rarest tokens of a sentence.
 *
 * The rank of a vocabulary entry is the number of entries that are more frequent.  Voita et al.
 * 2019, section 5.3, use only the sentences whose rarest token is not among the 500 most frequent
 * entries.
 */
#ifndef RARE_WORDS_H
#define RARE_WORDS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/compiler.h"
#include "base/err.h"
#include "text/vocab.h"

enum { RARE_FREQUENT = 500 };	/* the default number of frequent entries */

struct rare_words {
	int *rank;		/* [n] rank of each entry, by vocabulary id */
	int n;
};

void rare_words_release(struct rare_words *r);	/* accepts a struct of zeros */

/*
 * The next three functions overwrite *r with the ranks of the entries of `v`.  After an error, *r
 * is unchanged.
 */

/*
 * Ranks by the order of the vocabulary, whose entries are sorted by falling counts.  The special
 * entries, such as <unk>, count as the rarest ones.
 */
void rare_words_of_vocab(struct rare_words *r, const struct vocab *v);
/*
 * Ranks by counts.  The `n` bytes of `text` are lines "token count", as in a file of bpe-learn
 * --write-vocabulary.  A rank counts all tokens of these lines, also those that are no entries.
 * Special entries and entries without a line are the rarest.  Returns -1 with EXIT_INPUT for a
 * malformed line or a duplicate token.  `name` is the name of the file, for the message.
 */
int rare_words_of_counts(struct rare_words *r, const struct vocab *v, const char *name,
			 const char *text, size_t n, struct err *e) MUST_USE;

/*
 * Ranks by the counts in the file `path` or, if `path` is NULL, by the order of the vocabulary.
 * Returns -1 if the file cannot be read, or as rare_words_of_counts().
 */
int rare_words_read(struct rare_words *r, const struct vocab *v, const char *path,
		    struct err *e) MUST_USE;

/*
 * Finds the two rarest tokens of a sentence of `n` tokens; `id` [n] has their vocabulary ids.  Sets
 * rarest[0] to the position of the rarest token and rarest[1] to that of the next; -1 if there are
 * fewer tokens.  Of equally rare tokens, the one at the lower position comes first.  Returns
 * whether the rarest token is not among the `frequent` most frequent entries.
 */
bool rare_words_find(const struct rare_words *r, int frequent, const int *id, int n, int rarest[2]);

#endif
