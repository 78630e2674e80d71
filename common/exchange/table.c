/* table: see table.h. */
#include "exchange/table.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* --- text --- */

static void
markdown_text(struct buf *out, const char *s, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (s[i] == '|' || s[i] == '\\')
			buf_add_char(out, '\\');
		buf_add_char(out, s[i]);
	}
}

static const struct { const char *text, *latex; } escapes[] = {
	{ "\\", "\\textbackslash{}" }, { "~", "\\textasciitilde{}" },
	{ "^", "\\textasciicircum{}" }, { "{", "\\{" }, { "}", "\\}" }, { "%", "\\%" },
	{ "&", "\\&" }, { "_", "\\_" }, { "#", "\\#" }, { "$", "\\$" }, { "<", "$<$" },
	{ ">", "$>$" }, { "|", "\\textbar{}" }, { "±", "$\\pm$" }, { "λ", "$\\lambda$" },
	{ "μ", "$\\mu$" },
	{ "†", "\\textdagger{}" }, { "‡", "\\textdaggerdbl{}" }, { "¹", "\\textsuperscript{1}" }
};

static bool
table_is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* Appends a hyphen: a minus sign before a number, and separate from a further one. */
static void
hyphen(struct buf *out, const char *s, size_t i, size_t n)
{
	const bool begins = !i || s[i - 1] == ' ' || s[i - 1] == '[' || s[i - 1] == '(';

	if (begins && i + 1 < n && table_is_digit(s[i + 1]))
		buf_add_str(out, "$-$");
	else
		buf_add_str(out, i + 1 < n && s[i + 1] == '-' ? "-{}" : "-");
}

static void
latex_text(struct buf *out, const char *s, size_t n)
{
	for (size_t i = 0; i < n; ) {
		const size_t count = sizeof(escapes) / sizeof(*escapes);
		size_t k = 0, m = 0;

		for (; k < count; k++) {
			m = strlen(escapes[k].text);
			if (m <= n - i && !memcmp(s + i, escapes[k].text, m))
				break;
		}
		if (k < count)
			buf_add_str(out, escapes[k].latex);
		else if (s[i] == '-')
			hyphen(out, s, i, n);
		else
			buf_add_char(out, s[i]);
		i += k < count ? m : 1;
	}
}

/* --- cells and rows --- */

void
table_begin(struct table *t, struct buf *out, enum table_layout layout, const char *align)
{
	*t = (struct table){ .out = out, .layout = layout, .align = align };
	if (layout == TABLE_LATEX)
		buf_printf(out, "\\begin{tabular}{%s}\n\\toprule\n", align);
}

/* What is before the next cell. */
static void
begin_cell(struct table *t)
{
	if (t->layout == TABLE_MARKDOWN)
		buf_add_str(t->out, t->cells ? " | " : "| ");
	else if (t->cells)
		buf_add_str(t->out, " & ");
	t->cells++;
}

static void
escape_text(struct table *t, const char *s, size_t n)
{
	if (t->layout == TABLE_LATEX)
		latex_text(t->out, s, n);
	else
		markdown_text(t->out, s, n);
}

static void
put_text(struct table *t, const char *s, size_t n)
{
	begin_cell(t);
	/* After the end of a row, [ and * would belong to its command. */
	if (t->layout == TABLE_LATEX && t->cells == 1 && n && (*s == '[' || *s == '*'))
		buf_add_str(t->out, "{}");
	escape_text(t, s, n);
}

void
table_text(struct table *t, const char *text)
{
	put_text(t, text, strlen(text));
}

void
table_number(struct table *t, double x, int decimals, int flags)
{
	static const char *const begin[] = { "**", "\\textbf{" }, *const end[] = { "**", "}" };
	char text[64];

	if (isnan(x)) {
		table_text(t, "-");
		return;
	}
	snprintf(text, sizeof(text), flags & TABLE_SIGNED ? "%+.*f" : "%.*f", decimals, x);
	if (!(flags & TABLE_BOLD)) {
		table_text(t, text);
		return;
	}
	begin_cell(t);
	buf_add_str(t->out, begin[t->layout]);
	escape_text(t, text, strlen(text));
	buf_add_str(t->out, end[t->layout]);
}

void
table_p(struct table *t, double p)
{
	if (p < 0.001)
		table_text(t, "< 0.001");
	else
		table_number(t, p, 4, 0);
}

static void
rule(const struct table *t)
{
	for (const char *a = t->align; *a; a++)
		buf_add_str(t->out, *a == 'r' ? "| ---: " : "| --- ");
	buf_add_str(t->out, "|\n");
}

void
table_row(struct table *t)
{
	buf_add_str(t->out, t->layout == TABLE_MARKDOWN ? " |\n" : " \\\\\n");
	t->cells = 0;
	if (t->rows++)
		return;
	if (t->layout == TABLE_MARKDOWN)
		rule(t);
	else
		buf_add_str(t->out, "\\midrule\n");
}

void
table_end(struct table *t)
{
	if (t->layout == TABLE_LATEX)
		buf_add_str(t->out, "\\bottomrule\n\\end{tabular}\n");
}

/* --- tab-separated lines --- */

/* The cell at s, up to *end, and without blanks at its end. */
static size_t
table_cell_of(const char *s, const char **end)
{
	size_t n = strcspn(s, "\t\n");

	*end = s + n;
	while (n && s[n - 1] == ' ')
		n--;
	return n;
}

/* Aligns the columns of numbers, and of nothing, in the lines after the header. */
static void
find_alignment(const char *lines, struct buf *align)
{
	size_t column = 0;

	for (const char *end, *s = lines; *s; s = end + (*end != '\0')) {
		const size_t n = table_cell_of(s, &end);

		if (align->n == column)
			buf_add_char(align, column ? 'r' : 'l');
		else if (n && !strchr("0123456789+-[(<", *s))
			align->data[column] = 'l';
		column = *end == '\t' ? column + 1 : 0;
	}
	buf_add_char(align, '\0');
}

void
table_lines(struct buf *out, enum table_layout layout, const char *lines)
{
	struct buf align = { 0 };
	struct table t;

	find_alignment(lines, &align);
	table_begin(&t, out, layout, align.data);
	for (const char *end, *s = lines; *s; s = end + (*end != '\0')) {
		put_text(&t, s, table_cell_of(s, &end));
		if (*end != '\t')
			table_row(&t);
	}
	table_end(&t);
	buf_release(&align);
}
