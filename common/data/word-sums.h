/*
 * word-sums: word alignments from weights of source tokens for target tokens, such as attention
 * weights.
 *
 * The weight of a source word for a target word is the sum of the weights over the tokens of both
 * words.  Each target word is aligned to the source word with the largest sum, and to the first of
 * several such words.  A sum of 0 is that of a source word without weights, for example one whose
 * tokens were cut off, and is not compared.  Words and tokens count from 0.
 */
#ifndef WORD_SUMS_H
#define WORD_SUMS_H

#include "data/links.h"
#include "tensor/real.h"

struct word_sums {
	int words, source_words;	/* words: number of target words */
	double *sum;			/* [words, source_words] */
	size_t room;
};

/*
 * Begins a sentence with `words` target words: sets all sums to 0.  Zero-initialize s before the
 * first sentence.
 */
void word_sums_begin(struct word_sums *s, int words, int source_words);
void word_sums_release(struct word_sums *s);
/* Returns the sums of a target word, [source_words], to which the caller may add weights. */
double *word_sums_row(struct word_sums *s, int word);
/*
 * Adds the weights of the source tokens for one token of target word `word`: x[i] is the weight of
 * source token i, and `src` has the source words of the tokens.
 */
void word_sums_add(struct word_sums *s, int word, const struct link_side *src, const real *x);
/* Returns the source word to which a target word is aligned; -1 if all its sums are 0. */
int word_sums_best(const struct word_sums *s, int word);
/* Sets `links` to a sure link for each target word that is aligned. */
void word_sums_links(const struct word_sums *s, struct link_set *links);

#endif
