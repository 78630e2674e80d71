/*
 * parse-align: finds the words that a gold tree and a tree of a system have in common, so that
 * parses with different tokenizations can be scored.
 *
 * Apart from spaces, both trees must have the same characters.  The text is divided into parts at
 * each place where words of both trees begin.  A part that is a single word in both trees is a
 * common word.  In each tree, a part has the head and the relation of its word nearest to the root,
 * and its head is the part that contains the head word (trees/retokenize.h).  Therefore, the head
 * of a common word is correct if the gold head and the head of the system are in the same part.
 */
#ifndef PARSE_ALIGN_H
#define PARSE_ALIGN_H

#include "trees/retokenize.h"

/* A struct of zeros is empty. */
struct parse_align {
	/*
	 * Set by parse_align(): the common words, with the same indices in both.  Their heads are
	 * numbers of parts, from 1; 0 is the root.  Their forms are empty; their other texts belong
	 * to the arguments of parse_align().
	 */
	struct dep_sentence gold, system;
	/* private */
	struct retokenize cut;
	struct dep_sentence parts;
	const char **text, **parse;		/* surface texts: of gold, without empty ones; of
						 * the system */
	int *word;				/* the word of each element of `text` */
	int *of_gold, *of_system;		/* the part of each word */
	int *first_gold, *first_system;		/* the first word of each part */
	size_t room[7];
};

void parse_align_release(struct parse_align *a);

/*
 * Aligns two trees of a sentence and sets a->gold and a->system, overwriting earlier results.  Both
 * arguments must have heads, and must outlive the results.  Multi-word tokens are compared by their
 * surface text.  Returns false if the characters differ.  Then, bad[0] and bad[1] are the numbers,
 * from 0, of the words of `gold` and `system` at which they differ; the number of words of the
 * sentence means its end.
 */
bool parse_align(struct parse_align *a, const struct dep_sentence *gold,
		 const struct dep_sentence *system, int bad[2]);

#endif
