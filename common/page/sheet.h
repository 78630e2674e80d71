/*
 * sheet: a table of texts.
 *
 * From lines with tabs, the first of which names the columns; or from a table of Markdown, rows
 * with bars (cells as markdown_cell() writes them), above which a line in "**" is its title.
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
	struct sheet_row { const char **cell; size_t n; } *row;	/* row[0] names the columns */
	size_t n, room;
};

/* EXIT_INPUT if it has no row, or one with more cells than columns; less are empty ones. */
int sheet_read(struct sheet *s, struct input *in, struct err *e) MUST_USE;
int sheet_open(struct sheet *s, const char *path, struct err *e) MUST_USE;
/* "**text**", as titles are. */
bool sheet_is_bold(const char *line, size_t n);
/* A line more of a sheet that was all zeros at first; empty ones are none.  EXIT_INPUT as above. */
int sheet_line(struct sheet *s, struct input *in, const char *line, size_t n,
	       struct err *e) MUST_USE;
void sheet_release(struct sheet *s);

/* The cell, "" where its row has no such; rows from 1, columns from 0. */
const char *sheet_cell(const struct sheet *s, size_t row, size_t column);
size_t sheet_columns(const struct sheet *s);
size_t sheet_column(const struct sheet *s, const char *name);	/* SIZE_MAX: none is called so */

#endif
