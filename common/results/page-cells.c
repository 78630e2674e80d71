/* page-cells: the cells of tables, with the style of their columns; see page-view.h. */
#include <math.h>
#include <string.h>

#include "base/num.h"
#include "draw/svg.h"
#include "results/page-view.h"

/* --- verdicts --- */

const struct page_verdict page_verdicts[] = {
	{ VERDICT_CONFIRMED, "good", "✓" },
	{ VERDICT_REVERSED, "bad", "✗" },
	{ VERDICT_SMALLER, "bad", "∅" },
	{ VERDICT_SPLIT, "open", "≠" },
	{ VERDICT_WITHIN, "same", "=" },
	{ VERDICT_OPEN, "open", "?" },
	{ VERDICT_WAITS, "none", "…" },
	{ VERDICT_AA, "none", "…" },
	{ VERDICT_ONE_SEED, "none", "…" },
	{ VERDICT_EQUAL, "none", "…" },
	{ VERDICT_POOR, "none", "…" },
	{ VERDICT_MASKED, "none", "…" },
	{ VERDICT_NO_BLEU, "none", "…" },
	{ VERDICT_NO_NLL, "none", "…" },
	{ VERDICT_NOT_RUN, "none", "○" },
};
const size_t page_n_verdicts = sizeof(page_verdicts) / sizeof(*page_verdicts);

void
page_add_verdict(struct buf *out, enum verdict v, const char *text, long count)
{
	const struct page_verdict *s = page_verdicts;

	while (s->v != v && s->v != VERDICT_NOT_RUN)
		s++;
	buf_printf(out, "<span class=\"verdict %s\"><span aria-hidden=\"true\">%s</span> ",
		   s->class, s->sign);
	if (count)
		buf_printf(out, "%ld ", count);
	page_add_text(out, "", text, "</span>");
}

/* The cell is empty in rows of baselines that do not decide; only verdicts have a sign. */
static void
add_verdict_cell(struct buf *out, const char *cell)
{
	size_t i = 0;

	while (i < page_n_verdicts && !verdict_is(cell, page_verdicts[i].v))
		i++;
	if (i < page_n_verdicts)
		page_add_verdict(out, page_verdicts[i].v, cell, 0);
	else
		page_escape(out, cell);
}

/* --- cells --- */

static bool
page_cells_is_empty(const char *text)
{
	return !*text || !strcmp(text, "-") || !strcmp(text, "–");
}

/*
 * A number, possibly with deviation, mark or bound: "-1.29", "26.98 ± 1.43†", "27.1¹", "3-5", ">
 * 50".
 */
static bool
page_cells_is_number(const char *text)
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
	return page_cells_is_number(text) ||
	       (strchr(text, '[') && !text[strspn(text, " +-.,[]0123456789")]);
}

enum { BRIEF = 28 };			/* bytes */

struct page_column
page_column_of(const struct sheet *s, size_t at)
{
	struct page_column c = {
		.at = at, .number = true, .brief = true,
		.paper = at && !strncmp(s->row->cell[at], "paper", 5)
	};
	size_t n = 0;

	for (size_t r = 1; r < s->n; r++) {
		const char *text = sheet_cell(s, r, at);

		c.number &= page_cells_is_empty(text) || is_measured(text);
		c.brief &= strlen(text) <= BRIEF;
		n += !page_cells_is_empty(text);
	}
	c.number &= n > 0;
	return c;
}

void
page_add_class(struct buf *out, const struct page_column *c)
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
page_cells_add_number(struct buf *out, const char *text)
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

/* A confidence interval begins a new line where the cell is narrow. */
static void
add_measured(struct buf *out, const char *text, const char *interval)
{
	buf_add_str(out, "<span>");
	svg_escape(out, text, (size_t)(interval - text));
	page_add_text(out, "</span> <span>", interval + 1, "</span>");
}

void
page_add_cell(struct buf *out, const struct page_column *c, const char *text, bool verdict,
	      const char *name)
{
	buf_add_str(out, "<td");
	page_add_class(out, c);
	if (name)
		page_add_text(out, " data-name=\"", name, "\"");
	buf_add_char(out, '>');
	if (verdict)
		add_verdict_cell(out, text);
	else if (sheet_is_bold(text, strlen(text)))
		add_bold(out, text + 2, strlen(text) - 4);
	else if (c->number && strstr(text, " ["))
		add_measured(out, text, strstr(text, " ["));
	else
		page_cells_add_number(out, text);
	buf_add_str(out, "</td>");
}
