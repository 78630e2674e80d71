/* latex: see latex.h. */
#include "exchange/latex.h"

#include <stdbool.h>
#include <string.h>

static const struct { const char *text, *latex; } escapes[] = {
	{ "\\", "\\textbackslash{}" }, { "~", "\\textasciitilde{}" },
	{ "^", "\\textasciicircum{}" }, { "{", "\\{" }, { "}", "\\}" }, { "%", "\\%" },
	{ "&", "\\&" }, { "_", "\\_" }, { "#", "\\#" }, { "$", "\\$" }, { "<", "$<$" },
	{ ">", "$>$" }, { "|", "\\textbar{}" }, { "±", "$\\pm$" }, { "λ", "$\\lambda$" },
	{ "μ", "$\\mu$" },
	{ "†", "\\textdagger{}" }, { "‡", "\\textdaggerdbl{}" }, { "¹", "\\textsuperscript{1}" }
};

static bool
is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* Appends a hyphen: a minus sign before a number, and separate from a further one. */
static void
hyphen(struct buf *out, const char *s, size_t i, size_t n)
{
	const bool begins = !i || s[i - 1] == ' ' || s[i - 1] == '[' || s[i - 1] == '(';

	if (begins && i + 1 < n && is_digit(s[i + 1]))
		buf_add_str(out, "$-$");
	else
		buf_add_str(out, i + 1 < n && s[i + 1] == '-' ? "-{}" : "-");
}

void
latex_cell(struct buf *out, const char *s, size_t n)
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

/* Appends a row.  After the end of the last one, [ and * would belong to its command. */
static const char *
row(struct buf *out, const char *s)
{
	if (*s == '[' || *s == '*')
		buf_add_str(out, "{}");
	for (;;) {
		const char *end = s + strcspn(s, "\t\n");
		size_t n = (size_t)(end - s);

		while (n && s[n - 1] == ' ')
			n--;
		latex_cell(out, s, n);
		if (*end != '\t') {
			buf_add_str(out, " \\\\\n");
			return end + (*end == '\n');
		}
		buf_add_str(out, " & ");
		s = end + 1;
	}
}

void
latex_table(struct buf *out, const char *lines)
{
	buf_add_str(out, "\\begin{tabular}{l");
	for (const char *s = lines; *s && *s != '\n'; s++)
		if (*s == '\t')
			buf_add_char(out, 'r');
	buf_add_str(out, "}\n\\toprule\n");
	lines = row(out, lines);
	buf_add_str(out, "\\midrule\n");
	while (*lines)
		lines = row(out, lines);
	buf_add_str(out, "\\bottomrule\n\\end{tabular}\n");
}
