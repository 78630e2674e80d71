/* word-count: word frequencies; the words are in the order of their first occurrence. */
#ifndef WORD_COUNT_H
#define WORD_COUNT_H

#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/strmap.h"

struct word_count {
	struct strmap words;
	int64_t *count;			/* [words.n] the frequency of each word */
	size_t room;
};

void word_count_init(struct word_count *c);
void word_count_release(struct word_count *c);
/* Adds `times` to the frequency of a word of n bytes. */
void word_count_add(struct word_count *c, const char *s, size_t n, int64_t times);

/* Counts the words of a line, separated by spaces; spaces and CRs at its ends are ignored. */
void word_count_line(struct word_count *c, const char *line, size_t n);

/*
 * Adds the entry of a line "word frequency".  Returns -1 with EXIT_INPUT if the line is malformed,
 * or if the frequency then exceeds 2^53.
 */
int word_count_entry(struct word_count *c, const char *line, size_t n, struct err *e);

/* Adds the frequencies in `part` to those in `total`. */
void word_count_merge(struct word_count *total, const struct word_count *part);

/* Appends lines "word frequency", by descending frequency; ties in the order of occurrence. */
void word_count_write(const struct word_count *c, struct buf *out);

#endif
