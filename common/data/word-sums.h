/*
 * word-sums: word alignments from a weight of each source token for each target token.
 *
 * The weights of a target word for a source word are summed over the tokens of both.  Each target
 * word is aligned to the source word with the largest sum, the first one of equals.
 */
#ifndef WORD_SUMS_H
#define WORD_SUMS_H

#include "data/links.h"
#include "tensor/real.h"

struct word_sums {
	int words, source_words;
	double *sum;			/* [words, source words] */
	size_t room;
};

/* Sets the sums of a sentence to 0.  A struct of zeros is valid. */
void word_sums_begin(struct word_sums *s, int words, int source_words);
void word_sums_release(struct word_sums *s);
/* The sums of a target word: [source words].  The caller adds to them. */
double *word_sums_row(struct word_sums *s, int word);
/* Adds the weights x of the source tokens, for a token of the target word. */
void word_sums_add(struct word_sums *s, int word, const struct link_side *src, const real *x);
/* The source word of a target word; -1 if all sums are 0. */
int word_sums_best(const struct word_sums *s, int word);
/* The links of all target words with a sum that is not 0. */
void word_sums_links(const struct word_sums *s, struct link_set *links);

#endif
