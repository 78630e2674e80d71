/* page-parts: functions that are shared by the files that implement page.h. */
#ifndef PAGE_PARTS_H
#define PAGE_PARTS_H

#include "results/page.h"
#include "results/sheet.h"

/*
 * Append a text, escaped for HTML elements and attributes; page_add_text() also appends the HTML
 * before and after it, such as "<p>" and "</p>\n".
 */
void page_escape(struct buf *out, const char *text);
void page_add_text(struct buf *out, const char *before, const char *text, const char *after);
/*
 * Returns a new id, unique in the page, made from the letters and digits of the text.  It is valid
 * until the next call.
 */
const char *page_id(struct page *p, const char *text);
/*
 * Returns page_id() for a part of the page with this caption; if the caption is "Title [name]", the
 * id is made from the name alone.
 */
const char *page_entry(struct page *p, const char *text);
/* Adds a heading with the id `id`, without an entry in the table of contents. */
void page_title(struct page *p, int level, const char *id, const char *text);
/*
 * Returns -1 with EXIT_USAGE if an address is neither https, http, mailto nor relative to the page.
 * `option` is the command-line option with the address, for the message.
 */
int page_check_address(const char *address, const char *option, struct err *e) MUST_USE;
/*
 * Begin and end a region that scrolls if it is wider than the page, also by keyboard.  Its name for
 * screen readers is the text of the element with the id `id` or, if `id` is NULL, `label`.
 */
void page_wide_begin(struct page *p, const char *label, const char *id);
void page_wide_end(struct page *p);
/*
 * page_is_markdown() returns whether a text is Markdown.  page_markdown() adds the tables, headings
 * and paragraphs of a Markdown text; `caption` is the caption of the first table.
 */
bool page_is_markdown(const char *text);
int page_markdown(struct page *p, struct input *input, const char *caption, struct err *e) MUST_USE;
/* page_table() for a text in memory, NUL-terminated, which messages call `name`. */
int page_table_memory(struct page *p, const char *name, const struct buf *text,
		      const char *caption, struct err *e) MUST_USE;
/* page_table() and page_claims() for a sheet (sheet.h) that was already read. */
void page_sheet(struct page *p, const struct sheet *s, const char *caption);
int page_sheet_claims(struct page *p, const struct sheet *s, const char *caption,
		      struct err *e) MUST_USE;

#endif
