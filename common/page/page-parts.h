/* page-parts: what the files of page/ share; see page.h. */
#ifndef PAGE_PARTS_H
#define PAGE_PARTS_H

#include "page/page.h"
#include "page/sheet.h"

/* Between tags and in attributes alike. */
void page_escape(struct buf *out, const char *text);
/* One of no other part, of letters, digits and hyphens of the text; lives until the next. */
const char *page_id(struct page *p, const char *text);
/* The same for what is no heading, but stands in the contents. */
const char *page_entry(struct page *p, const char *text);
/*
 * Round what may be wider than the page, and then moves inside itself, by keyboard as well.
 * label: what it is; id: where that stands already.  One of them is NULL.
 */
void page_wide_begin(struct page *p, const char *label, const char *id);
void page_wide_end(struct page *p);
/* Tables of Markdown with headings and paragraphs; caption: of the first. */
bool page_is_markdown(const char *text);
int page_markdown(struct page *p, struct input *in, const char *caption, struct err *e) MUST_USE;
/* page_table() of what was read whole, with a NUL byte behind it. */
int page_table_memory(struct page *p, const char *name, const struct buf *text,
		      const char *caption, struct err *e) MUST_USE;
/* page_table() of a single one, and page_claims() of what was read. */
void page_sheet(struct page *p, const struct sheet *s, const char *caption);
int page_sheet_claims(struct page *p, const struct sheet *s, const char *caption,
		      struct err *e) MUST_USE;

#endif
