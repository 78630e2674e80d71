/*
 * joined: detects text that was not tokenized, so that punctuation is joined to words.
 *
 * A sentence counts as "apart" if one of its words is a single mark, one of . , ! ?  Otherwise it
 * counts as "joined" if one of its words ends in a letter and one of , ! ? or if its last word ends
 * in a letter and a period; words of fewer than 3 bytes do not count.  Other sentences count as
 * neither.  A last word with a second period, such as "U.S.", does not make its sentence "joined".
 */
#ifndef JOINED_H
#define JOINED_H

#include <stdbool.h>
#include <stdint.h>

enum { JOINED_EXAMPLE = 32 };

struct joined {
	int64_t joined, apart;			/* numbers of sentences */
	char example[JOINED_EXAMPLE];		/* a joined word of ASCII letters, or "" */
};

/* Counts a sentence of n words.  j must be zero-initialized before the first sentence. */
void joined_add(struct joined *j, const char *const *word, int n);
/* The same for a line of words separated by spaces.  The spaces are overwritten by NUL bytes. */
void joined_add_line(struct joined *j, char *line);
/*
 * Warns if more sentences are "joined" than "apart".  n is the number of all sentences, for the
 * message.
 */
void joined_warn(const struct joined *j, int64_t n);

#endif
