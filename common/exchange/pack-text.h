/*
 * pack-text: reads lines of text for pack.h.  A line is invalid if it has NUL bytes or bytes that
 * are not UTF-8.
 */
#ifndef PACK_TEXT_H
#define PACK_TEXT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "stream/input.h"

enum pack_lines_invalid { PACK_ERROR, PACK_REPLACE, PACK_SKIP };

struct pack_lines {
	struct input *in;		/* the caller's, opened with the flags of
					 * pack_lines_flags() */
	enum pack_lines_invalid invalid;
	const char *line;		/* the current line, of n bytes, followed by a NUL byte */
	size_t n;
	bool wrong;			/* the line is invalid and should be skipped; only with
					 * PACK_SKIP */
	int64_t replaced;		/* number of lines so far in which bytes were replaced */
	struct buf fixed;
};

unsigned pack_lines_flags(enum pack_lines_invalid invalid);	/* flags for input_open() */
void pack_lines_init(struct pack_lines *l, struct input *input, enum pack_lines_invalid invalid);
void pack_lines_release(struct pack_lines *l);

/*
 * Reads the next line.  Returns 1, or 0 at the end of the input.  With PACK_ERROR, returns -1 with
 * EXIT_INPUT for an invalid line.  With PACK_REPLACE, invalid bytes are replaced by U+FFFD.  With
 * PACK_SKIP, l->wrong is set for an invalid line.  Returns -1 also if the input cannot be read.
 */
int pack_lines_next(struct pack_lines *l, struct err *e) MUST_USE;

#endif
