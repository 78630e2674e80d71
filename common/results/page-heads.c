/* page-heads: a map of attention heads by role and measure; see page.h. */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/num.h"
#include "results/page-parts.h"
#include "scores/rank-correlation.h"

enum { SHADES = 10 };			/* classes q0 to q9 of page.css */

/* The kinds of attention, and their titles on the page. */
static const struct head_kind { const char *site, *title; } kinds[] = {
	{ "enc-self", "Encoder self-attention" },
	{ "dec-self", "Decoder self-attention" },
	{ "cross", "Encoder-decoder attention" },
};

struct heads {
	const struct sheet *s;
	const char *address;		/* of the walk, or NULL */
	size_t site, layer, head;	/* columns */
	double *share;			/* [rows, columns] rank of the value, 0 to 1, or NAN */
};

/* --- values --- */

static bool
is_place(const struct heads *h, size_t column)
{
	return column == h->site || column == h->layer || column == h->head;
}

static double
page_heads_value_of(const struct sheet *s, size_t row, size_t column)
{
	const char *text = sheet_cell(s, row, column);
	struct err e;
	double x;

	return num_float(text, strlen(text), -1e300, 1e300, &x, &e) ? NAN : x;
}

/* Ranks the values of a column over all heads that have one. */
static void
rank_column(struct heads *h, size_t column)
{
	const size_t columns = sheet_columns(h->s);
	double *x = xcalloc(h->s->n, sizeof(*x)), *rank = xcalloc(h->s->n, sizeof(*rank));
	size_t *row = xcalloc(h->s->n, sizeof(*row)), n = 0;

	for (size_t r = 1; r < h->s->n; r++) {
		h->share[r * columns + column] = NAN;
		x[n] = page_heads_value_of(h->s, r, column);
		row[n] = r;
		n += !isnan(x[n]);
	}
	ranks_of(x, n, rank);
	for (size_t i = 0; i < n; i++)
		h->share[row[i] * columns + column] = n > 1 ? (rank[i] - 1) / (double)(n - 1) : 0;
	free(x);
	free(rank);
	free(row);
}

/* --- tables --- */

static void
page_heads_add_names(const struct heads *h, struct buf *out)
{
	buf_add_str(out, "<thead>\n<tr><th scope=\"col\">head</th>");
	for (size_t c = 0; c < sheet_columns(h->s); c++)
		if (!is_place(h, c))
			page_add_text(out, "<th scope=\"col\">", h->s->row->cell[c], "</th>");
	buf_add_str(out, "</tr>\n</thead>\n<tbody>\n");
}

/* A value with three significant digits, shaded by its rank. */
static void
page_heads_add_value(const struct heads *h, size_t row, size_t column, struct buf *out)
{
	const double share = h->share[row * sheet_columns(h->s) + column];
	const int shade = (int)(share * SHADES);

	if (isnan(share))
		page_add_text(out, "<td class=\"brief\">", sheet_cell(h->s, row, column), "</td>");
	else
		buf_printf(out, "<td class=\"n q%d\">%.3g</td>",
			   shade < SHADES ? shade : SHADES - 1,
			   page_heads_value_of(h->s, row, column));
}

/* Addresses are those of head-map(1), under LINKS. */
static void
page_heads_add_head(const struct heads *h, const struct head_kind *kind, size_t row,
		    struct buf *out)
{
	const int layer = (int)page_heads_value_of(h->s, row, h->layer);
	const int head = (int)page_heads_value_of(h->s, row, h->head);

	buf_add_str(out, "<tr><th scope=\"row\">");
	if (h->address) {
		page_add_text(out, "<a href=\"", h->address, "");
		buf_printf(out, "#%s-%d-%d\" aria-label=\"layer %d, head %d\">", kind->site, layer,
			   head, layer, head);
	}
	buf_printf(out, "%d.%d%s</th>", layer, head, h->address ? "</a>" : "");
	for (size_t c = 0; c < sheet_columns(h->s); c++)
		if (!is_place(h, c))
			page_heads_add_value(h, row, c, out);
	buf_add_str(out, "</tr>\n");
}

static size_t
count_kind(const struct heads *h, const char *site)
{
	size_t n = 0;

	for (size_t r = 1; r < h->s->n; r++)
		n += !strcmp(sheet_cell(h->s, r, h->site), site);
	return n;
}

static void
add_kind(struct page *p, const struct heads *h, const struct head_kind *kind, const char *caption)
{
	const size_t n = count_kind(h, kind->site);
	struct buf *out = &p->body;
	char *text;

	if (!n)
		return;
	text = xasprintf("%s%s%s, %zu head%s", caption ? caption : "", caption ? ": " : "",
			 kind->title, n, n == 1 ? "" : "s");
	page_add_text(out, "<details open>\n<summary><strong>", text, "</strong></summary>\n");
	page_wide_begin(p, text, NULL);
	buf_add_str(out, "<table class=\"heads\">\n");
	page_heads_add_names(h, out);
	for (size_t r = 1; r < h->s->n; r++)
		if (!strcmp(sheet_cell(h->s, r, h->site), kind->site))
			page_heads_add_head(h, kind, r, out);
	buf_add_str(out, "</tbody>\n</table>\n");
	page_wide_end(p);
	buf_add_str(out, "</details>\n");
	free(text);
}

/* Layers and heads must be numbers from 1 on, sites the known kinds. */
static int
page_heads_check(const struct heads *h, const char *path, struct err *e)
{
	size_t known = 0;

	if (h->site == SIZE_MAX || h->layer == SIZE_MAX || h->head == SIZE_MAX)
		return err_set(e, EXIT_INPUT, "%s: no column %s, expected a table of head-compare "
			       "--table", path, h->site == SIZE_MAX ? "site"
						: h->layer == SIZE_MAX ? "layer" : "head");
	for (size_t r = 1; r < h->s->n; r++) {
		const double layer = page_heads_value_of(h->s, r, h->layer);
		const double head = page_heads_value_of(h->s, r, h->head);

		if (!(layer >= 1 && layer < 1e6 && head >= 1 && head < 1e6))
			return err_set(e, EXIT_INPUT, "%s: row %zu: layer %.20s, head %.20s, "
				       "expected numbers", path, r, sheet_cell(h->s, r, h->layer),
				       sheet_cell(h->s, r, h->head));
	}
	for (size_t k = 0; k < sizeof(kinds) / sizeof(*kinds); k++)
		known += count_kind(h, kinds[k].site);
	if (known != h->s->n - 1 || !known)
		return err_set(e, EXIT_INPUT, "%s: %zu rows with a site enc-self, dec-self or "
			       "cross, expected all %zu", path, known, h->s->n - 1);
	return 0;
}

int
page_heads(struct page *p, const char *path, const char *address, const char *caption,
	   struct err *e)
{
	struct sheet s = { .n = 0 };
	struct heads h = { .s = &s, .address = address };
	int bad;

	if (address && page_check_address(address, "--walk-page", e))
		return -1;
	if (sheet_open(&s, path, e))
		return -1;
	h.site = sheet_column(&s, "site");
	h.layer = sheet_column(&s, "layer");
	h.head = sheet_column(&s, "head");
	bad = page_heads_check(&h, path, e);
	h.share = xcalloc(s.n * sheet_columns(&s), sizeof(*h.share));
	for (size_t c = 0; !bad && c < sheet_columns(&s); c++)
		rank_column(&h, c);
	for (size_t k = 0; !bad && k < sizeof(kinds) / sizeof(*kinds); k++)
		add_kind(p, &h, &kinds[k], caption);
	free(h.share);
	sheet_release(&s);
	return bad;
}
