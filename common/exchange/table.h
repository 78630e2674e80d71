/*
 * table: writes tables in Markdown, or in LaTeX for the package booktabs.
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
	struct buf *out;		/* the caller's; the table is appended to it */
	enum table_layout layout;
	const char *align;
	size_t rows;			/* number of complete rows */
	size_t cells;			/* number of cells of the current row */
};

/*
 * Begins a table.  `align` has a letter for each column: "l" for alignment at the left, or "r" at
 * the right, as for numbers.  `align` is not copied and must outlive `t`.  The first row that is
 * added is the header.
 */
void table_begin(struct table *t, struct buf *out, enum table_layout layout, const char *align);
/*
 * Adds a cell of UTF-8 text to the current row.  In Markdown, | and \ are escaped, and in LaTeX all
 * characters that have a meaning.  For LaTeX, a hyphen at the beginning of a number becomes a minus
 * sign.  The characters outside ASCII that occur in texts of heed become LaTeX commands; others are
 * unchanged.
 */
void table_text(struct table *t, const char *text);
/*
 * Adds a cell with a number, which has `decimals` digits after the decimal point; NaN is written as
 * "-".  `flags` may include TABLE_SIGNED (with + or -) and TABLE_BOLD (in bold).
 */
enum { TABLE_SIGNED = 1, TABLE_BOLD = 2 };
void table_number(struct table *t, double x, int decimals, int flags);
/* Adds a cell with a p-value; one below 0.001 is written as "< 0.001". */
void table_p(struct table *t, double p);
void table_row(struct table *t);	/* ends the row */
void table_end(struct table *t);

/*
 * Appends a whole table from lines of tab-separated values, of which the first line is the header.
 * Columns of numbers, except the first column, are aligned right.  Blanks at the end of a cell are
 * dropped.
 */
void table_lines(struct buf *out, enum table_layout layout, const char *lines);

#endif
