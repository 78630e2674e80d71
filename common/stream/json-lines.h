/*
 * json-lines: turns the JSON lines that heed-show prints into a stream.
 *
 * The first line is the header ["heed",1,kind,meta] (heed-stream(5)).  Each following line is a
 * record or a note, and the last line is the end, ["heed-end",n].  n, which may be missing, is the
 * number of records.  Several such streams may follow each other.
 */
#ifndef JSON_LINES_H
#define JSON_LINES_H

#include <stdbool.h>

#include "base/compiler.h"
#include "base/err.h"

/*
 * Reads JSON lines from `path`, or standard input if NULL, and writes a stream to `output`, or
 * standard output if NULL.  `flags` are those of writer_open() (stream.h).  If `partial` is true,
 * streams without an end line, or with another number of records than its n, are accepted.  Returns
 * -1 with EXIT_INPUT and the number of the line if a line is not as described, or with EXIT_SYSTEM
 * if a file cannot be read or written.
 */
int json_lines_pack(const char *path, const char *output, unsigned flags, bool partial,
		    struct err *e) MUST_USE;

#endif
