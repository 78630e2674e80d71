/*
 * accuracy: how much of a treebank a network gets right; for training.  parse-score(1) has the
 * field's measures.
 */
#ifndef ACCURACY_H
#define ACCURACY_H

#include "parser/decode.h"
#include "parser/gold.h"

struct accuracy {
	int64_t words, upos, upos_right, xpos, xpos_right;
	int64_t arcs, heads, labelled;	/* that are known; right heads; with right labels, too */
	int64_t gold, found, right;	/* phrases, each chain of them one */
};

struct runtime;
/* All sentences, in batches of about so many words. */
void accuracy_measure(struct accuracy *a, const struct gold_bank *g, struct network *n,
		      struct runtime *run, const struct decode_settings *s, int64_t batch_words);
double accuracy_f1(const struct accuracy *a);
/*
 * What a parser is judged by: the mean of labelled arcs and phrases' F1, of those there are, in
 * percent.
 */
double accuracy_score(const struct accuracy *a);

#endif
