/*
 * rare-words: frequency ranks of vocabulary entries, and the rarest tokens of a sentence.
 *
 * The rank of an entry is the number of entries that are more frequent.  Voita et al. 2019, section
 * 5.3, use the sentences whose rarest token is not among the 500 most frequent entries.
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
	int *rank;		/* [n] by vocabulary id */
	int n;
};

void rare_words_release(struct rare_words *r);	/* accepts a struct of zeros */

/*
 * The next three functions overwrite r with the ranks of the entries of v.  After an error, r is
 * unchanged.
 */

/* Ranks by the order of a vocabulary, which is by falling counts; <unk> is the rarest. */
void rare_words_of_vocab(struct rare_words *r, const struct vocab *v);
/*
 * Ranks by counts: the n bytes of `text` have lines "token count", as bpe-learn --write-vocabulary
 * writes them.  Entries without a count are the rarest.  Returns -1 with EXIT_INPUT for a malformed
 * line or a duplicate token; `name` is the name of the file, for the message.
 */
int rare_words_of_counts(struct rare_words *r, const struct vocab *v, const char *name,
			 const char *text, size_t n, struct err *e) MUST_USE;

/*
 * Ranks by the counts in a file or, if `path` is NULL, by the order of the vocabulary.  Returns -1
 * as lines_read_all() (lines.h) and rare_words_of_counts().
 */
int rare_words_read(struct rare_words *r, const struct vocab *v, const char *path,
		    struct err *e) MUST_USE;

/*
 * Sets rarest to the positions of the two rarest of n tokens, rarest first; -1 if there are fewer.
 * Among equally rare tokens the first counts.  Returns whether the rarest token is not among the
 * `frequent` most frequent entries.
 */
bool rare_words_find(const struct rare_words *r, int frequent, const int *id, int n, int rarest[2]);

#endif
