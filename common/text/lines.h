/*
 * lines: the main loop of programs that turn each line of text into another line of text.
 *
 * lines_run() opens input and output, calls a function for each line, and finishes or abandons the
 * output (output.h).  Each input line, even an empty one, gives exactly one output line.  Lines end
 * with LF or CRLF in the input, and with LF in the output, including the last line.  Input must be
 * UTF-8.
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
 * A function that appends the output for a line of n bytes to `out`, without a line end.  `number`
 * is the number of the line, from 1, over all files.  `arg` is that of struct lines.  Returns 0, or
 * -1 with an error.
 */
typedef int lines_work(const char *line, size_t n, int64_t number, struct buf *out, void *arg,
		       struct err *e);

struct lines {
	lines_work *work;
	void *arg;
	const char *output;	/* NULL and "-": standard output */
	bool flush;		/* write each line immediately, for interactive use */
};

/*
 * Processes the files in `paths`, which ends with NULL, in order, or standard input if there are
 * none.  On failure, prints the error and exits.
 */
void lines_run(const struct lines *l, char **paths);

/* Is c white space that is ignored at the ends of a line of words, BPE codes or frequencies? */
static inline bool
line_is_edge(char c)
{
	return c == ' ' || c == '\r' || c == '\n';
}

/* Leaves out the white space at both ends of the *n bytes at *s that line_is_edge() ignores. */
void line_trim(const char **s, size_t *n);

/*
 * Reads a whole small file, such as BPE codes, into the empty buffer `out`; a NUL byte follows at
 * out->data[out->n].  A byte order mark at the start is dropped.  The bytes need not be UTF-8.
 * `path` is as in input_open() (input.h).  Returns -1 with the error of input_open() or
 * input_ahead(), or with EXIT_INPUT if the file is longer than LINES_WHOLE times input_max_line
 * MiB.
 */
enum { LINES_WHOLE = 4 };
int lines_read_all(const char *path, struct buf *out, struct err *e) MUST_USE;

#endif
