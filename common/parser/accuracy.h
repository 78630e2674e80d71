/*
 * accuracy: the share of a treebank that a network predicts correctly, for validation in training.
 * parse-score(1) computes the standard measures.
 */
#ifndef ACCURACY_H
#define ACCURACY_H

#include "parser/decode.h"
#include "parser/gold.h"

struct accuracy {
	int64_t words, upos, upos_correct, xpos, xpos_correct;
	int64_t arcs, heads;		/* words with gold heads; those with correct heads */
	/*
	 * Arcs with gold relations, if the network predicts relations; those with correct heads and
	 * relations.
	 */
	int64_t relations, labeled;
	int64_t gold, found, correct;	/* numbers of gold phrases, predicted phrases, and phrases
					 * in both; a unary chain counts as one */
};

struct runtime;
/* Measures n on all sentences of g, in batches of at most batch_words words. */
void accuracy_measure(struct accuracy *a, const struct gold_bank *g, struct network *n,
		      struct runtime *run, const struct decode_settings *s, int64_t batch_words);
double accuracy_f1(const struct accuracy *a);	/* of phrases, in percent */
/*
 * The criterion for the best validation: the mean of labeled attachment score and F1 of phrases in
 * percent, or the one of them that treebank and network have.  Without relations in both, the
 * unlabeled attachment score replaces the labeled one.  Without arcs and phrases, it is the mean
 * accuracy of the kinds of part-of-speech tags.
 */
double accuracy_score(const struct accuracy *a);

#endif
