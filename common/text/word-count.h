/*
 * word-count: word frequencies.  The words are in the order in which they were first added.  A
 * struct of zeros has no words.
 */
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

void word_count_release(struct word_count *c);
/* Adds `times` to the frequency of a word, which may be any n bytes at s. */
void word_count_add(struct word_count *c, const void *s, size_t n, int64_t times);

/*
 * Adds 1 to the frequency of each word of a line of n bytes.  Words are separated by spaces; spaces
 * and CRs at both ends of the line are ignored.
 */
void word_count_line(struct word_count *c, const char *line, size_t n);

/*
 * Splits the *n bytes at *line, "word frequency": sets *line and *n to the word, and *count to the
 * frequency.  Returns -1 with EXIT_INPUT if there is no space, with `expected` in the message, or
 * if the frequency is not an integer from 0 to `max`.
 */
int word_count_split(const char **line, size_t *n, const char *expected, int64_t max,
		     int64_t *count, struct err *e);

/*
 * Adds the frequency in a line "word frequency" to that of the word, and the bytes of the word
 * times the frequency to *total, which is 0 before the first line of the first file.  Returns -1
 * with EXIT_INPUT if the line is malformed, or if *total would exceed 2^53.
 */
int word_count_entry(struct word_count *c, const char *line, size_t n, int64_t *total,
		     struct err *e);

/* Adds the frequencies in `part` to those in `total`. */
void word_count_merge(struct word_count *total, const struct word_count *part);

/*
 * Appends a line "word frequency" for each word, by descending frequency; words of equal frequency
 * are in the order in which they were first added.
 */
void word_count_write(const struct word_count *c, struct buf *out);

#endif
