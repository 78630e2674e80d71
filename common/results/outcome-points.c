/* outcome-points: see outcome-points.h. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "results/outcome-points.h"
#include "stream/cells.h"

/* A point of a series, or a horizontal line. */
struct mark {
	size_t series, number;		/* index of the first row of the series; order of points */
	struct str name;
	bool theirs;			/* the paper reports it */
	double x, y, low, high;		/* NAN: none; without x, a horizontal line */
};

struct points {
	const struct outcomes *o;
	const struct points_over *over;
	const char *measure;		/* of the y axis */
	struct mark *mark;		/* [n] */
	size_t n, room;
	struct str base;	/* the series from which the others differ; s: or NULL */
	double first, last;		/* lowest and highest number in a label, or NAN */
	bool placed;			/* is there a value of a row with a number in its label? */
};

struct points_over
points_over(const char *text)
{
	static const char corpus[] = "corpus:";

	if (!strcmp(text, "pairs"))
		return (struct points_over){ .axis = POINTS_PAIRS };
	if (!strcmp(text, "label"))
		return (struct points_over){ .axis = POINTS_LABEL };
	if (!strcmp(text, "corpus"))
		return (struct points_over){ .axis = POINTS_CORPUS };
	if (!strncmp(text, corpus, strlen(corpus)))
		return (struct points_over){ POINTS_CORPUS, text + strlen(corpus) };
	return (struct points_over){ POINTS_MEASURE, text };
}

/* The number at the end of CORPUS in CORPUS.PAIR, such as 30 in "words+marks30.en-de". */
static double
number_of_corpus(const char *column)
{
	const char *pair, *s;
	int64_t size;
	size_t n;

	grid_split_column(column, &pair, &n, &size);
	s = pair > column ? pair - 1 : column;
	while (s > column && strchr("0123456789.", s[-1]))
		s--;
	return s + 1 < pair ? strtod(s, NULL) : NAN;
}

double
points_corpus(const struct outcomes *o, const char *column, const struct points_over *over)
{
	double sum = 0, n = 0;

	if (!over->measure)
		return number_of_corpus(column);
	for (size_t i = 0; i < o->n_runs; i++) {
		const double v = facts_number(&o->run[i], over->measure);

		if (!strcmp(o->run[i].column, column) && !isnan(v)) {
			sum += v;
			n++;
		}
	}
	return n > 0 ? sum / n : NAN;
}

/* --- series --- */

/* The number after " = " in a label; NAN without one, or if it is too large. */
static double
number_in_label(const char *label)
{
	const char *is = strstr(label, " = ");
	char *end = NULL;
	const double x = is ? strtod(is + strlen(" = "), &end) : NAN;

	return is && end > is + strlen(" = ") && isfinite(x) ? x : NAN;
}

static struct str
name_of(const struct points *p, const char *label)
{
	const bool measured = p->over->axis == POINTS_MEASURE;
	const char *after = measured ? strstr(label, ": ") : NULL, *end = NULL;

	if (after)
		return (struct str){ after + 2, strlen(after + 2) };
	if (measured)
		end = strstr(label, ", ");
	else if (p->over->axis != POINTS_CORPUS && !isnan(number_in_label(label)))
		end = strstr(label, " = ");
	return (struct str){ label, end ? (size_t)(end - label) : strlen(label) };
}

/* The index of the first row of a series. */
static size_t
first_row_of(const struct points *p, struct str name)
{
	const struct grid_row *row = p->o->section->row, *first = row;

	while (!str_same(name_of(p, row->label), name))
		row++;
	return (size_t)(row - first);
}

/*
 * Adds a point to the series of its name, unless it has no value or no place; one of the paper once
 * for all of our columns.
 */
static void
add_mark(struct points *p, struct mark m)
{
	if (isnan(m.y) || (isnan(m.x) && p->over->axis != POINTS_LABEL))
		return;
	m.number = p->n;
	m.series = first_row_of(p, m.name);
	for (size_t i = 0; i < p->n && m.theirs; i++) {
		const struct mark *other = &p->mark[i];

		if (other->theirs && other->series == m.series && other->y == m.y &&
		    (other->x == m.x || isnan(m.x)))
			return;
	}
	p->mark = mem_grow(p->mark, &p->room, p->n + 1, sizeof(*p->mark));
	p->mark[p->n++] = m;
}

/* --- rows --- */

/* BLEU of a row, ours and that of the paper. */
static void
add_scores(struct points *p, const struct grid_row *row, const struct our_column *ours)
{
	const int column = outcome_paper_column(p->o->section, p->measure, ours);
	const struct outcome v = outcome_of(p->o, row, NULL, ours, p->measure, column);
	const bool labels = p->over->axis == POINTS_LABEL;
	struct mark m = { .name = name_of(p, row->label), .low = NAN, .high = NAN };

	m.x = labels ? number_in_label(row->label) : ours->pairs;
	m.y = v.mean;
	if (v.deviation > 0) {
		m.low = v.mean - v.deviation;
		m.high = v.mean + v.deviation;
	}
	p->placed |= !isnan(m.x) && (!isnan(v.mean) || !isnan(v.paper));
	add_mark(p, m);
	if (!labels)
		m.x = column >= 0 && p->o->section->column[column].size
		    ? (double)p->o->section->column[column].size : NAN;
	m.y = v.paper;
	m.low = m.high = NAN;
	m.theirs = true;
	add_mark(p, m);
}

/* Differences in BLEU, over a measure of the row. */
static void
points_add_differences(struct points *p, const struct grid_row *row, const struct our_column *ours)
{
	const struct grid_section *s = p->o->section;
	const char *base = row->n_bases ? row->base[0] : NULL;
	const struct outcome v = outcome_of(p->o, row, base, ours, p->measure,
					    outcome_paper_column(s, p->measure, ours));
	const struct outcome x = outcome_of(p->o, row, NULL, ours, p->over->measure,
					    outcome_paper_column(s, p->over->measure, ours));
	struct mark m = { .name = name_of(p, row->label), .x = x.mean, .y = v.difference.mean,
			  .low = v.difference.low, .high = v.difference.high };

	if (!base && v.runs)
		p->base = m.name;
	add_mark(p, m);
	m = (struct mark){ .name = m.name, .theirs = true, .x = x.paper, .y = v.paper_difference,
			   .low = NAN, .high = NAN };
	add_mark(p, m);
}

/* Gains in NLL, over a property of the corpus. */
static void
add_gains(struct points *p, const struct grid_row *row, const struct our_column *ours)
{
	const char *base = row->n_bases ? row->base[0] : NULL;
	const struct outcome v = outcome_of(p->o, row, base, ours, p->measure, -1);
	const struct mark m = {
		.name = name_of(p, row->label), .x = points_corpus(p->o, ours->name, p->over),
		.y = 0 - v.difference.mean, .low = 0 - v.difference.high,
		.high = 0 - v.difference.low
	};

	if (!base && v.runs)
		p->base = m.name;
	add_mark(p, m);
}

static void
points_add_rows(struct points *p)
{
	static void (*const add[])(struct points *, const struct grid_row *,
				   const struct our_column *) = {
		[POINTS_PAIRS] = add_scores, [POINTS_LABEL] = add_scores,
		[POINTS_MEASURE] = points_add_differences, [POINTS_CORPUS] = add_gains,
	};
	const struct grid_section *s = p->o->section;

	for (size_t k = 0; k < p->o->n_columns; k++)
		for (size_t i = 0; i < s->n_rows; i++)
			add[p->over->axis](p, &s->row[i], &p->o->column[k]);
	for (size_t i = 0; i < s->n_rows; i++) {
		p->first = fmin(p->first, number_in_label(s->row[i].label));
		p->last = fmax(p->last, number_in_label(s->row[i].label));
	}
}

/* --- output --- */

/* Series in their order, ours before that of the paper; differences and gains by x. */
static int
compare_marks(const void *a, const void *b)
{
	const struct mark *x = a, *y = b;

	if (x->series != y->series)
		return x->series < y->series ? -1 : 1;
	if (x->theirs != y->theirs)
		return x->theirs - y->theirs;
	return x->number < y->number ? -1 : x->number > y->number;
}

static int
compare_places(const void *a, const void *b)
{
	const struct mark *x = a, *y = b;

	if (x->series != y->series || x->theirs != y->theirs || !(x->x < y->x || x->x > y->x))
		return compare_marks(a, b);
	return x->x < y->x ? -1 : 1;
}

static void
points_put_cell(const char *measure, double v, struct buf *out)
{
	buf_add_char(out, '\t');
	if (isnan(v))
		buf_add_char(out, '-');
	else
		cell_value(out, measure, v);
}

/* Fixed decimals would merge near values of x. */
static void
points_put_x(const char *measure, double x, struct buf *out)
{
	buf_add_char(out, '\t');
	if (isnan(x))
		buf_add_char(out, '-');
	else if (measure)
		cell_plain(out, measure, x);
	else
		buf_printf(out, "%.10g", x);
}

static void
put_mark(const struct points *p, const struct mark *m, const char *kind, double x, struct buf *out)
{
	const bool scores = p->over->axis == POINTS_PAIRS || p->over->axis == POINTS_LABEL;

	buf_printf(out, "%s\t%.*s%s\t%s",
		   p->over->axis == POINTS_CORPUS ? "gain in NLL, nats"
		   : scores ? "BLEU" : "BLEU difference",
		   (int)m->name.n, m->name.s, m->theirs ? ", paper" : "", kind);
	points_put_x(p->over->measure, x, out);
	points_put_cell(p->measure, m->y, out);
	points_put_cell(p->measure, m->low, out);
	points_put_cell(p->measure, m->high, out);
	buf_add_char(out, '\n');
}

/*
 * A row without a number in its label.  A plot without other points needs an x axis, which the
 * labels of other rows have.
 */
static void
put_level(const struct points *p, const struct mark *m, struct buf *out)
{
	struct mark level = *m;

	level.low = level.high = NAN;
	if (p->placed || isnan(p->first)) {
		put_mark(p, &level, "level", NAN, out);
	} else {
		put_mark(p, &level, "line", p->first, out);
		put_mark(p, &level, "line", p->last, out);
	}
}

/* Differences that a paper reports are drawn only next to ours. */
static bool
points_is_shown(const struct points *p, const struct mark *m)
{
	bool ours = !m->theirs || p->over->axis != POINTS_MEASURE;

	for (size_t i = 0; i < p->n && !ours; i++)
		ours = p->mark[i].series == m->series && !p->mark[i].theirs;
	return ours;
}

static void
points_put(const struct points *p, const struct mark *m, struct buf *out)
{
	if (!points_is_shown(p, m))
		return;
	if (isnan(m->x))
		put_level(p, m, out);
	else
		put_mark(p, m, m->theirs ? "points" : "line", m->x, out);
}

void
outcome_points(const struct outcomes *o, const struct points_over *over, struct buf *out)
{
	struct points p = { .o = o, .over = over, .first = NAN, .last = NAN };
	const bool sorted = over->axis == POINTS_MEASURE || over->axis == POINTS_CORPUS;
	struct mark zero = { .low = NAN, .high = NAN };

	p.measure = over->axis == POINTS_CORPUS ? "test.nll" : "bleu";
	points_add_rows(&p);
	if (p.n)
		qsort(p.mark, p.n, sizeof(*p.mark), sorted ? compare_places : compare_marks);
	zero.name = p.base;
	buf_add_str(out, "panel\tseries\tkind\tx\ty\tlow\thigh\n");
	for (size_t i = 0; i < p.n; i++)
		points_put(&p, &p.mark[i], out);
	if (p.base.s)
		put_mark(&p, &zero, "level", NAN, out);
	free(p.mark);
}
