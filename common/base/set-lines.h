/*
 * set-lines: the settings that must not change when a training is resumed, as text.
 *
 * Each setting is a line "set NAME VALUE".  NAME has no spaces, VALUE no line ends.
 */
#ifndef SET_LINES_H
#define SET_LINES_H

#include <stdint.h>

#include "base/buf.h"
#include "base/cli.h"
#include "base/err.h"

/* Append a line; the values of a list are separated by spaces. */
void set_line_int(struct buf *out, const char *name, int64_t v);
void set_line_float(struct buf *out, const char *name, double v);	/* reads back exactly */
void set_line_text(struct buf *out, const char *name, const char *v);
void set_line_list(struct buf *out, const char *name, const struct opt_list *v);

/*
 * Finds the line with this NAME in the n bytes at `text`.  Returns its VALUE, a pointer into
 * `text`, and sets *length to the number of its bytes; or returns NULL.
 */
const char *set_line_find(const char *text, size_t n, const char *name, size_t *length);

/*
 * Compares the lines in `now` with those in the n bytes at `then`, which were read from the file
 * named `file`.  If a setting of `now` is missing in `then`, or has another value there, returns -1
 * with EXIT_USAGE; the message lists the old and the new values.
 */
int set_lines_check(const struct buf *now, const char *then, size_t n, const char *file,
		    struct err *e) MUST_USE;

#endif
