/*
 * accuracy: how much of the annotation of a treebank a network predicts correctly, for validation
 * during training.  parse-score(1) computes the standard measures.
 */
#ifndef ACCURACY_H
#define ACCURACY_H

#include "parser/decode.h"
#include "parser/gold.h"

struct accuracy {
	int64_t tags[LABEL_TAGS], tags_correct[LABEL_TAGS];	/* words with a gold tag; those with
								 * the correct tag */
	int64_t arcs, heads;		/* words with a gold head; those with the correct head */
	/*
	 * Words with a gold relation, if the network predicts relations; those with the correct
	 * head and relation.
	 */
	int64_t relations, labeled;
	int64_t gold, found, correct;	/* number of gold phrases, of predicted phrases, and of
					 * phrases in both trees; a unary chain counts as one
					 * phrase */
};

struct runtime;
/*
 * Sets *a to the accuracy of the network n on all sentences of g, which are parsed in batches of at
 * most batch_words words, with the settings `s` of decode.h.
 */
void accuracy_measure(struct accuracy *a, const struct gold_bank *g, struct network *n,
		      struct runtime *run, const struct decode_settings *s, int64_t batch_words);
/*
 * The score, in percent, by which the best validation is chosen.  It is the mean of the labeled
 * attachment score and the F1 of phrases, or one of these if only that was measured.  If no
 * relations were measured, the unlabeled attachment score replaces the labeled one.  If neither
 * arcs nor phrases were measured, it is the accuracy of part-of-speech tags, averaged over UPOS and
 * XPOS.
 */
double accuracy_score(const struct accuracy *a);

#endif
