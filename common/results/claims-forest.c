/* claims-forest: see claims-forest.h. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/texts.h"
#include "draw/forest.h"
#include "results/claims-forest.h"
#include "results/claims-words.h"

enum { NLL, BLEU };

/* Verdicts in the order of the plot; the last stands for all claims that are not judged. */
static const struct group { enum verdict v; const char *heading, *color; } groups[] = {
	{ VERDICT_CONFIRMED, "Confirmed", "#11683a" },
	{ VERDICT_REVERSED, "Reversed", "#a3211a" },
	{ VERDICT_SPLIT, "NLL and BLEU disagree", "#8a3d12" },
	{ VERDICT_WITHIN, "No difference", "#0b57a8" },
	{ VERDICT_SMALLER, "Smaller than reported", "#8a3d12" },
	{ VERDICT_OPEN, "Open", "#445" },
	{ VERDICT_NOT_RUN, "Not judged", "#667" }
};
enum { N_GROUPS = sizeof(groups) / sizeof(*groups) };

struct claims_plot {
	const struct claims *all;
	const struct claim **claim;	/* [n] in the order of the plot */
	size_t n;
	struct forest_block *block;
	size_t n_blocks;
	struct texts texts;
	bool narrow;
};

static const struct evidence *
evidence_of(const struct claim *c)
{
	return &c->against[c->weakest].evidence;
}

/* --- texts --- */

/* Moves a text to the pool. */
static const char *
text_in_pool(struct texts *pool, char *text)
{
	const char *copy = texts_add(pool, text, strlen(text));

	free(text);
	return copy;
}

/* The label of a row that occurs in several sections or on several corpora says which. */
static const char *
label_of(struct claims_plot *p, const struct claim *a)
{
	bool other_section = false, other_column = false;

	for (size_t k = 0; k < p->all->n; k++) {
		const struct claim *b = &p->all->claim[k];

		if (strcmp(a->row->label, b->row->label) || b->first ||
		    b->verdict == VERDICT_NOT_RUN)
			continue;
		other_section |= a->section != b->section;
		other_column |= a->column != b->column;
	}
	if (!other_section && !other_column)
		return a->row->label;
	return text_in_pool(&p->texts, xasprintf("%s (%s%s%s)", a->row->label,
			    other_section ? a->section->name : "",
			    other_section && other_column ? ", " : "",
			    other_column ? a->column->name : ""));
}

/* Why a claim is open, and what would decide it. */
static void
put_open_reason(const struct claim *c, struct buf *out)
{
	const struct evidence *v = evidence_of(c);
	const struct difference *d = &v->primary;
	const struct words_seeds w = words_seeds_of(&c, 1);

	if (d->low <= v->shift && d->high >= v->shift)
		buf_printf(out, "interval reaches %g", v->shift + 0.0);
	else if (v->p < VERDICT_LEVEL)
		buf_printf(out, "p %.2f with the systems' own variances", d->p_own);
	else
		buf_printf(out, "adjusted p %.2f", v->p);
	buf_add_str(out, "; ");
	words_put_seeds(&w, out);
	buf_add_str(out, " would decide");
}

static char *
note_of(const struct claim *c)
{
	const struct evidence *v = evidence_of(c);
	struct buf out = { 0 };

	buf_add_str(&out, "");
	if (c->verdict == VERDICT_CONFIRMED || c->verdict == VERDICT_REVERSED)
		buf_printf(&out, v->p < 0.001 ? "adjusted p < 0.001" : "adjusted p %.3f", v->p);
	else if (c->verdict == VERDICT_WITHIN)
		buf_printf(&out, "interval within ±%g nats", v->margin);
	else if (c->verdict == VERDICT_SMALLER)
		buf_printf(&out, "BLEU interval below the reported %+.2f", v->effect);
	else if (c->verdict == VERDICT_SPLIT)
		buf_add_str(&out, "opposite directions, or only in BLEU");
	else if (c->verdict == VERDICT_OPEN)
		put_open_reason(c, &out);
	else
		buf_add_str(&out, verdict_names[c->verdict] + strlen("not judged: "));
	return out.data;
}

static void
put_forest_difference(const char *measure, const struct difference *d, struct buf *out)
{
	if (isnan(d->mean))
		return;
	buf_printf(out, "; %s ", measure_label(measure));
	cell_interval(out, measure, d);
}

/* All that the row shows, for the pointer. */
static char *
row_title(const struct claim *c, const char *label)
{
	const struct evidence *v = evidence_of(c);
	struct buf out = { 0 };

	buf_add_str(&out, label);
	put_forest_difference(claim_primary(c), &v->primary, &out);
	put_forest_difference(c->measure, &v->secondary, &out);
	if (!isnan(v->effect))
		buf_printf(&out, "; paper %+.2f", v->effect);
	buf_printf(&out, "; %zu seed%s; ", v->primary.n, v->primary.n == 1 ? "" : "s");
	verdict_put(&out, c->verdict, v, c->seeds);
	return out.data;
}

/* --- rows --- */

static struct forest_point
point_of(const struct difference *d, double other, double margin)
{
	return (struct forest_point) {
		.value = d->mean, .low = d->low, .high = d->high, .other = other, .margin = margin
	};
}

/* Whether a claim is in the block of differences in NLL and BLEU. */
static bool
is_plain(const struct claim *c)
{
	return !(c->section->ratio > 0) &&
	       (measure_of_bleu(c->measure) || !strcmp(c->measure, "test.nll"));
}

static void
set_points(struct forest_row *row, const struct claim *c)
{
	const struct evidence *v = evidence_of(c);

	for (int k = 0; k < FOREST_PANELS; k++)
		for (int j = 0; j < FOREST_POINTS; j++)
			row->at[k][j] = forest_no_point;
	if (!is_plain(c) || v->primary_is_loss)
		row->at[0][0] = point_of(&v->primary, NAN, NAN);
	if (is_plain(c) && measure_of_bleu(c->measure))
		row->at[BLEU][0] = point_of(v->primary_is_loss ? &v->secondary : &v->primary,
					    v->effect, v->shift < 0 ? v->shift : NAN);
}

static const struct group *
group_of(const struct claim *c)
{
	int i = 0;

	while (i < N_GROUPS - 1 && groups[i].v != c->verdict)
		i++;
	return &groups[i];
}

static bool
is_ours(const struct claim *c)
{
	return !strncmp(c->row->label, "Ours", 4);
}

/*
 * Those on NLL and BLEU first, then by verdict, the claims of the papers before our own, otherwise
 * as in the grid.
 */
static int
in_plot_order(const void *a, const void *b)
{
	const struct claim *x = *(const struct claim *const *)a;
	const struct claim *y = *(const struct claim *const *)b;

	if (is_plain(x) != is_plain(y))
		return is_plain(y) - is_plain(x);
	if (group_of(x) != group_of(y))
		return group_of(x) < group_of(y) ? -1 : 1;
	if (is_ours(x) != is_ours(y))
		return is_ours(x) - is_ours(y);
	return x < y ? -1 : x > y;
}

static void
collect(struct claims_plot *p, const struct grid_section *section)
{
	for (size_t i = 0; i < p->all->n; i++) {
		const struct claim *c = &p->all->claim[i];
		const struct evidence *v = evidence_of(c);

		if ((v->primary.n || v->secondary.n) && (section ? c->section == section
								 : !c->first))
			p->claim[p->n++] = c;
	}
	qsort(p->claim, p->n, sizeof(*p->claim), in_plot_order);
}

/* --- blocks --- */

static bool
same_block(const struct claim *a, const struct claim *b)
{
	if (is_plain(a) || is_plain(b))
		return is_plain(a) && is_plain(b);
	return a->section->ratio == b->section->ratio && !strcmp(a->measure, b->measure);
}

/* The panels of the block of a claim, whose texts are added to a pool. */
static void
set_claim_panels(struct forest_block *b, const struct claim *c, struct texts *pool)
{
	const char *unit = !strcmp(c->measure, "test.nll") ? ", nats" : "";

	if (is_plain(c)) {
		b->panel[NLL] = (struct forest_panel) {
			.label = "Test NLL, nats", .zero = "no difference",
			.reversed = true
		};
		b->panel[BLEU] = (struct forest_panel) {
			.label = "BLEU (◇ paper)", .zero = "no difference"
		};
		return;
	}
	if (c->section->ratio > 0)
		b->panel[0] = (struct forest_panel) {
			.label = text_in_pool(pool, xasprintf("%s minus %g × baseline%s",
					      measure_label(c->measure), c->section->ratio, unit)),
			.zero = text_in_pool(pool, xasprintf("%g × baseline", c->section->ratio)),
			.worse = "claim fails", .better = "claim holds"
		};
	else
		b->panel[0] = (struct forest_panel) {
			.label = text_in_pool(pool, xasprintf("Difference: %s",
					      measure_label(c->measure))),
			.zero = "no difference"
		};
	b->panel[0].reversed = evidence_of(c)->primary_is_loss;
}

/* Omits panels in which no row has a value. */
static void
omit_empty(struct forest_block *b)
{
	for (int k = 0; k < FOREST_PANELS; k++) {
		size_t i = 0;

		while (i < b->n_rows && isnan(b->row[i].at[k][0].value))
			i++;
		if (i == b->n_rows)
			b->panel[k].label = NULL;
	}
}

/* "Open (3)", in a narrow plot, whose panels do not have all rows, "Open". */
static const char *
heading_of(struct claims_plot *p, const struct claim *c)
{
	const struct group *group = group_of(c);
	size_t n = 0;

	if (p->narrow)
		return group->heading;
	for (size_t i = 0; i < p->n; i++)
		n += group_of(p->claim[i]) == group && same_block(p->claim[i], c);
	return text_in_pool(&p->texts, xasprintf("%s (%zu)", group->heading, n));
}

/* The block of the claims like claim i. */
static void
add_block(struct claims_plot *p, size_t i)
{
	struct forest_block *b = &p->block[p->n_blocks++];
	struct forest_row *row = xcalloc(p->n, sizeof(*row));
	const struct group *last = NULL;

	*b = (struct forest_block){ .row = row };
	set_claim_panels(b, p->claim[i], &p->texts);
	for (size_t k = i; k < p->n; k++) {
		const struct claim *c = p->claim[k];
		const struct group *group = group_of(c);
		const char *label;

		if (!same_block(c, p->claim[i]))
			continue;
		label = label_of(p, c);
		row[b->n_rows] = (struct forest_row) {
			.heading = group != last ? heading_of(p, c) : NULL, .label = label,
			.note = text_in_pool(&p->texts, note_of(c)), .color = group->color,
			.title = text_in_pool(&p->texts, row_title(c, label)),
			.target = c->section->name
		};
		last = group;
		set_points(&row[b->n_rows++], c);
	}
	omit_empty(b);
}

static void
add_blocks(struct claims_plot *p)
{
	for (size_t i = 0; i < p->n; i++) {
		size_t k = 0;

		while (k < i && !same_block(p->claim[k], p->claim[i]))
			k++;
		if (k == i)
			add_block(p, i);
	}
}

static void
plot_free(struct claims_plot *p)
{
	for (size_t k = 0; k < p->n_blocks; k++)
		free((void *)p->block[k].row);
	texts_release(&p->texts);
	free(p->claim);
	free(p->block);
}

int
claims_forest(const struct outcomes *o, const struct grid_section *section, bool narrow,
	      struct buf *out, struct err *e)
{
	struct claims c;
	const int status = claims_judge(&c, o, e);
	struct claims_plot p = {
		.all = &c, .narrow = narrow, .claim = xcalloc(c.n + 1, sizeof(*p.claim)),
		.block = xcalloc(c.n + 1, sizeof(*p.block))
	};

	if (!status) {
		collect(&p, section);
		add_blocks(&p);
		if (!p.n)
			warn("no claim has runs of both systems, so the forest plot is empty");
		forest_svg(out, &(struct forest) {
			.title = "Claims: mean differences with 95% confidence intervals",
			.none = "No claim has runs of both systems yet.",
			.block = p.block, .n_blocks = p.n_blocks, .narrow = narrow
		});
	}
	plot_free(&p);
	claims_release(&c);
	return status;
}
