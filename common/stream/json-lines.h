/*
 * json-lines: turns the JSON lines that heed-show prints into a stream.
 *
 * The first line is the header ["heed",1,kind,meta].  Each following line is a record or a note,
 * and the last line is the end, ["heed-end",n].  Several such streams may follow each other.
 */
#ifndef JSON_LINES_H
#define JSON_LINES_H

#include <stdbool.h>

#include "base/compiler.h"
#include "base/err.h"

/*
 * Reads path (NULL: standard input) and writes output (NULL: standard output); `flags` are those of
 * writer_open().  `partial`: accept streams without an end, or with another number of records.
 * Returns -1 with EXIT_INPUT, naming the line, for other lines.
 */
int json_lines_pack(const char *path, const char *output, unsigned flags, bool partial,
		    struct err *e) MUST_USE;

#endif
