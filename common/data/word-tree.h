/*
 * word-tree: the dependency tree of one side of a record, and the word of each subword.
 *
 * The fields are src.heads and src.word for the source, and tgt.heads and tgt.word for the target.
 */
#ifndef WORD_TREE_H
#define WORD_TREE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/compiler.h"
#include "base/err.h"
#include "data/batch.h"
#include "data/means.h"

/*
 * The tree of a sentence; all zeros for a sentence without a tree.  The arrays belong to the
 * record.
 */
struct word_tree {
	const int32_t *head;		/* [words] the head of each word, from 1; 0: a root */
	const int32_t *word;		/* [subwords] the word of each subword, from 0 */
	int words, subwords;
};

/*
 * Sets t to the tree of sentence i of a batch, of the source if `source` is true, else of the
 * target.  The subwords exclude the end token.  If the record has no heads, t becomes all zeros.
 * Returns -1 with EXIT_INPUT and the number of the record if there is not one word for each
 * subword, or if the words or heads are malformed.
 */
int word_tree_of(const struct batch *b, int i, bool source, struct word_tree *t,
		 struct err *e) MUST_USE;

/*
 * Adds the share of source sentences without a tree, that is without `field`, to the means y, under
 * the name dev.treeless.SITE, for the log of training.  Such sentences use unmodified attention.
 */
void treeless_report(const struct batch *b, const char *field, const char *site, struct means *y);

#endif
