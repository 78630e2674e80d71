/* page-claims: claims with verdicts, and explanations; see page.h. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/num.h"
#include "results/page-view.h"

/* --- claims --- */

static size_t
page_claims_count(const struct page_view *v, enum verdict verdict)
{
	size_t n = 0;

	for (size_t r = 1; r < v->s->n; r++)
		n += verdict_is(sheet_cell(v->s, r, v->verdict), verdict);
	return n;
}

static void
add_tally(struct page *p, const struct page_view *v)
{
	buf_add_str(&p->body, "<p class=\"tally\">");
	for (size_t i = 0; i < page_n_verdicts; i++) {
		const enum verdict verdict = page_verdicts[i].v;
		const size_t n = page_claims_count(v, verdict);

		if (n)
			page_add_verdict(&p->body, verdict, verdict_short(verdict), (long)n);
	}
	buf_add_str(&p->body, "</p>\n");
}

/* What the claims say; or with checks, whether the model of their runs holds. */
static void
add_notes(struct page *p, const struct sheet *s, bool checks)
{
	for (size_t i = 0; i < s->n_notes; i++)
		if (!strncmp(s->note[i], "- ", 2) == checks)
			page_add_text(&p->body, checks ? "<p>" : "<p class=\"note\">",
				      s->note[i] + (checks ? 2 : 0), "</p>\n");
}

/* Whether all rows have the same value in a column. */
static bool
is_constant(const struct sheet *s, size_t at)
{
	for (size_t r = 2; r < s->n; r++)
		if (strcmp(sheet_cell(s, r, at), sheet_cell(s, 1, at)))
			return false;
	return true;
}

/* The column of the corpora of claims, or SIZE_MAX if all have the same. */
static size_t
corpora_of(const struct sheet *s)
{
	const size_t at = sheet_column(s, "corpus");

	return at == SIZE_MAX || is_constant(s, at) ? SIZE_MAX : at;
}

/* Keeps the claims without runs, under caption unless it is NULL. */
static void
keep_not_run(struct page *p, const struct page_view *v, const char *caption)
{
	const size_t n = page_claims_count(v, VERDICT_NOT_RUN), corpus = corpora_of(v->s);
	struct buf *out = &p->not_run;

	if (!n)
		return;
	p->n_not_run += n;
	if (caption)
		page_add_text(out, "<p>", caption, "</p>\n");
	buf_add_str(out, "<ul>\n");
	for (size_t r = 1; r < v->s->n; r++)
		if (!page_view_shows(v, r)) {
			page_add_text(out, "<li>", sheet_cell(v->s, r, v->column[0].at), "");
			if (corpus != SIZE_MAX)
				page_add_text(out, " (", sheet_cell(v->s, r, corpus), ")");
			buf_add_str(out, "</li>\n");
		}
	buf_add_str(out, "</ul>\n");
}

void
page_claims_end(struct page *p)
{
	if (p->n_not_run)
		buf_printf(&p->body,
			   "<details>\n<summary>%zu claim%s not run</summary>\n%s</details>\n",
			   p->n_not_run, p->n_not_run > 1 ? "s" : "", p->not_run.data);
	buf_clear(&p->not_run);
	p->n_not_run = 0;
}

/* Whether no row that v shows has a value in a column. */
static bool
is_empty(const struct page_view *v, size_t at)
{
	for (size_t r = 1; r < v->s->n; r++)
		if (page_view_shows(v, r) && *sheet_cell(v->s, r, at))
			return false;
	return true;
}

/*
 * Whether a column of claims is in the first table.  Of claims of heed-table(1), these are the
 * differences, the paper's difference, and the corpus if there are several; of others, all columns.
 */
static bool
is_first(const struct sheet *s, size_t at)
{
	static const char *const first[] = {
		"difference [95% CI]", "BLEU difference [95% CI]", "paper's difference"
	};
	const char *name = s->row->cell[at];

	for (size_t i = 0; i < sizeof(first) / sizeof(*first); i++)
		if (sheet_column(s, first[i]) == SIZE_MAX || !strcmp(name, first[i]))
			return true;
	return at == corpora_of(s);
}

static void
add_captioned_claims(struct page *p, const struct page_view *v, const char *caption)
{
	struct page_view rest;
	const char *id = caption ? page_entry(p, caption) : NULL;

	if (caption)
		page_title(p, 3, id, caption);
	add_notes(p, v->s, false);
	add_tally(p, v);
	page_add_view(p, v, NULL, id);
	page_view_init(&rest, v->s, v->verdict);
	page_view_add(&rest, v->column[0].at);
	for (size_t i = 0; i < sheet_columns(v->s); i++)
		if (i != v->column[0].at && i != v->verdict && !is_empty(v, i) &&
		    (!is_first(v->s, i) || i == corpora_of(v->s)))
			page_view_add(&rest, i);
	if (rest.n_columns > 1) {
		buf_add_str(&p->body, "<details>\n<summary>Details: systems, seeds, p-values, "
			    "detectable differences</summary>\n");
		page_add_view(p, &rest, NULL, NULL);
		add_notes(p, v->s, true);
		buf_add_str(&p->body, "</details>\n");
	}
	free(rest.column);
}

int
page_sheet_claims(struct page *p, const struct sheet *s, const char *caption, struct err *e)
{
	const size_t claim = sheet_column(s, "claim"), verdict = sheet_column(s, "verdict");
	struct page_view v;

	if (claim == SIZE_MAX || verdict == SIZE_MAX)
		return err_set(e, EXIT_INPUT, "no column '%s', expected columns 'claim' and "
			       "'verdict'", claim == SIZE_MAX ? "claim" : "verdict");
	page_view_init(&v, s, verdict);
	v.claims = true;
	page_view_add(&v, claim);
	page_view_add(&v, verdict);
	for (size_t i = 0; i < sheet_columns(s); i++)
		if (i != claim && i != verdict && is_first(s, i) && !is_empty(&v, i))
			page_view_add(&v, i);
	caption = caption ? caption : s->title;
	if (page_claims_count(&v, VERDICT_NOT_RUN) < s->n - 1)
		add_captioned_claims(p, &v, caption);
	keep_not_run(p, &v, caption);
	free(v.column);
	return 0;
}

int
page_claims(struct page *p, const char *path, const char *caption, struct err *e)
{
	struct sheet s;
	int r;

	if (sheet_open(&s, path, e))
		return -1;
	r = page_sheet_claims(p, &s, caption, e);
	if (r)
		err_wrap(e, "%s", path);
	sheet_release(&s);
	return r;
}

/* --- findings --- */

/* The number of claims with a verdict, from the lines of heed-table. */
static long
verdicts_of(const struct sheet *s, enum verdict v)
{
	for (size_t r = 1; r < s->n; r++)
		if (!strcmp(sheet_cell(s, r, 0), "verdict") && verdict_is(sheet_cell(s, r, 2), v))
			return strtol(sheet_cell(s, r, 1), NULL, 10);
	return 0;
}

/* A verdict each; the reasons why claims are not judged are one. */
static void
add_verdicts(struct page *p, const struct sheet *s)
{
	long not_judged = 0;

	buf_add_str(&p->body, "<p class=\"tally\">");
	for (size_t i = 0; i < page_n_verdicts; i++) {
		const enum verdict v = page_verdicts[i].v;
		const bool judged = verdict_is_tested(v) || v == VERDICT_NOT_RUN;
		const long n = verdicts_of(s, v);

		if (!judged) {
			not_judged += n;
			continue;
		}
		if (v == VERDICT_NOT_RUN && not_judged)
			page_add_verdict(&p->body, VERDICT_WAITS, "not judged", not_judged);
		if (n)
			page_add_verdict(&p->body, v, verdict_short(v), n);
	}
	buf_add_str(&p->body, "</p>\n");
}

/* What would decide the open claims and, once for a page, what the numbers are. */
static void
add_explanation(struct page *p, const struct sheet *s)
{
	struct buf text = { 0 };

	buf_add_str(&text, "");
	for (size_t r = 1; r < s->n; r++)
		if (!strcmp(sheet_cell(s, r, 0), "open"))
			buf_printf(&text, "%s ", sheet_cell(s, r, 2));
	if (!p->explained)
		buf_add_str(&text,
			    "Differences are in test NLL, in nats per target token (lower is "
			    "better), which decides unless a claim is on BLEU, and in BLEU. "
			    "Verdicts allow for the number of claims; intervals, in brackets and "
			    "figures, are those of one comparison (95%).");
	p->explained = true;
	if (*text.data)
		page_add_text(&p->body, "<p class=\"about\">", text.data, "</p>\n");
	buf_release(&text);
}

/* A row is of a known kind and, unless it is a sentence, has a number of claims. */
static int
check_finding(const struct sheet *s, size_t row, struct err *e)
{
	const char *kind = sheet_cell(s, row, 0), *claims = sheet_cell(s, row, 1);
	const bool sentence = !strcmp(kind, "finding");
	int64_t n;

	if (!sentence && strcmp(kind, "verdict") && strcmp(kind, "open"))
		return err_set(e, EXIT_INPUT, "kind '%s', expected finding, verdict or open", kind);
	if (sentence ? !*claims : !num_int(claims, strlen(claims), 0, INT32_MAX, &n, e))
		return 0;
	return err_set(e, EXIT_INPUT, "claims '%s' of a %s, expected %s", claims, kind,
		       sentence ? "nothing" : "their number");
}

int
page_findings(struct page *p, const char *path, struct err *e)
{
	struct sheet s;
	size_t found = 0;

	if (sheet_open(&s, path, e))
		return -1;
	if (sheet_columns(&s) != 3 || sheet_column(&s, "kind") != 0) {
		sheet_release(&s);
		return err_set(e, EXIT_INPUT, "%s: expected the columns kind, claims and text of "
			       "heed-table --to findings", path);
	}
	for (size_t r = 1; r < s.n; r++)
		if (check_finding(&s, r, e)) {
			sheet_release(&s);
			return err_wrap(e, "%s: row %zu", path, r);
		}
	for (size_t r = 1; r < s.n; r++)
		if (!strcmp(sheet_cell(&s, r, 0), "finding")) {
			page_add_text(&p->body, "<p class=\"finding\">", sheet_cell(&s, r, 2),
				      "</p>\n");
			found++;
		}
	if (!found)
		buf_add_str(&p->body, "<p class=\"finding\">Nothing is found yet: no claim on "
			    "which this page has a sentence is judged.</p>\n");
	add_verdicts(p, &s);
	if (found)
		add_explanation(p, &s);
	sheet_release(&s);
	return 0;
}

/* --- explanations --- */

int
page_terms(struct page *p, const char *path, const char *name, struct err *e)
{
	struct sheet s;

	if (sheet_open(&s, path, e))
		return -1;
	if (sheet_columns(&s) < 2) {
		sheet_release(&s);
		return err_set(e, EXIT_INPUT, "%s: line 1: no tab, expected a term, a tab and an "
			       "explanation", path);
	}
	page_add_text(&p->body, "<details>\n<summary>", name,
		      "</summary>\n<dl class=\"terms\">\n");
	for (size_t r = 0; r < s.n; r++) {
		page_add_text(&p->body, "<dt>", sheet_cell(&s, r, 0), "</dt><dd>");
		page_add_text(&p->body, "", sheet_cell(&s, r, 1), "</dd>\n");
	}
	buf_add_str(&p->body, "</dl>\n</details>\n");
	sheet_release(&s);
	return 0;
}
