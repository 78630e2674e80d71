/* page-parts: functions that the files which implement page.h share. */
#ifndef PAGE_PARTS_H
#define PAGE_PARTS_H

#include "results/page.h"
#include "results/sheet.h"

/* Escapes text, for elements and attributes. */
void page_escape(struct buf *out, const char *text);
/*
 * A new id, unique in the page, made from the letters and digits of the text.  Valid until the next
 * call.
 */
const char *page_id(struct page *p, const char *text);
/* The id of a part with this caption: of "Title [name]", name. */
const char *page_entry(struct page *p, const char *text);
/* A heading with that id, without an entry in the contents. */
void page_title(struct page *p, int level, const char *id, const char *text);
/*
 * Returns -1 with EXIT_USAGE if an address is neither https, http, mailto nor relative to the page.
 * `option` is the option that gives it, for the message.
 */
int page_check_address(const char *address, const char *option, struct err *e) MUST_USE;
/*
 * Begin and end a region that scrolls if it is wider than the page, also by keyboard.  Its name for
 * screen readers is `label`, or the text of the element `id`; the other one is NULL.
 */
void page_wide_begin(struct page *p, const char *label, const char *id);
void page_wide_end(struct page *p);
/*
 * page_is_markdown() returns whether a text is Markdown.  page_markdown() adds tables in Markdown,
 * with headings and paragraphs; `caption` is that of the first table.
 */
bool page_is_markdown(const char *text);
int page_markdown(struct page *p, struct input *input, const char *caption, struct err *e) MUST_USE;
/* page_table() of a text in memory, NUL-terminated. */
int page_table_memory(struct page *p, const char *name, const struct buf *text,
		      const char *caption, struct err *e) MUST_USE;
/* page_table() and page_claims() of a sheet that was read. */
void page_sheet(struct page *p, const struct sheet *s, const char *caption);
int page_sheet_claims(struct page *p, const struct sheet *s, const char *caption,
		      struct err *e) MUST_USE;

#endif
