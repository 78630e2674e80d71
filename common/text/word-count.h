/* word-count: how often each word occurs, words in the order in which they first came. */
#ifndef WORD_COUNT_H
#define WORD_COUNT_H

#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/strmap.h"

struct word_count {
	struct strmap words;
	int64_t *count;			/* one per word */
	size_t room;
};

void word_count_init(struct word_count *c);
void word_count_release(struct word_count *c);
void word_count_add(struct word_count *c, const char *s, size_t n, int64_t times);

/* The words of a line, separated by blanks; blanks and CRs at the line's ends belong to no word. */
void word_count_line(struct word_count *c, const char *line, size_t n);

/* A line "word count"; -1 if it is anything else or the sum becomes too large. */
int word_count_entry(struct word_count *c, const char *line, size_t n, struct err *e);

void word_count_merge(struct word_count *to, const struct word_count *from);

/* Lines "word count", by falling count, ties in the order of first appearance. */
void word_count_write(const struct word_count *c, struct buf *out);

#endif
