/*
 * page-view: tables of an HTML page (page.h): which columns of a sheet (sheet.h) are shown, in
 * which order, and how.
 */
#ifndef PAGE_VIEW_H
#define PAGE_VIEW_H

#include <stdbool.h>

#include "results/page-parts.h"
#include "results/outcome.h"

/*
 * Column number `at` of a sheet and its style: numbers are right-aligned, brief texts do not wrap,
 * and values that a paper reports are tinted.
 */
struct page_column { size_t at; bool number, brief, paper; };

/*
 * Returns column number `at` of a sheet, from 0, with the style that its name and its cells
 * suggest.
 */
struct page_column page_column_of(const struct sheet *s, size_t at);
/* Appends the HTML attribute "class" with the style of a column; nothing if it has no style. */
void page_add_class(struct buf *out, const struct page_column *c);
/*
 * Appends a cell with a text, which is a verdict if `verdict` is true.  `name` is the name of the
 * column, which narrow screens show before the cell; or NULL.
 */
void page_add_cell(struct buf *out, const struct page_column *c, const char *text, bool verdict,
		   const char *name);

/*
 * The verdicts (verdict.h) with their HTML classes and signs, in the order in which the page counts
 * claims; `v` of the last one is VERDICT_NOT_RUN.
 */
struct page_verdict { enum verdict v; const char *class, *sign; };
extern const struct page_verdict page_verdicts[];
extern const size_t page_n_verdicts;
/*
 * Appends the text of a verdict, with its sign and color, after `count`, the number of claims with
 * this verdict, unless that is 0.
 */
void page_add_verdict(struct buf *out, enum verdict v, const char *text, long count);

/*
 * The columns of a sheet that a table shows, in their order.  The rows of claims that were not run,
 * and rows with 0 runs, are hidden.
 */
struct page_view {
	const struct sheet *s;
	struct page_column *column;	/* [n_columns] */
	size_t n_columns;
	size_t verdict, runs;		/* indices in the sheet of the column with verdicts and of
					 * the column with the number of runs; SIZE_MAX: there is no
					 * such column */
	bool claims;			/* the table gets the HTML class "claims", and its cells get
					 * the names of their columns, for narrow screens */
};

/*
 * page_view_init() begins a view without columns; `verdict` is the member of this name.
 * page_view_add() adds column `at` of the sheet, each at most once.  The cells of the first column
 * that is added are the headers of the rows.  The caller frees v->column.
 */
void page_view_init(struct page_view *v, const struct sheet *s, size_t verdict);
void page_view_add(struct page_view *v, size_t at);
/* Is a row of the sheet shown? */
bool page_view_shows(const struct page_view *v, size_t row);
/*
 * Adds the table to the page.  `caption` is NULL if there is none, or if it is already on the page,
 * outside of the table.  `id` is the id of the caption, or NULL.
 */
void page_add_view(struct page *p, const struct page_view *v, const char *caption,
		   const char *id);

#endif
