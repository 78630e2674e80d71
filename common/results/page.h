/*
 * page: a self-contained HTML page of text, tables, claims, figures, translations and runs.
 *
 * Parts appear in the order in which they are added.  Headings of level 2 make the table of
 * contents.  The page needs neither network nor other files: style,
 * script and figures are embedded.  Its Content-Security-Policy allows this style and this script
 * only, see content-policy.h.  All texts are escaped.
 *
 * Functions that read files return 0, or -1 with EXIT_INPUT or EXIT_SYSTEM.  On failure the page
 * keeps the parts added so far, and possibly the beginning of the new one.
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
	struct strmap ids;		/* ids in use */
	bool folded;			/* the current part is in a collapsed section */
	bool explained;			/* the page already explains the numbers in findings */
	struct buf not_run;		/* lists of claims without runs, for page_claims_end() */
	size_t n_not_run;
};

void page_init(struct page *p);
/* `level`: 2, or 3 for a subheading. */
void page_heading(struct page *p, int level, const char *text);
/* A heading of level 2 whose section, up to the next heading or fold, is collapsed. */
void page_fold(struct page *p, const char *text);
void page_text(struct page *p, const char *text);
/* `address`: https, http, mailto, or relative to the page.  Others are refused with EXIT_USAGE. */
int page_link(struct page *p, const char *address, const char *text, struct err *e) MUST_USE;

/*
 * Adds a tab-separated table (sheet.h), or Markdown with one or more tables, headings and
 * paragraphs.  `caption` is that of the first table; with NULL, the table keeps its own, if any.
 */
int page_table(struct page *p, const char *path, const char *caption, struct err *e) MUST_USE;
/*
 * Adds a table with the columns "claim" and "verdict": first the number of claims with each
 * verdict, then the claims with their verdicts.  Those that were not run are kept for
 * page_claims_end().  For tables of heed-table(1), details are in a second, collapsed table.
 */
int page_claims(struct page *p, const char *path, const char *caption, struct err *e) MUST_USE;
/* Adds the claims without runs of all tables of claims since the last call, collapsed. */
void page_claims_end(struct page *p);
/*
 * Adds what heed-table --to findings writes: the sentences, the number of claims with each verdict,
 * and what would decide the open ones.
 */
int page_findings(struct page *p, const char *path, struct err *e) MUST_USE;
/* Adds explanations, collapsed under name.  Each line of the file is "term TAB text". */
int page_terms(struct page *p, const char *path, const char *name, struct err *e) MUST_USE;
/*
 * An SVG figure.  `narrow` is the path of its form for phones, or NULL.  `alt` is the alternative
 * text for screen readers; if it is NULL, the caption is used, which may be NULL, too.
 */
struct page_drawing { const char *path, *narrow, *caption, *alt; };
/* Adds a figure: in the page itself if it is plain drawing (page-svg.h), otherwise as an image. */
int page_figure(struct page *p, const struct page_drawing *d, struct err *e) MUST_USE;
/*
 * Embeds a page of head-map --to html (walk.h); other pages are refused with EXIT_INPUT.  It runs
 * in a sandboxed frame without access to this page.
 */
int page_walk(struct page *p, const char *path, const char *caption, struct err *e) MUST_USE;

/*
 * Adds a map of heads: for each kind of attention a table of its heads by role and measure, from a
 * table of head-compare(1) --table.  A value is shaded by its rank among all heads.  `address`: the
 * page of head-map --to html that each head links to, or NULL; refused as in page_link().
 * `caption` may be NULL.
 */
int page_heads(struct page *p, const char *path, const char *address, const char *caption,
	       struct err *e) MUST_USE;

/* A stream with the field hyp, and the name of the system that made it. */
struct page_stream { const char *path, *name; };
/* Adds the first sentences, each with source, reference and all translations. */
int page_translations(struct page *p, const struct page_stream *stream, size_t n_streams,
		      int64_t sentences, struct err *e) MUST_USE;
/* Adds a table of all runs, then settings, record and model of each run, collapsed. */
int page_runs(struct page *p, const char *const *folder, size_t n, struct err *e) MUST_USE;

/*
 * Appends the id of the first part with this text: letters in lower case and digits; every other
 * sequence of characters becomes a hyphen.  The id of a run is made from paper, column, variant and
 * seed.
 */
void page_slug(struct buf *out, const char *text);
/* Appends the whole page to out, and releases p. */
void page_finish(struct page *p, const char *title, struct buf *out);

#endif
