/*
 * page: a self-contained HTML page with text, tables, claims, figures, translations and runs, for
 * heed-report(1).
 *
 * Parts appear in the order in which they are added.  Headings of level 2 make the table of
 * contents.  The page needs neither network nor other files: its style, script and figures are
 * embedded.  Its Content-Security-Policy allows only this style and this script; see
 * content-policy.h.  All texts are escaped.
 *
 * Functions that read files return 0, or -1 with EXIT_INPUT or EXIT_SYSTEM.  After an error, the
 * page has the parts that were added so far, and possibly the beginning of the new one.
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
	struct buf body, contents;	/* HTML of the parts, and of the table of contents */
	struct strmap ids;		/* ids that are used in the page */
	bool folded;			/* the section of page_fold() has not ended yet */
	bool explained;			/* an explanation of the numbers in findings was added */
	struct buf not_run;		/* list of the claims without runs, for page_claims_end() */
	size_t n_not_run;
};

void page_init(struct page *p);
/* Adds a heading of `level` 2, or 3 for a subheading. */
void page_heading(struct page *p, int level, const char *text);
/*
 * Adds a heading of level 2 whose section, up to the next heading of level 2 or fold, is collapsed.
 */
void page_fold(struct page *p, const char *text);
/* Adds a paragraph. */
void page_text(struct page *p, const char *text);
/*
 * Adds a link with this text; NULL: the address.  `address` is https, http, mailto, or relative to
 * the page; others are refused with EXIT_USAGE.
 */
int page_link(struct page *p, const char *address, const char *text, struct err *e) MUST_USE;

/*
 * Adds the file at `path`: a tab-separated table (sheet.h), or Markdown with tables, headings and
 * paragraphs.  `caption` is the caption of the first table; if it is NULL, the table keeps its own
 * caption, if it has one.
 */
int page_table(struct page *p, const char *path, const char *caption, struct err *e) MUST_USE;
/*
 * Adds a table with the columns "claim" and "verdict", such as those of heed-table(1): first the
 * number of claims with each verdict, then the claims with their verdicts, and the other columns of
 * heed-table in a second, collapsed table.  Claims that were not run are left to page_claims_end().
 */
int page_claims(struct page *p, const char *path, const char *caption, struct err *e) MUST_USE;
/*
 * Adds, collapsed, the claims that were not run in all tables that page_claims() added since the
 * last call.
 */
void page_claims_end(struct page *p);
/*
 * Adds a file that heed-table --to findings wrote: the sentences on findings, the number of claims
 * with each verdict, and what would decide the open claims.
 */
int page_findings(struct page *p, const char *path, struct err *e) MUST_USE;
/*
 * Adds explanations of terms, collapsed under the heading `name`.  Each line of the file is "term
 * TAB text"; further columns are left out.
 */
int page_terms(struct page *p, const char *path, const char *name, struct err *e) MUST_USE;
/*
 * An SVG figure.  `narrow` is the path of its form for phones, or NULL.  `alt` is the alternative
 * text for screen readers; if it is NULL, the caption is used, which may be NULL, too.
 */
struct page_drawing { const char *path, *narrow, *caption, *alt; };
/*
 * Adds a figure: as a part of the page if page_svg() (page-svg.h) accepts it, and otherwise as an
 * image.
 */
int page_figure(struct page *p, const struct page_drawing *d, struct err *e) MUST_USE;
/*
 * Embeds a page that head-map --to html wrote (draw/walk.h); other pages are refused with
 * EXIT_INPUT.  The embedded page runs in a sandboxed frame without access to this page.
 */
int page_walk(struct page *p, const char *path, const char *caption, struct err *e) MUST_USE;

/*
 * Adds a map of heads, from the table at `path` that head-compare(1) --table wrote: for each kind
 * of attention a table of its heads by role and measure.  A value is shaded by its rank among all
 * heads.  `address` is that of a page of head-map --to html to which each head links, or NULL; it
 * is checked as in page_link().  `caption` may be NULL.
 */
int page_heads(struct page *p, const char *path, const char *address, const char *caption,
	       struct err *e) MUST_USE;

/* A stream with translations (field hyp), and the name of the system that made them. */
struct page_stream { const char *path, *name; };
/*
 * Adds the first `sentences` sentences of n_streams streams of the same sentences, each with
 * source, reference and all translations.
 */
int page_translations(struct page *p, const struct page_stream *stream, size_t n_streams,
		      int64_t sentences, struct err *e) MUST_USE;
/*
 * Adds a table of the n runs whose ledger entries are the folders `folder`, and then, collapsed,
 * the settings, record and model of each run.
 */
int page_runs(struct page *p, const char *const *folder, size_t n, struct err *e) MUST_USE;

/*
 * Appends the id that the first part of a page with this text gets: the digits and lower-cased
 * ASCII letters of the text, with a hyphen between them for every sequence of other characters, up
 * to a length of about 60 bytes.  If this is empty or begins with a digit, the part gets another
 * id.  The text of a run is its paper, column, variant and seed.
 */
void page_slug(struct buf *out, const char *text);
/* Appends the whole page to `out`, and releases p. */
void page_finish(struct page *p, const char *title, struct buf *out);

#endif
