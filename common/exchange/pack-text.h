/* pack-text: lines of text that may be invalid, and what to do with them. */
#ifndef PACK_TEXT_H
#define PACK_TEXT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "stream/input.h"

enum pack_lines_invalid { PACK_ERROR, PACK_REPLACE, PACK_SKIP };

struct pack_lines {
	struct input *in;		/* the caller's, opened with pack_lines_flags() */
	enum pack_lines_invalid invalid;
	const char *line;		/* the current line, followed by a NUL byte */
	size_t n;
	bool wrong;			/* the line is not valid; only with PACK_SKIP */
	int64_t replaced;		/* number of lines with replaced bytes */
	struct buf fixed;
};

unsigned pack_lines_flags(enum pack_lines_invalid invalid);	/* the flags of input_open() */
void pack_lines_init(struct pack_lines *l, struct input *input, enum pack_lines_invalid invalid);
void pack_lines_release(struct pack_lines *l);

/*
 * Reads the next line: 1, 0 at the end, -1 on error.  NUL bytes and bytes that are not UTF-8 are an
 * error with PACK_ERROR, and become U+FFFD with PACK_REPLACE; with PACK_SKIP, the line is marked as
 * wrong.
 */
int pack_lines_next(struct pack_lines *l, struct err *e) MUST_USE;

#endif
