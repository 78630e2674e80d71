/*
 * lines: the loop of every program that turns lines of text into lines of text.
 *
 * Opens, loops, finishes or abandons: written once.  Each line gives exactly one
 * line, empty ones too; a last line without its end gets one.  Lines end with LF
 * or CRLF on the way in and with LF on the way out.  Input must be UTF-8.
 */
#ifndef LINES_H
#define LINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/compiler.h"
#include "base/err.h"

/* Appends what becomes of a line, without its end, to out; number counts all lines from 1.  -1: fail. */
typedef int lines_work(const char *line, size_t n, int64_t number, struct buf *out, void *arg,
		       struct err *e);

struct lines {
	lines_work *work;
	void *arg;
	const char *output;	/* NULL and "-": standard output */
	bool flush;		/* each line leaves at once, for interactive use */
};

/* Over the operands of the command line one after another, standard input if there are none; dies on failure. */
void lines_run(const struct lines *l, char **paths);

/*
 * Appends all of a small file (codes, lists, figures) to empty out, whatever its bytes are but for a
 * byte order mark at its beginning, and a NUL byte after them; "-" is standard input.  More than
 * LINES_WHOLE times what a line may have is an error.
 */
enum { LINES_WHOLE = 4 };
int lines_read_all(const char *path, struct buf *out, struct err *e) MUST_USE;

#endif
