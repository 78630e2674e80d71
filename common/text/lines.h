/*
 * lines: the main loop of programs that map lines of text to lines of text.
 *
 * It opens input and output, calls a function for each line, and finishes or abandons the output.
 * Each input line, even an empty one, gives exactly one output line.  Lines end with LF or CRLF
 * in the input, and with LF in the output, also after the last line.  Input must be UTF-8.
 */
#ifndef LINES_H
#define LINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/compiler.h"
#include "base/err.h"

/*
 * A function that appends the output for a line, without a line end, to `out`.  `number` counts the
 * lines of all files from 1.  Returns 0, or -1 on failure.
 */
typedef int lines_work(const char *line, size_t n, int64_t number, struct buf *out, void *arg,
		       struct err *e);

struct lines {
	lines_work *work;
	void *arg;
	const char *output;	/* NULL and "-": standard output */
	bool flush;		/* write each line at once, for interactive use */
};

/* Processes the files in paths in order, or standard input if there are none; dies on failure. */
void lines_run(const struct lines *l, char **paths);

/* Is c white space that is ignored at the ends of a line of words, codes or frequencies? */
static inline bool
line_is_edge(char c)
{
	return c == ' ' || c == '\r' || c == '\n';
}

/*
 * Reads a whole small file, such as BPE codes, into the empty buffer out, and adds a NUL byte.  A
 * byte order mark at the start is dropped; the bytes are not checked.  "-" is standard input.  A
 * file that is longer than LINES_WHOLE times the maximum line length is an error.
 */
enum { LINES_WHOLE = 4 };
int lines_read_all(const char *path, struct buf *out, struct err *e) MUST_USE;

#endif
