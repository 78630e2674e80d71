/*
 * page: one self-contained page of HTML: text, tables, claims, figures, translations, runs.
 *
 * Parts stand in the order in which they are added; headings and what has a caption, tables and
 * figures, make the table of contents.  The page
 * needs no network and no other file: style and script are in it, figures as data.  Its
 * Content-Security-Policy allows this style and this script and nothing else, see policy.h.  All
 * texts are escaped.  Those that read files return
 * -1 with EXIT_INPUT or EXIT_SYSTEM; what was added before stays.
 */
#ifndef PAGE_H
#define PAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/compiler.h"
#include "base/err.h"
#include "base/strmap.h"

struct page {
	struct buf body, contents;
	struct strmap ids;		/* what in-page links can name */
	int level;			/* of the last line of the contents */
	bool headed;			/* there was a heading */
};

void page_init(struct page *p);
/* level: 2, or 3 below it */
void page_heading(struct page *p, int level, const char *text);
void page_text(struct page *p, const char *text);
/* address: https, http, mailto, or relative to the page; EXIT_USAGE if it is another. */
int page_link(struct page *p, const char *address, const char *text, struct err *e) MUST_USE;

/*
 * Cells with tabs between, see sheet.h, or tables of Markdown, perhaps with headings and paragraphs
 * between them.  caption, of the first; NULL: its own, if any.
 */
int page_table(struct page *p, const char *path, const char *caption, struct err *e) MUST_USE;
/*
 * The same of claims: how many came to which verdict, then the claims with their verdicts in front,
 * then those that were not run.  Columns "claim" and "verdict" must be there.  Of the claims of
 * heed-table(1), columns that do not decide are folded up below.
 */
int page_claims(struct page *p, const char *path, const char *caption, struct err *e) MUST_USE;
/* Explanations, folded up below what they are called: a line "term TAB text" each. */
int page_terms(struct page *p, const char *path, const char *name, struct err *e) MUST_USE;
/* SVG; alt (NULL: the caption) is for those who do not see it. */
int page_figure(struct page *p, const char *path, const char *caption, const char *alt,
		struct err *e) MUST_USE;
/*
 * A page within the page: what head-map --html wrote, see walk.h; EXIT_INPUT if it is another.  It
 * runs in a sandbox, where it cannot reach the page around it.
 */
int page_walk(struct page *p, const char *path, const char *caption, struct err *e) MUST_USE;

/* A stream with hyp; name: the system that made it. */
struct page_stream { const char *path, *name; };
/* The first sentences, each with its source, its reference and all translations. */
int page_translations(struct page *p, const struct page_stream *stream, size_t n_streams,
		      int64_t sentences, struct err *e) MUST_USE;
/* A table of them all; settings, record and model of each, folded up. */
int page_runs(struct page *p, const char *const *folder, size_t n, struct err *e) MUST_USE;

/* All of it; releases p. */
void page_finish(struct page *p, const char *title, struct buf *out);

#endif
