/* score-table: see score-table.h. */
#include <inttypes.h>
#include <stdlib.h>

#include "base/escape.h"
#include "base/mem.h"
#include "exchange/table.h"
#include "scores/score-table.h"

#define SIGNIFICANT 0.05

enum { COLUMNS = 11 };

/* A table of texts, row by row.  The first column is aligned left, the others right. */
struct score_table {
	char **cell;
	size_t n, room;
};

static void
add_cell(struct score_table *t, struct buf *text)
{
	t->cell = mem_grow(t->cell, &t->room, t->n + 1, sizeof(char *));
	t->cell[t->n++] = xstrdup(text->n ? text->data : "");
	buf_clear(text);
}

static size_t
score_table_width_of(const char *s)
{
	size_t n = 0;

	for (; *s; s++)
		n += ((unsigned char)*s & 0xc0) != 0x80;	/* characters, not bytes */
	return n;
}

/* The widths of the columns; 0 if a column is empty below the header. */
static void
measure_columns(const struct score_table *t, size_t width[COLUMNS])
{
	for (size_t c = 0; c < COLUMNS; c++) {
		bool used = false;

		width[c] = 0;
		for (size_t r = 0; r < t->n / COLUMNS; r++) {
			const size_t w = score_table_width_of(t->cell[r * COLUMNS + c]);

			width[c] = w > width[c] ? w : width[c];
			used |= r > 0 && w > 0;
		}
		if (!used)
			width[c] = 0;
	}
}

static void
print_latex(const struct score_table *t, struct buf *out)
{
	size_t width[COLUMNS];
	struct buf lines = { 0 };

	measure_columns(t, width);
	for (size_t i = 0; i < t->n; i++) {
		const size_t c = i % COLUMNS;

		if (!width[c])
			continue;
		if (i)
			buf_add_char(&lines, c ? '\t' : '\n');
		for (const char *s = t->cell[i]; *s; s++)	/* tabs and newlines in a name */
			buf_add_char(&lines, (unsigned char)*s < ' ' ? ' ' : *s);
	}
	table_lines(out, TABLE_LATEX, lines.data);
	buf_release(&lines);
}

static void
print_text(const struct score_table *t, struct buf *out)
{
	size_t width[COLUMNS];

	measure_columns(t, width);
	for (size_t r = 0; r < t->n / COLUMNS; r++) {
		for (size_t c = 0; c < COLUMNS; c++) {
			const char *s = t->cell[r * COLUMNS + c];
			const int blanks = width[c] ? (int)(width[c] - score_table_width_of(s)) : 0;

			if (!width[c])
				continue;
			if (c == 0)
				buf_printf(out, "%s%*s", s, blanks, "");
			else
				buf_printf(out, "  %*s%s", blanks, "", s);
		}
		while (out->data[out->n - 1] == ' ')
			out->n--;
		buf_add_char(out, '\n');
	}
}

static void
release_table(struct score_table *t)
{
	for (size_t i = 0; i < t->n; i++)
		free(t->cell[i]);
	free(t->cell);
}

/* A p-value, with a star if it is significant. */
static void
p_cell(struct score_table *t, struct buf *text, double p)
{
	if (p >= 0)
		buf_printf(text, "%.4f%c", p, p < SIGNIFICANT ? '*' : ' ');
	add_cell(t, text);
}

static void
count_cell(struct score_table *t, struct buf *text, int64_t n, bool present)
{
	if (present)
		buf_printf(text, "%" PRId64, n);
	add_cell(t, text);
}

static void
comparison_cells(struct score_table *t, const struct report *r, const struct result *one,
		 struct buf *text)
{
	static const struct comparison none = {
		.p_centered = -1, .p_koehn = -1, .p_randomization = -1, .sign.p = -1
	};
	const struct comparison *c = one->comparison ? one->comparison : &none;
	const bool sign = c->sign.p >= 0;

	if (one->comparison) {
		if (c->difference >= 0)
			buf_add_char(text, '+');
		report_score(r, one, c->difference, text);
	}
	add_cell(t, text);
	p_cell(t, text, c->p_centered);
	p_cell(t, text, c->p_koehn);
	p_cell(t, text, c->p_randomization);
	count_cell(t, text, c->sign.better, sign);
	count_cell(t, text, c->sign.worse, sign);
	if (sign)
		buf_printf(text, "%.3f", c->sign.z);
	add_cell(t, text);
	p_cell(t, text, c->sign.p);
}

static void
paired_row(struct score_table *t, const struct report *r, const struct result *one)
{
	struct buf text = { 0 };

	buf_printf(&text, "%s", one->system);
	add_cell(t, &text);
	report_score(r, one, one->score, &text);
	add_cell(t, &text);
	if (one->ci) {
		report_score(r, one, one->ci->mean, &text);
		buf_add_str(&text, " ± ");
		report_score(r, one, one->ci->half, &text);
	}
	add_cell(t, &text);
	comparison_cells(t, r, one, &text);
	buf_release(&text);
}

static void
paired_head(struct score_table *t, const struct result *one)
{
	static const char *const head[COLUMNS] = {
		"system", NULL, "μ ± 95% CI", "difference", "p bootstrap ", "p koehn ",
		"p randomization ", "better", "worse", "z", "p sign "
	};
	struct buf text = { 0 };

	for (size_t c = 0; c < COLUMNS; c++) {
		if (head[c])
			buf_add_str(&text, head[c]);
		else
			one->metric->name(one->metric->how, &text);
		add_cell(t, &text);
	}
	buf_release(&text);
}

void
table_paired(const struct report *r, const struct result *result, size_t n, struct buf *out)
{
	const bool latex = r->format == REPORT_LATEX;

	for (size_t i = 0; i < n; ) {
		const struct metric *m = result[i].metric;
		struct score_table t = { 0 };

		if (i)
			buf_add_char(out, '\n');
		buf_add_str(out, latex ? "% " : "");
		m->name(m->how, out);
		buf_printf(out, "|%s", result[i].signature);
		if (latex)
			buf_add_str(out, "\n% needs \\usepackage{booktabs}\n");
		else
			buf_printf(out, ", baseline %s\n", result[i].system);
		paired_head(&t, &result[i]);
		for (; i < n && result[i].metric == m; i++)
			paired_row(&t, r, &result[i]);
		if (latex)
			print_latex(&t, out);
		else
			print_text(&t, out);
		release_table(&t);
	}
}

static void
tsv_number(struct buf *out, double x, bool present)
{
	if (present)
		buf_printf(out, "\t%.6g", x);
	else
		buf_add_char(out, '\t');
}

static void
tsv_count(struct buf *out, int64_t n, bool present)
{
	if (present)
		buf_printf(out, "\t%" PRId64, n);
	else
		buf_add_char(out, '\t');
}

static void
tsv_comparison(const struct report *r, const struct result *one, struct buf *out)
{
	const struct comparison *c = one->comparison;

	tsv_number(out, report_scaled(r, one, c->difference), true);
	tsv_number(out, c->p_centered, c->p_centered >= 0);
	tsv_number(out, c->p_koehn, c->p_koehn >= 0);
	tsv_number(out, c->p_randomization, c->p_randomization >= 0);
	tsv_count(out, c->sign.better, c->sign.p >= 0);
	tsv_count(out, c->sign.worse, c->sign.p >= 0);
	tsv_count(out, c->sign.equal, c->sign.p >= 0);
	tsv_number(out, c->sign.z, c->sign.p >= 0);
	tsv_number(out, c->sign.p, c->sign.p >= 0);
}

static void
tsv_row(const struct report *r, const struct result *one, struct buf *out)
{
	escape_add(out, one->system);
	buf_add_char(out, '\t');
	one->metric->name(one->metric->how, out);
	buf_add_char(out, '\t');
	report_score(r, one, one->score, out);
	buf_add_char(out, '\t');
	if (one->ci)
		report_score(r, one, one->ci->mean, out);
	buf_add_char(out, '\t');
	if (one->ci)
		report_score(r, one, one->ci->half, out);
	if (one->comparison)
		tsv_comparison(r, one, out);
	else
		buf_add_str(out, "\t\t\t\t\t\t\t\t\t");
	buf_add_char(out, '\t');
	report_details(one, "", out);
	buf_printf(out, "\t%s\n", one->signature);
}

void
table_tsv(const struct report *r, const struct result *result, size_t n, struct buf *out)
{
	buf_add_str(out, "system\tmetric\tscore\tci_mean\tci_half\tdifference\t"
		    "p_bootstrap\tp_bootstrap_koehn\tp_randomization\t"
		    "better\tworse\tequal\tz\tp_sign\tdetails\tsignature\n");
	for (size_t i = 0; i < n; i++)
		tsv_row(r, &result[i], out);
}
