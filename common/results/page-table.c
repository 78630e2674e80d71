/* page-table: tables, claims and explanations; see page.h. */
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/num.h"
#include "draw/svg.h"
#include "results/outcome.h"
#include "results/page-parts.h"
#include "text/lines.h"

/* --- verdicts --- */

/* In the order in which they are counted on the page. */
static const struct verdict_style { enum verdict v; const char *class, *sign; } styles[] = {
	{ VERDICT_CONFIRMED, "good", "✓" },
	{ VERDICT_REVERSED, "bad", "✗" },
	{ VERDICT_SMALLER, "bad", "∅" },
	{ VERDICT_SPLIT, "open", "≠" },
	{ VERDICT_INCONCLUSIVE, "open", "≈" },
	{ VERDICT_ONE_SEED, "open", "?" },
	{ VERDICT_POOR, "open", "?" },
	{ VERDICT_NO_NLL, "open", "?" },
	{ VERDICT_NOT_RUN, "none", "–" },
};
enum { N_STYLES = sizeof(styles) / sizeof(*styles) };

static const struct verdict_style *
style_of(const char *verdict)
{
	for (size_t i = 0; i < N_STYLES; i++)
		if (!strcmp(verdict, verdict_names[styles[i].v]))
			return &styles[i];
	return NULL;
}

static bool
not_run(const char *verdict)
{
	return !strcmp(verdict, verdict_names[VERDICT_NOT_RUN]);
}

/* count: "" or the number of claims with this verdict and a blank. */
static void
add_verdict(struct buf *out, const char *verdict, const char *count)
{
	const struct verdict_style *s = style_of(verdict);

	buf_printf(out, "<span class=\"verdict %s\"><span aria-hidden=\"true\">%s</span> %s",
		   s ? s->class : "none", s ? s->sign : "", count);
	page_escape(out, verdict);
	buf_add_str(out, "</span>");
}

/* --- cells --- */

static bool
is_empty(const char *text)
{
	return !*text || !strcmp(text, "-") || !strcmp(text, "–");
}

/*
 * A number, possibly with deviation, mark or bound: "-1.29", "26.98 ± 1.43†", "27.1¹", "3-5", ">
 * 50".
 */
static bool
is_number(const char *text)
{
	static const char *const also[] = { "±", "†", "‡", "¹", " ", "**", "<", ">", "≤", "≥" };
	bool digit = false;

	for (size_t i; *text; ) {
		for (i = 0; i < sizeof(also) / sizeof(*also); i++)
			if (!strncmp(text, also[i], strlen(also[i])))
				break;
		if (i == sizeof(also) / sizeof(*also) && !strchr("+-.0123456789e%", *text))
			return false;
		digit |= *text >= '0' && *text <= '9';
		text += i < sizeof(also) / sizeof(*also) ? strlen(also[i]) : 1;
	}
	return digit;
}

/* The same, possibly with "NLL" and an interval: "NLL -0.055 [-0.067, -0.043]". */
static bool
is_measured(const char *text)
{
	if (!strncmp(text, "NLL ", 4))
		text += 4;
	return is_number(text) || (strchr(text, '[') && !text[strspn(text, " +-.,[]0123456789")]);
}

/* Style of a column: numbers are right-aligned, brief texts do not wrap, the paper's are tinted. */
struct column { size_t at; bool number, brief, paper; };

enum { BRIEF = 28 };			/* bytes */

static struct column
column_of(const struct sheet *s, size_t at)
{
	struct column c = {
		.at = at, .number = true, .brief = true,
		.paper = at && !strncmp(s->row->cell[at], "paper", 5)
	};
	size_t n = 0;

	for (size_t r = 1; r < s->n; r++) {
		const char *text = sheet_cell(s, r, at);

		c.number &= is_empty(text) || is_measured(text);
		c.brief &= strlen(text) <= BRIEF;
		n += !is_empty(text);
	}
	c.number &= n > 0;
	return c;
}

static void
add_class(struct buf *out, const struct column *c)
{
	const char *kind = c->number ? "n" : c->brief ? "brief" : "";

	if (*kind || c->paper)
		buf_printf(out, " class=\"%s%s%s\"", kind, *kind && c->paper ? " " : "",
			   c->paper ? "paper" : "");
}

static void
add_bold(struct buf *out, const char *text, size_t n)
{
	buf_add_str(out, "<strong>");
	svg_escape(out, text, n);
	buf_add_str(out, "</strong>");
}

/* Number of significant digits of a number with a fraction; 0 for integers and other texts. */
static size_t
digits_of(const char *text)
{
	const size_t mantissa = strcspn(text, "e");
	size_t n = 0;

	if (!memchr(text, '.', mantissa) || text[strspn(text, "+-.0123456789e")])
		return 0;
	for (size_t i = 0; i < mantissa; i++)
		n += (text[i] > '0' && text[i] <= '9') || (text[i] == '0' && n);
	return n;
}

enum { MANY_DIGITS = 7, FEW_DIGITS = 3 };

/* Numbers with MANY_DIGITS significant digits or more are rounded to FEW_DIGITS. */
static void
add_number(struct buf *out, const char *text)
{
	struct err e;
	double v;
	int whole;			/* digits before the point; less than 1 if |v| < 1 */

	if (digits_of(text) < MANY_DIGITS || num_float(text, strlen(text), -1e300, 1e300, &v, &e)) {
		page_escape(out, text);
		return;
	}
	whole = (int)floor(log10(fabs(v))) + 1;
	buf_add_str(out, *text == '+' ? "+" : "");
	if (whole < -FEW_DIGITS)
		buf_printf(out, "%.*e", FEW_DIGITS - 1, v);
	else
		buf_printf(out, "%.*f", whole < FEW_DIGITS ? FEW_DIGITS - whole : 0, v);
}

/* name: of the column, shown before the cell on narrow screens; or NULL. */
static void
add_cell(struct buf *out, const struct column *c, const char *text, bool verdict, const char *name)
{
	buf_add_str(out, "<td");
	add_class(out, c);
	if (name) {
		buf_add_str(out, " data-name=\"");
		page_escape(out, name);
		buf_add_char(out, '"');
	}
	buf_add_char(out, '>');
	if (verdict)
		add_verdict(out, text, "");
	else if (sheet_is_bold(text, strlen(text)))
		add_bold(out, text + 2, strlen(text) - 4);
	else
		add_number(out, text);
	buf_add_str(out, "</td>");
}

/* --- rows --- */

/*
 * Columns of a sheet in the order shown.  With verdicts, rows of claims that were not run are
 * hidden.
 */
struct view {
	const struct sheet *s;
	struct column *column;
	size_t n_columns;
	size_t verdict;			/* column of the sheet with verdicts, or SIZE_MAX */
	const char *class;		/* of the table, or NULL */
};

/* view_add() adds the columns one by one; the first is the header of the row. */
static void
view_init(struct view *v, const struct sheet *s, size_t verdict)
{
	*v = (struct view){ .s = s, .verdict = verdict };
	v->column = xcalloc(sheet_columns(s), sizeof(*v->column));
}

static void
view_add(struct view *v, size_t at)
{
	v->column[v->n_columns++] = column_of(v->s, at);
}

static void
add_names(struct buf *out, const struct view *v)
{
	buf_add_str(out, "<thead>\n<tr>");
	for (size_t i = 0; i < v->n_columns; i++) {
		buf_add_str(out, "<th scope=\"col\"");
		if (i)
			add_class(out, &v->column[i]);
		buf_add_char(out, '>');
		page_escape(out, v->s->row->cell[v->column[i].at]);
		buf_add_str(out, "</th>");
	}
	buf_add_str(out, "</tr>\n</thead>\n");
}

static void
add_row(struct buf *out, const struct view *v, size_t r)
{
	buf_printf(out, "<tr><th scope=\"row\"%s>", v->column[0].brief ? " class=\"brief\"" : "");
	page_escape(out, sheet_cell(v->s, r, v->column[0].at));
	buf_add_str(out, "</th>");
	for (size_t i = 1; i < v->n_columns; i++) {
		const struct column *c = &v->column[i];

		add_cell(out, c, sheet_cell(v->s, r, c->at), c->at == v->verdict,
			 v->class ? v->s->row->cell[c->at] : NULL);
	}
	buf_add_str(out, "</tr>\n");
}

static bool
is_shown(const struct view *v, size_t r)
{
	return v->verdict == SIZE_MAX || !not_run(sheet_cell(v->s, r, v->verdict));
}

static void
add_caption(struct buf *out, const char *caption, const char *id)
{
	buf_printf(out, "<caption id=\"%s\"><span>", id);
	page_escape(out, caption);
	buf_add_str(out, "</span></caption>\n");
}

/*
 * caption and its id may both be NULL.  captioned: the caption is already on the page, outside of
 * the table.
 */
static void
add_view(struct page *p, const struct view *v, const char *caption, const char *id, bool captioned)
{
	struct buf *out = &p->body;

	page_wide_begin(p, caption ? NULL : "table", id);
	buf_add_str(out, "<table");
	if (v->class)
		buf_printf(out, " class=\"%s\"", v->class);
	buf_add_str(out, ">\n");
	if (caption && !captioned)
		add_caption(out, caption, id);
	add_names(out, v);
	buf_add_str(out, "<tbody>\n");
	for (size_t r = 1; r < v->s->n; r++)
		if (is_shown(v, r))
			add_row(out, v, r);
	buf_add_str(out, "</tbody>\n</table>\n");
	page_wide_end(p);
}

enum { LONG_TABLE = 40 };		/* rows */

/* A collapsed table; the summary is its caption and its number of rows. */
static void
add_folded(struct page *p, const struct view *v, const char *caption, const char *id)
{
	struct buf *out = &p->body;

	buf_add_str(out, "<details>\n<summary");
	if (caption) {
		buf_printf(out, " id=\"%s\"><strong>", id);
		page_escape(out, caption);
		buf_printf(out, "</strong>, %zu rows</summary>\n", v->s->n - 1);
	} else {
		buf_printf(out, ">%zu rows</summary>\n", v->s->n - 1);
	}
	add_view(p, v, caption, id, true);
	buf_add_str(out, "</details>\n");
}

void
page_sheet(struct page *p, const struct sheet *s, const char *caption)
{
	struct view v;
	const char *id;

	if (!caption)
		caption = s->title;
	id = caption ? page_entry(p, caption) : NULL;
	view_init(&v, s, SIZE_MAX);
	for (size_t i = 0; i < sheet_columns(s); i++)
		view_add(&v, i);
	if (s->n - 1 > LONG_TABLE)
		add_folded(p, &v, caption, id);
	else
		add_view(p, &v, caption, id, false);
	free(v.column);
}

int
page_table_memory(struct page *p, const char *name, const struct buf *text, const char *caption,
		  struct err *e)
{
	struct input *in = input_memory(name, text->data, text->n, INPUT_UTF8, e);
	struct sheet s = { .n = 0 };
	int r = in ? 0 : -1;

	if (in && page_is_markdown(text->data)) {
		r = page_markdown(p, in, caption, e);
	} else if (in) {
		r = sheet_read(&s, in, e);
		if (!r)
			page_sheet(p, &s, caption);
	}
	sheet_release(&s);
	input_close(in);
	return r;
}

int
page_table(struct page *p, const char *path, const char *caption, struct err *e)
{
	struct buf text = { 0 };
	int r = lines_read_all(path, &text, e);

	if (!r)
		r = page_table_memory(p, path, &text, caption, e);
	buf_release(&text);
	return r;
}

/* --- claims --- */

static size_t
count(const struct view *v, const char *verdict)
{
	size_t n = 0;

	for (size_t r = 1; r < v->s->n; r++)
		n += !strcmp(sheet_cell(v->s, r, v->verdict), verdict);
	return n;
}

static void
add_tally(struct page *p, const struct view *v)
{
	buf_add_str(&p->body, "<p class=\"tally\">");
	for (size_t i = 0; i < N_STYLES; i++) {
		const char *name = verdict_names[styles[i].v];
		char number[32];

		snprintf(number, sizeof(number), "%zu ", count(v, name));
		if (count(v, name))
			add_verdict(&p->body, name, number);
	}
	buf_add_str(&p->body, "</p>\n");
}

static void
add_not_run(struct page *p, const struct view *v)
{
	const size_t n = count(v, verdict_names[VERDICT_NOT_RUN]);

	if (!n)
		return;
	buf_printf(&p->body, "<details>\n<summary>%zu claim%s not run</summary>\n<ul>\n", n,
		   n > 1 ? "s" : "");
	for (size_t r = 1; r < v->s->n; r++)
		if (!is_shown(v, r)) {
			buf_add_str(&p->body, "<li>");
			page_escape(&p->body, sheet_cell(v->s, r, v->column[0].at));
			buf_add_str(&p->body, "</li>\n");
		}
	buf_add_str(&p->body, "</ul>\n</details>\n");
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
	return !strcmp(name, "corpus") && !is_constant(s, at);
}

static void
add_claims(struct page *p, const struct view *v, const char *caption)
{
	struct view rest;

	add_tally(p, v);
	add_view(p, v, caption, caption ? page_id(p, caption) : NULL, false);
	view_init(&rest, v->s, v->verdict);
	view_add(&rest, v->column[0].at);
	for (size_t i = 0; i < sheet_columns(v->s); i++)
		if (i != v->column[0].at && i != v->verdict && !is_first(v->s, i))
			view_add(&rest, i);
	if (rest.n_columns > 1) {
		buf_add_str(&p->body, "<details>\n<summary>Details: systems, seeds, p-values, "
			    "detectable differences</summary>\n");
		add_view(p, &rest, NULL, NULL, false);
		buf_add_str(&p->body, "</details>\n");
	}
	free(rest.column);
}

int
page_sheet_claims(struct page *p, const struct sheet *s, const char *caption, struct err *e)
{
	const size_t claim = sheet_column(s, "claim"), verdict = sheet_column(s, "verdict");
	struct view v;

	if (claim == SIZE_MAX || verdict == SIZE_MAX)
		return err_set(e, EXIT_INPUT, "no column '%s', expected columns 'claim' and "
			       "'verdict'", claim == SIZE_MAX ? "claim" : "verdict");
	view_init(&v, s, verdict);
	v.class = "claims";
	view_add(&v, claim);
	view_add(&v, verdict);
	for (size_t i = 0; i < sheet_columns(s); i++)
		if (i != claim && i != verdict && is_first(s, i))
			view_add(&v, i);
	if (count(&v, verdict_names[VERDICT_NOT_RUN]) < s->n - 1)
		add_claims(p, &v, caption ? caption : s->title);
	add_not_run(p, &v);
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

/* --- explanations --- */

int
page_terms(struct page *p, const char *path, const char *name, struct err *e)
{
	struct sheet s;

	if (sheet_open(&s, path, e))
		return -1;
	buf_add_str(&p->body, "<details>\n<summary>");
	page_escape(&p->body, name);
	buf_add_str(&p->body, "</summary>\n<dl class=\"terms\">\n");
	for (size_t r = 0; r < s.n; r++) {
		buf_add_str(&p->body, "<dt>");
		page_escape(&p->body, sheet_cell(&s, r, 0));
		buf_add_str(&p->body, "</dt><dd>");
		page_escape(&p->body, sheet_cell(&s, r, 1));
		buf_add_str(&p->body, "</dd>\n");
	}
	buf_add_str(&p->body, "</dl>\n</details>\n");
	sheet_release(&s);
	return 0;
}
