/* lines: lines of text that may be invalid, and what to do with them. */
#ifndef LINES_H
#define LINES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "stream/input.h"

enum lines_invalid { LINES_ERROR, LINES_REPLACE, LINES_SKIP };

struct lines {
	struct input *in;		/* the caller's, opened with lines_flags() */
	enum lines_invalid invalid;
	const char *line;		/* the current line, followed by a NUL byte */
	size_t n;
	bool wrong;			/* it is not valid; only with LINES_SKIP */
	int64_t replaced;		/* number of lines with replaced bytes */
	struct buf fixed;
};

unsigned lines_flags(enum lines_invalid invalid);	/* the flags of input_open() */
void lines_init(struct lines *l, struct input *in, enum lines_invalid invalid);
void lines_release(struct lines *l);

/*
 * Reads the next line: 1, 0 at the end, -1 on error.  A line with NUL bytes or bytes that are not
 * UTF-8 is an error, or has U+FFFD for each of them, or is only marked as wrong.
 */
int lines_next(struct lines *l, struct err *e) MUST_USE;

#endif
