/*
 * table: writes tables for readers, in Markdown or for LaTeX with the package booktabs.
 *
 *	table_begin(&t, out, TABLE_LATEX, "lr");
 *	table_text(&t, "measure"); table_text(&t, "rho"); table_row(&t);
 *	table_text(&t, "entropy"); table_number(&t, 0.25, 2, 0); table_row(&t);
 *	table_end(&t);
 */
#ifndef TABLE_H
#define TABLE_H

#include <stddef.h>

#include "base/buf.h"

enum table_layout { TABLE_MARKDOWN, TABLE_LATEX };

struct table {
	struct buf *out;		/* the caller's; rows are appended to it */
	enum table_layout layout;
	const char *align;
	size_t rows;			/* number of complete rows */
	size_t cells;			/* number of cells of the current row */
};

/*
 * Begins a table.  `align` has a letter for each column: l, or r for one that is aligned right, as
 * numbers are; it is not copied.  The first row is the header.
 */
void table_begin(struct table *t, struct buf *out, enum table_layout layout, const char *align);
/*
 * Adds a cell of UTF-8 text.  Characters with a meaning in the layout are escaped.  For LaTeX, a
 * hyphen before a number becomes a minus sign; characters outside ASCII that heed itself writes
 * become commands, and all others are unchanged.
 */
void table_text(struct table *t, const char *text);
/*
 * Adds a number with this many digits after the decimal point, and "-" for NaN.  TABLE_SIGNED:
 * with + or -; TABLE_BOLD: in bold.
 */
enum { TABLE_SIGNED = 1, TABLE_BOLD = 2 };
void table_number(struct table *t, double x, int decimals, int flags);
/* Adds a p-value, or "< 0.001" for a smaller one. */
void table_p(struct table *t, double p);
void table_row(struct table *t);	/* ends the row */
void table_end(struct table *t);

/*
 * Writes tab-separated lines as a table.  Columns of numbers, except the first column, are aligned
 * right.  Blanks at the end of a cell are dropped.
 */
void table_lines(struct buf *out, enum table_layout layout, const char *lines);

#endif
