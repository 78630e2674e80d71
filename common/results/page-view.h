/* page-view: tables of a page: columns of a sheet in the order shown; see page.h. */
#ifndef PAGE_VIEW_H
#define PAGE_VIEW_H

#include <stdbool.h>

#include "results/page-parts.h"
#include "results/outcome.h"

/*
 * The style of a column: numbers are right-aligned, brief texts do not wrap, and values of the
 * paper are tinted.
 */
struct page_column { size_t at; bool number, brief, paper; };

/* Column number `at` of a sheet, with the style that its name and its cells suggest. */
struct page_column page_column_of(const struct sheet *s, size_t at);
/* Appends the attribute class, unless the column has no style. */
void page_add_class(struct buf *out, const struct page_column *c);
/*
 * Appends a cell, which may be a verdict.  `name` is the name of the column, which is shown before
 * the cell on narrow screens, or NULL.
 */
void page_add_cell(struct buf *out, const struct page_column *c, const char *text, bool verdict,
		   const char *name);

/*
 * The verdicts with their classes and signs, in the order in which the page counts them; v of the
 * last one is VERDICT_NOT_RUN.
 */
struct page_verdict { enum verdict v; const char *class, *sign; };
extern const struct page_verdict page_verdicts[];
extern const size_t page_n_verdicts;
/*
 * Appends a verdict with its sign and color; `text` is its text.  `count` is "", or the number of
 * claims with this verdict and a blank.
 */
void page_add_verdict(struct buf *out, enum verdict v, const char *text, const char *count);

/*
 * Columns of a sheet in the order shown.  Rows of claims that were not run and rows with 0 runs
 * are hidden.
 */
struct page_view {
	const struct sheet *s;
	struct page_column *column;	/* [n_columns] */
	size_t n_columns;
	size_t verdict, runs;		/* indices of the columns of the sheet with verdicts, and
					 * with the number of runs; or SIZE_MAX */
	const char *class;		/* of the table, or NULL */
};

/* page_view_add() adds the columns one by one; the first is the header of the row. */
void page_view_init(struct page_view *v, const struct sheet *s, size_t verdict);
void page_view_add(struct page_view *v, size_t at);
/* Is a row of the sheet shown? */
bool page_view_shows(const struct page_view *v, size_t row);
/*
 * Appends the table.  `caption` and its `id` may both be NULL.  `captioned`: the caption is already
 * on the page, outside of the table.
 */
void page_add_view(struct page *p, const struct page_view *v, const char *caption,
		   const char *id, bool captioned);

#endif
