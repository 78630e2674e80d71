/*
 * parse-align: the words that gold and system have in common, for scores of parses whose
 * tokenization differs.
 *
 * Both have the same characters apart from spaces.  The text is divided wherever a word begins in
 * gold and in the system; a part is a common word if it is one word of each.  A part has the head
 * and the relation of its word nearest to the root, and heads are parts (retokenize.h).  So a head
 * is correct if the head in gold and the head in the system are in the same part.
 */
#ifndef PARSE_ALIGN_H
#define PARSE_ALIGN_H

#include "trees/retokenize.h"

/* Empty if zero-initialized. */
struct parse_align {
	/*
	 * Results: the common words.  Their heads are numbers of parts, from 1; 0 is the root.
	 * Their forms are empty, and the other texts belong to the sentences that were aligned.
	 */
	struct dep_sentence gold, system;
	/* private */
	struct retokenize cut;
	struct dep_sentence parts;
	const char **text, **parse;		/* surfaces: of gold, not empty; of the system */
	int *word;				/* the number of each text in gold */
	int *of_gold, *of_system;		/* the part of each word */
	int *first_gold, *first_system;		/* the first word of each part */
	size_t room[7];
};

void parse_align_release(struct parse_align *a);

/*
 * Aligns two sentences with heads, which must outlive the results; the results of an earlier call
 * are overwritten.  Multi-word tokens are compared by their surface.  Returns false if the
 * characters differ; `bad[0]` and `bad[1]` are then the numbers, from 0, of the differing words of
 * `gold` and `system`; the number of words means the end of the sentence.
 */
bool parse_align(struct parse_align *a, const struct dep_sentence *gold,
		 const struct dep_sentence *system, int bad[2]);

#endif
