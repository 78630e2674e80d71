/*
 * joined: detects untokenized text, in which punctuation is joined to words.
 *
 * A sentence counts as "apart" if one of its words is one of . , ! ?  Otherwise it counts as
 * "joined" if a word ends in a letter followed by one of , ! ? or if the last word ends in a letter
 * followed by a period.  Sentences without punctuation are neither.  Abbreviations with another
 * period, such as "U.S.", are not joined.
 */
#ifndef JOINED_H
#define JOINED_H

#include <stdbool.h>
#include <stdint.h>

enum { JOINED_EXAMPLE = 32 };

struct joined {
	int64_t joined, apart;			/* sentences */
	char example[JOINED_EXAMPLE];		/* a joined word of ASCII letters, or "" */
};

/* Adds the words of a sentence; j must be zero-initialized before the first one. */
void joined_add(struct joined *j, const char *const *word, int n);
/* The same for a line of words separated by spaces, which are overwritten by NUL bytes. */
void joined_add_line(struct joined *j, char *line);
/*
 * Warns if most of the sentences with punctuation are "joined"; n is the number of all sentences.
 */
void joined_warn(const struct joined *j, int64_t n);

#endif
