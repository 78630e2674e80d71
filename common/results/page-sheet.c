/* page-sheet: tables from files, and a sheet as a table; see page.h and page-view.h. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "results/page-view.h"
#include "text/lines.h"

void
page_view_init(struct page_view *v, const struct sheet *s, size_t verdict)
{
	*v = (struct page_view){
		.s = s, .verdict = verdict, .runs = sheet_column(s, "runs")
	};
	v->column = xcalloc(sheet_columns(s), sizeof(*v->column));
}

void
page_view_add(struct page_view *v, size_t at)
{
	v->column[v->n_columns++] = page_column_of(v->s, at);
}

static void
add_names(struct buf *out, const struct page_view *v)
{
	buf_add_str(out, "<thead>\n<tr>");
	for (size_t i = 0; i < v->n_columns; i++) {
		buf_add_str(out, "<th scope=\"col\"");
		if (i)
			page_add_class(out, &v->column[i]);
		page_add_text(out, ">", v->s->row->cell[v->column[i].at], "</th>");
	}
	buf_add_str(out, "</tr>\n</thead>\n");
}

static void
page_sheet_add_row(struct buf *out, const struct page_view *v, size_t r)
{
	buf_printf(out, "<tr><th scope=\"row\"%s>", v->column[0].brief ? " class=\"brief\"" : "");
	page_add_text(out, "", sheet_cell(v->s, r, v->column[0].at), "</th>");
	for (size_t i = 1; i < v->n_columns; i++) {
		const struct page_column *c = &v->column[i];

		page_add_cell(out, c, sheet_cell(v->s, r, c->at), c->at == v->verdict,
			      v->claims ? v->s->row->cell[c->at] : NULL);
	}
	buf_add_str(out, "</tr>\n");
}

bool
page_view_shows(const struct page_view *v, size_t r)
{
	if (v->verdict != SIZE_MAX)
		return !verdict_is(sheet_cell(v->s, r, v->verdict), VERDICT_NOT_RUN);
	return v->runs == SIZE_MAX || strcmp(sheet_cell(v->s, r, v->runs), "0");
}

void
page_add_view(struct page *p, const struct page_view *v, const char *caption, const char *id)
{
	struct buf *out = &p->body;

	page_wide_begin(p, "table", id);
	buf_add_str(out, v->claims ? "<table class=\"claims\">\n" : "<table>\n");
	if (caption) {
		buf_printf(out, "<caption id=\"%s\"><span>", id);
		page_add_text(out, "", caption, "</span></caption>\n");
	}
	add_names(out, v);
	buf_add_str(out, "<tbody>\n");
	for (size_t r = 1; r < v->s->n; r++)
		if (page_view_shows(v, r))
			page_sheet_add_row(out, v, r);
	buf_add_str(out, "</tbody>\n</table>\n");
	page_wide_end(p);
}

enum { LONG_TABLE = 40 };		/* rows */

/* A collapsed table; the summary is its caption and its number of rows. */
static void
add_folded(struct page *p, const struct page_view *v, const char *caption, const char *id)
{
	struct buf *out = &p->body;

	buf_add_str(out, "<details>\n<summary");
	if (caption) {
		buf_printf(out, " id=\"%s\"><strong>", id);
		page_add_text(out, "", caption, "</strong>, ");
	} else {
		buf_add_char(out, '>');
	}
	buf_printf(out, "%zu rows</summary>\n", v->s->n - 1);
	page_add_view(p, v, NULL, id);
	buf_add_str(out, "</details>\n");
}

/* The names of rows that are hidden. */
static void
add_hidden(struct page *p, const struct page_view *v)
{
	size_t n = 0;

	for (size_t r = 1; r < v->s->n; r++)
		if (!page_view_shows(v, r))
			page_add_text(&p->body, n++ ? "; " : "<p class=\"about\">Without runs: ",
				      sheet_cell(v->s, r, v->column[0].at), "");
	if (n)
		buf_add_str(&p->body, ".</p>\n");
	else if (v->s->n == 1)
		buf_add_str(&p->body, "<p class=\"about\">No rows.</p>\n");
}

/* Whether any row is shown. */
static bool
shows_rows(const struct page_view *v)
{
	for (size_t r = 1; r < v->s->n; r++)
		if (page_view_shows(v, r))
			return true;
	return false;
}

void
page_sheet(struct page *p, const struct sheet *s, const char *caption)
{
	struct page_view v;
	const char *id;

	if (!caption)
		caption = s->title;
	id = caption ? page_entry(p, caption) : NULL;
	page_view_init(&v, s, SIZE_MAX);
	for (size_t i = 0; i < sheet_columns(s); i++)
		page_view_add(&v, i);
	if (!shows_rows(&v) && caption)
		page_title(p, 3, id, caption);
	else if (s->n - 1 > LONG_TABLE)
		add_folded(p, &v, caption, id);
	else
		page_add_view(p, &v, caption, id);
	add_hidden(p, &v);
	free(v.column);
}

/* --- from files --- */

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
