/*
 * joined: whether sentences look as if nobody had tokenized them.
 *
 * Tokenizers split punctuation off.  A sentence is apart if one of its words is a single mark of
 * ". , ! ?".  Otherwise it is joined if a word ends in "," "!" or "?", or the last one in ".",
 * right after a letter.  Sentences without punctuation are neither.  Abbreviations with another
 * point inside, such as "U.S.", are not joined.
 */
#ifndef JOINED_H
#define JOINED_H

#include <stdbool.h>
#include <stdint.h>

enum { JOINED_EXAMPLE = 32 };

struct joined {
	int64_t joined, apart;			/* sentences */
	char example[JOINED_EXAMPLE];		/* a joined word of plain letters, or "" */
};

/* The words of a sentence; j begins as zeros. */
void joined_add(struct joined *j, const char *const *word, int n);
/* Most sentences that have punctuation have it joined to words. */
bool joined_mostly(const struct joined *j);

#endif
