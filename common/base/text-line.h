/* text-line: the lines of a text in memory, one after the other. */
#ifndef TEXT_LINE_H
#define TEXT_LINE_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

/* A line of a text, and the place in it. */
struct text_line {
	const char *s;			/* its first byte */
	size_t n;			/* its length in bytes, without the line end */
	size_t number;			/* from 1 */
	bool ended;			/* does it have a line end?  Only the last may lack it. */
	const char *rest, *end;		/* private */
};

/* Returns the place before the first line of the n bytes at `text`, which must outlive it. */
static inline struct text_line
text_lines(const char *text, size_t n)
{
	return (struct text_line){ .rest = text, .end = n ? text + n : text };
}

/* Goes to the next line, or returns false after the last one. */
static inline bool
text_line_next(struct text_line *l)
{
	const char *stop;

	if (l->rest == l->end)
		return false;
	stop = memchr(l->rest, '\n', (size_t)(l->end - l->rest));
	l->s = l->rest;
	l->ended = stop != NULL;
	l->n = (size_t)((stop ? stop : l->end) - l->s);
	l->rest += l->n + l->ended;
	l->number++;
	return true;
}

#endif
