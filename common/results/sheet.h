/*
 * sheet: a table of texts, read from a file.
 *
 * The file has tab-separated lines, of which the first has the names of the columns; or it has a
 * Markdown table, in whose cells a backslash before | or a backslash is removed.  A line "**text**"
 * above a Markdown table is its title, and lines below it that begin with "> " are notes.
 */
#ifndef SHEET_H
#define SHEET_H

#include <stdbool.h>
#include <stddef.h>

#include "base/compiler.h"
#include "base/err.h"
#include "base/texts.h"
#include "stream/input.h"

struct sheet {
	struct texts texts;
	const char *title;		/* or NULL */
	struct sheet_row { const char **cell; size_t n; } *row;	/* [n] row[0] has the names of the
								 * columns */
	size_t n, room;
	const char **note;		/* [n_notes] without "> " */
	size_t n_notes;
	bool bars;			/* the last row that was read is of a Markdown table */
};

/*
 * Read a sheet from `input`, or from the file at `path`.  Missing cells of a Markdown table are
 * empty.  Return 0, or -1, with EXIT_INPUT if there is no row, or if a row has more cells than the
 * first one or, between tabs, fewer; s is then already released.
 */
int sheet_read(struct sheet *s, struct input *input, struct err *e) MUST_USE;
int sheet_open(struct sheet *s, const char *path, struct err *e) MUST_USE;
/* Is a line of n bytes a title, "**text**"? */
bool sheet_is_bold(const char *line, size_t n);
/*
 * Adds a line of n bytes, the last one that was read from `input`, to a sheet that began as all
 * zeros.  Empty lines are skipped.  Returns -1 with EXIT_INPUT if the row has too many cells, or
 * too few between tabs.
 */
int sheet_line(struct sheet *s, struct input *input, const char *line, size_t n,
	       struct err *e) MUST_USE;
void sheet_release(struct sheet *s);

/*
 * The text of a cell; "" if the row is too short.  Row 0 has the names of the columns, so that the
 * rows of the table count from 1; columns count from 0.
 */
const char *sheet_cell(const struct sheet *s, size_t row, size_t column);

/*
 * sheet_columns() returns the number of columns; sheet_column() returns the index of the column
 * with this name, or SIZE_MAX.
 */
size_t sheet_columns(const struct sheet *s);
size_t sheet_column(const struct sheet *s, const char *name);

#endif
