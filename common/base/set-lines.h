/*
 * set-lines: settings that must not change between a training and its continuation, as text.
 *
 * A line "set NAME VALUE" for each; NAME has no blanks, VALUE no line ends.
 */
#ifndef SET_LINES_H
#define SET_LINES_H

#include <stdint.h>

#include "base/buf.h"
#include "base/cli.h"
#include "base/err.h"

void set_line_int(struct buf *out, const char *name, int64_t v);
void set_line_float(struct buf *out, const char *name, double v);	/* exactly */
void set_line_text(struct buf *out, const char *name, const char *v);
void set_line_list(struct buf *out, const char *name, const struct opt_list *v);

/* The VALUE of the line with this NAME in text[n], *length bytes; NULL if there is none. */
const char *set_line_find(const char *text, size_t n, const char *name, size_t *length);

/*
 * Every line of `now` must stand among those of then[n], which file has: otherwise -1 and
 * EXIT_USAGE with what differs, old value and new.
 */
int set_lines_check(const struct buf *now, const char *then, size_t n, const char *file,
		    struct err *e) MUST_USE;

#endif
