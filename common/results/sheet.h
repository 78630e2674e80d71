/*
 * sheet: a table of texts.
 *
 * It is read from tab-separated lines, of which the first has the names of the columns; or from a
 * Markdown table, whose cells are escaped like those of markdown_cell().  A line in "**" above a
 * Markdown table is its title, and lines that begin with "> " below it are notes on it.
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
	struct sheet_row { const char **cell; size_t n; } *row;	/* row[0]: names of the columns */
	size_t n, room;
	const char **note;		/* [n_notes], without "> " */
	size_t n_notes;
	bool bars;			/* the last row was read from a Markdown table */
};

/*
 * Read a sheet from input, or from the file at path.  Return 0, or -1: EXIT_INPUT if there is no
 * row, or a row has more cells than there are columns.  Missing cells are empty.  s is released
 * on failure.
 */
int sheet_read(struct sheet *s, struct input *input, struct err *e) MUST_USE;
int sheet_open(struct sheet *s, const char *path, struct err *e) MUST_USE;
/* Whether a line is a title, "**text**". */
bool sheet_is_bold(const char *line, size_t n);
/*
 * Adds one line to a sheet that began as all zeros; empty lines are skipped.  Returns -1 with
 * EXIT_INPUT as sheet_read().
 */
int sheet_line(struct sheet *s, struct input *input, const char *line, size_t n,
	       struct err *e) MUST_USE;
void sheet_release(struct sheet *s);

/*
 * A cell; "" if the row does not have it.  Row 0 has the names of the columns, and the rows of the
 * table count from 1; columns count from 0.
 */
const char *sheet_cell(const struct sheet *s, size_t row, size_t column);

/*
 * sheet_columns() returns the number of columns; sheet_column() returns the index of the column
 * with this name, or SIZE_MAX.
 */
size_t sheet_columns(const struct sheet *s);
size_t sheet_column(const struct sheet *s, const char *name);

#endif
