/* head-pairs: rank correlations of measures of heads; see head-pairs.h. */
#include "analysis/head-pairs.h"

#include <fnmatch.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "exchange/table.h"
#include "scores/holm.h"

/* --- measures --- */

static bool
head_pairs_is_constant(const struct head_table *t, const struct head_column *c)
{
	double first = NAN;

	for (size_t i = 0; i < t->n; i++) {
		const double x = head_table_get(c, i);

		if (isnan(first))
			first = x;
		else if (!isnan(x) && x != first)
			return false;
	}
	return true;
}

static bool
is_usual(const struct head_table *t, const struct head_column *c)
{
	static const char *const parts[] = { "offsets.*", "syntax.*", "gating.*", "*.raw",
					   "*.error", "open" };

	for (size_t i = 0; i < sizeof(parts) / sizeof(*parts); i++)
		if (!fnmatch(parts[i], c->name, 0))
			return false;
	return c->type == HEAD_FLOAT && !head_pairs_is_constant(t, c);
}

int
head_pairs_keep_usual(struct head_table *t, struct err *e)
{
	struct buf names = { 0 };
	int bad;

	if (head_table_find(t, "role"))
		buf_add_str(&names, "role,");
	for (size_t i = 0; i < t->n_columns; i++)
		if (is_usual(t, &t->column[i]))
			buf_printf(&names, "%s,", t->column[i].name);
	if (!names.n)
		return err_set(e, EXIT_INPUT,
			       "no measure that differs between heads, expected one");
	names.data[names.n - 1] = '\0';
	bad = head_table_keep(t, names.data, e);
	buf_release(&names);
	return bad;
}

/* --- groups --- */

static bool
is_in(const struct head_pairs *p, const struct head_group *g, size_t row)
{
	return !strcmp(g->name, "all") || !strcmp(g->name, site_kinds[p->t->row[row].where]);
}

static void
add_group(struct head_pairs *p, const char *name)
{
	struct head_group *g = &p->group[p->n_groups];

	*g = (struct head_group){ .name = name };
	for (size_t i = 0; i < p->t->n; i++)
		g->heads += is_in(p, g, i);
	p->n_groups += g->heads > 0;
}

int
head_pairs_init(struct head_pairs *p, const struct head_table *t, bool all, struct err *e)
{
	*p = (struct head_pairs){ .t = t,
				  .measure = xcalloc(t->n_columns + 1, sizeof(*p->measure)) };
	for (size_t i = 0; i < t->n_columns; i++)
		if (all ? t->column[i].type != HEAD_STR : is_usual(t, &t->column[i]))
			p->measure[p->n++] = i;
	if (p->n < 2)
		return err_set(e, EXIT_INPUT,
			       "%zu measure%s that differ%s between heads, expected two or more",
			       p->n,
			       p->n == 1 ? "" : "s", p->n == 1 ? "s" : "");
	for (int i = 0; site_kinds[i]; i++)
		add_group(p, site_kinds[i]);
	if (p->n_groups > 1)
		add_group(p, "all");
	return 0;
}

void
head_pairs_release(struct head_pairs *p)
{
	for (size_t i = 0; i < p->n_groups; i++)
		free(p->group[i].pair);
	free(p->measure);
}

/* --- correlations --- */

static size_t
n_pairs(const struct head_pairs *p)
{
	return p->n * (p->n - 1) / 2;
}

static size_t
head_pairs_place_of(size_t a, size_t b)
{
	return a < b ? b * (b - 1) / 2 + a : a * (a - 1) / 2 + b;
}

const struct head_pair *
head_pairs_at(const struct head_pairs *p, size_t group, size_t a, size_t b)
{
	return &p->group[group].pair[head_pairs_place_of(a, b)];
}

/*
 * x and y have room for all heads.  The group of all heads is skipped for a pair that only one kind
 * of site has, because it would repeat that kind's result.
 */
static void
head_pairs_count_pair(const struct head_pairs *p, const struct head_group *g, size_t a, size_t b,
		      double *x, double *y, const struct permutations *permutations)
{
	struct head_pair *to = &g->pair[head_pairs_place_of(a, b)];
	unsigned kinds = 0;
	size_t n = 0;

	to->c = (struct rank_correlation){ NAN, NAN, NAN, NAN };
	for (size_t i = 0; i < p->t->n; i++) {
		x[n] = head_table_get(&p->t->column[p->measure[a]], i);
		y[n] = head_table_get(&p->t->column[p->measure[b]], i);
		if (is_in(p, g, i) && !isnan(x[n]) && !isnan(y[n])) {
			kinds |= 1u << p->t->row[i].where;
			n++;
		}
	}
	if (!strcmp(g->name, "all") && !(kinds & (kinds - 1)))
		return;
	to->heads = n;
	if (n >= HEADS_MIN)
		to->c = rank_correlate(x, y, n, permutations);
}

static void
head_pairs_adjust(const struct head_pairs *p, struct head_group *g)
{
	const size_t n = n_pairs(p);
	double *x = xcalloc(n, sizeof(*x));

	for (size_t i = 0; i < n; i++)
		x[i] = g->pair[i].c.rho_p;
	holm_adjust(x, n, x, NULL);
	for (size_t i = 0; i < n; i++) {
		g->pair[i].rho_holm = x[i];
		x[i] = g->pair[i].c.tau_p;
	}
	holm_adjust(x, n, x, NULL);
	for (size_t i = 0; i < n; i++)
		g->pair[i].tau_holm = x[i];
	free(x);
}

void
head_pairs_count(struct head_pairs *p, int64_t permutations, uint64_t seed)
{
	struct permutations how = { .n = permutations, .seed = seed };
	double *x = xcalloc(p->t->n + 1, sizeof(*x)), *y = xcalloc(p->t->n + 1, sizeof(*y));

	for (size_t i = 0; i < p->n_groups; i++) {
		p->group[i].pair = xcalloc(n_pairs(p), sizeof(*p->group[i].pair));
		for (size_t b = 0; b < p->n; b++)
			for (size_t a = 0; a < b; a++, how.step++)
				head_pairs_count_pair(p, &p->group[i], a, b, x, y, &how);
		head_pairs_adjust(p, &p->group[i]);
	}
	free(x);
	free(y);
}

/* --- output --- */

const char *
head_pairs_name(const struct head_pairs *p, size_t measure)
{
	return p->t->column[p->measure[measure]].name;
}

static void
head_pairs_put_pair(const struct head_pairs *p, size_t group, size_t a, size_t b, struct buf *out)
{
	const struct head_pair *r = head_pairs_at(p, group, a, b);
	const double x[] = { r->c.rho, r->c.rho_p, r->rho_holm,
			     r->c.tau, r->c.tau_p, r->tau_holm };

	buf_printf(out, "%s\t%s\t%s\t%zu", p->group[group].name, head_pairs_name(p, a),
		   head_pairs_name(p, b), r->heads);
	for (size_t i = 0; i < sizeof(x) / sizeof(*x); i++)
		if (isnan(x[i]))
			buf_add_str(out, "\t-");
		else
			buf_printf(out, "\t%.4g", x[i]);
	buf_add_char(out, '\n');
}

void
head_pairs_tsv(const struct head_pairs *p, struct buf *out)
{
	buf_add_str(out, "heads\tmeasure\tother\tn\trho\trho.p\trho.holm\ttau\ttau.p\ttau.holm\n");
	for (size_t i = 0; i < p->n_groups; i++)
		for (size_t a = 0; a < p->n; a++)
			for (size_t b = a + 1; b < p->n; b++)
				if (head_pairs_at(p, i, a, b)->heads)
					head_pairs_put_pair(p, i, a, b, out);
}

/* Whether the measure has a correlation with any other in this group. */
static bool
is_shown(const struct head_pairs *p, size_t group, size_t a)
{
	for (size_t b = 0; b < p->n; b++)
		if (a != b && !isnan(head_pairs_at(p, group, a, b)->c.rho))
			return true;
	return false;
}

static void
head_pairs_put_row(const struct head_pairs *p, size_t group, size_t a, struct table *t)
{
	table_text(t, head_pairs_name(p, a));
	for (size_t b = 0; b < p->n; b++) {
		const struct head_pair *r = a == b ? NULL : head_pairs_at(p, group, a, b);

		if (!is_shown(p, group, b))
			continue;
		if (!r)
			table_text(t, "");
		else
			table_number(t, a < b ? r->c.rho : r->c.tau, 2,
				     (a < b ? r->rho_holm : r->tau_holm) < 0.05 ? TABLE_BOLD : 0);
	}
	table_row(t);
}

/* "48 heads, 36 pairs", or "16 to 48 of 48 heads, ..." if pairs have different heads. */
static void
put_heads(const struct head_pairs *p, const struct head_group *g, enum table_layout layout,
	  struct buf *out)
{
	size_t min = g->heads, max = 0, pairs = 0;

	for (size_t i = 0; i < n_pairs(p); i++)
		if (!isnan(g->pair[i].c.rho)) {
			min = g->pair[i].heads < min ? g->pair[i].heads : min;
			max = g->pair[i].heads > max ? g->pair[i].heads : max;
			pairs++;
		}
	buf_printf(out, "%s %s: ", layout == TABLE_LATEX ? "%" : "###", g->name);
	if (min < max)
		buf_printf(out, "%zu to %zu of ", min, max);
	buf_printf(out, "%zu heads, %zu pair%s\n%s", g->heads, pairs, pairs == 1 ? "" : "s",
		   layout == TABLE_LATEX ? "" : "\n");
}

static void
put_group(const struct head_pairs *p, size_t group, enum table_layout layout, struct buf *out)
{
	struct buf align = { 0 };
	struct table t;

	buf_add_char(&align, 'l');
	for (size_t a = 0; a < p->n; a++)
		if (is_shown(p, group, a))
			buf_add_char(&align, 'r');
	buf_add_char(&align, '\0');
	if (align.data[1]) {
		put_heads(p, &p->group[group], layout, out);
		table_begin(&t, out, layout, align.data);
		table_text(&t, "rho above, tau below");
		for (size_t a = 0; a < p->n; a++)
			if (is_shown(p, group, a))
				table_text(&t, head_pairs_name(p, a));
		table_row(&t);
		for (size_t a = 0; a < p->n; a++)
			if (is_shown(p, group, a))
				head_pairs_put_row(p, group, a, &t);
		table_end(&t);
		buf_add_char(out, '\n');
	}
	buf_release(&align);
}

void
head_pairs_layout(const struct head_pairs *p, enum table_layout layout, struct buf *out)
{
	const char *comment = layout == TABLE_LATEX ? "% " : "";

	buf_printf(out, "%sRank correlations between measures of attention heads: Spearman's rho "
		   "above the diagonal, Kendall's tau-b below.\n%sBold: p < 0.05 by permutation "
		   "test, adjusted over the pairs of the table (Holm).\n%s\n", comment, comment,
		   layout == TABLE_LATEX ? "% needs \\usepackage{booktabs}\n" : "");
	for (size_t i = 0; i < p->n_groups; i++)
		put_group(p, i, layout, out);
}
