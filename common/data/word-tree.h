/*
 * word-tree: the dependency tree of one side of a record, and the word of each subword.
 *
 * The fields are src.heads and src.word, or tgt.heads and tgt.word.
 */
#ifndef WORD_TREE_H
#define WORD_TREE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/compiler.h"
#include "base/err.h"
#include "data/batch.h"
#include "data/means.h"

/* A zeroed one is a sentence without a tree.  The arrays are those of the record. */
struct word_tree {
	const int32_t *head;		/* [words] the head of each word, from 1; 0: a root */
	const int32_t *word;		/* [subwords] the word of each subword, from 0 */
	int words, subwords;
};

/*
 * The tree of sentence i, with an element of word for each of its subwords, which exclude the end
 * token.  Returns -1 with EXIT_INPUT, and a message that names the record, if the fields do not
 * fit.
 */
int word_tree_of(const struct batch *b, int i, bool source, struct word_tree *t,
		 struct err *e) MUST_USE;

/*
 * Adds the share of source sentences without a tree to the means, as dev.treeless.SITE.  Such
 * sentences have plain attention.
 */
void word_trees_report(const struct batch *b, const char *site, struct means *y);

#endif
