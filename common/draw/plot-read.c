/* plot-read: reads a plot from tab-separated values or from streams; see plot.h. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/num.h"
#include "draw/plot-style.h"
#include "draw/plot.h"
#include "stream/cells.h"

/* The largest number in streams: the difference of two, rounded to ticks, is finite. */
#define PLOT_READ_MAX 1e300

enum { PANEL, SERIES, KIND, X, Y, LOW, HIGH, CELLS };

static const char *const head[] = { "panel", "series", "kind", "x", "y", "low", "high" };
static const char *const kinds[] = { "line", "band", "level", "points" };

static int
read_cells(struct input *input, struct str line, struct str cell[CELLS], struct err *e)
{
	struct str more;
	int n = 0;

	while (n < CELLS && cell_next(&line, &cell[n]))
		n++;
	if (n < CELLS || cell_next(&line, &more))
		return input_error(input, e, "%s %d columns, expected %d", n < CELLS ? "found" :
				   "more than", n, (int)CELLS);
	return 0;
}

static int
read_plot_head(struct input *input, struct str line, struct err *e)
{
	struct str cell[CELLS];

	if (read_cells(input, line, cell, e))
		return -1;
	for (int i = 0; i < CELLS; i++)
		if (!str_is(cell[i], head[i]))
			return input_error(input, e, "column %d is '%.*s', expected %s", i + 1,
					   (int)(cell[i].n < 60 ? cell[i].n : 60), cell[i].s,
					   head[i]);
	return 0;
}

static int
read_coordinate(struct input *input, const struct str cell[CELLS], int i, bool required,
		double *x, struct err *e)
{
	struct err why;

	*x = NAN;
	if (!required && str_is(cell[i], "-"))
		return 0;
	if (num_float(cell[i].s, cell[i].n, -1e15, 1e15, x, &why))
		return input_error(input, e, "%s: %s", head[i], why.text);
	return 0;
}

static struct plot_panel *
plot_read_panel_of(struct plot *p, struct str label)
{
	for (size_t i = 0; i < p->n; i++)
		if (str_is(label, p->panel[i].label))
			return &p->panel[i];
	p->panel = mem_grow(p->panel, &p->room, p->n + 1, sizeof(*p->panel));
	p->panel[p->n] = (struct plot_panel){ .label = xstrndup(label.s, label.n) };
	return &p->panel[p->n++];
}

static struct plot_series *
series_of(struct plot_panel *p, struct str name, enum plot_kind kind)
{
	for (size_t i = 0; i < p->n; i++)
		if (str_is(name, p->series[i].name))
			return &p->series[i];
	p->series = mem_grow(p->series, &p->room, p->n + 1, sizeof(*p->series));
	p->series[p->n] = (struct plot_series){ .name = xstrndup(name.s, name.n), .kind = kind };
	return &p->series[p->n++];
}

static int
read_series_kind(struct input *input, struct str cell, int *kind, struct err *e)
{
	for (*kind = PLOT_LINE; *kind <= PLOT_POINTS; ++*kind)
		if (str_is(cell, kinds[*kind]))
			return 0;
	return input_error(input, e, "kind is '%.*s', expected line, band, level or points",
			   (int)(cell.n < 60 ? cell.n : 60), cell.s);
}

static int
read_point(struct plot *p, struct input *input, struct str line, struct err *e)
{
	struct plot_series *s;
	struct str cell[CELLS];
	struct plot_point at;
	int kind;

	if (read_cells(input, line, cell, e) || read_series_kind(input, cell[KIND], &kind, e) ||
	    read_coordinate(input, cell, X, kind != PLOT_LEVEL, &at.x, e) ||
	    read_coordinate(input, cell, Y, true, &at.y, e) ||
	    read_coordinate(input, cell, LOW, kind == PLOT_BAND, &at.low, e) ||
	    read_coordinate(input, cell, HIGH, kind == PLOT_BAND, &at.high, e))
		return -1;
	if (isnan(at.low) != isnan(at.high) || at.low > at.high)
		return input_error(input, e, "expected low <= high, or both missing");
	if (kind >= PLOT_LEVEL && !isnan(at.low))
		return input_error(input, e, "low and high of kind %s, expected - for both",
				   kinds[kind]);
	s = series_of(plot_read_panel_of(p, cell[PANEL]), cell[SERIES], (enum plot_kind)kind);
	if ((int)s->kind != kind)
		return input_error(input, e, "%s is a %s, expected a %s as before", s->name,
				   kinds[kind], kinds[s->kind]);
	s->point = mem_grow(s->point, &s->room, s->n + 1, sizeof(*s->point));
	s->point[s->n++] = at;
	return 0;
}

static bool
has_points(const struct plot *p)
{
	for (size_t i = 0; i < p->n; i++)
		for (size_t k = 0; k < p->panel[i].n; k++)
			if (p->panel[i].series[k].kind != PLOT_LEVEL)
				return true;
	return false;
}

int
plot_read(struct plot *p, struct input *input, struct err *e)
{
	struct str line;
	int more = input_line(input, &line.s, &line.n, e);

	if (more > 0 && read_plot_head(input, line, e))
		return -1;
	while (more > 0 && (more = input_line(input, &line.s, &line.n, e)) > 0)
		if (read_point(p, input, line, e))
			return -1;
	if (more < 0)
		return -1;
	if (p->n && !has_points(p))
		return err_set(e, EXIT_INPUT, "%s: only levels, expected a point of a line, a band "
			       "or points, which the x axis covers", input_name(input));
	if (!p->n)
		return err_set(e, EXIT_INPUT, "%s: no points, expected a line of column names, "
			       "then a line for each point", input_name(input));
	plot_style_number(p);
	return 0;
}

/* --- streams --- */

static struct str
text(const char *s)
{
	return (struct str){ s, strlen(s) };
}

static int
check_field(const struct reader *reader, const char *field, struct err *e)
{
	const char *type = header_type(reader_header(reader), field);

	if (!type)
		return err_set(e, EXIT_INPUT, "%s has no %s", reader_name(reader), field);
	if (strcmp(type, "int") != 0 && strcmp(type, "float") != 0)
		return err_set(e, EXIT_INPUT, "%s: %s is %s, expected int or float",
			       reader_name(reader), field, type);
	return 0;
}

/* The number of a field: 1, 0 if the record does not have it, -1 if it is no number. */
static int
number_of(const struct reader *reader, const struct record *rec, const char *field, double *v,
	  struct err *e)
{
	if (!record_has(rec, field))
		return 0;
	if (record_float(rec, field, v))
		return err_set(e, EXIT_INPUT, "%s: %s is not a number", reader_where(reader),
			       field);
	if (isfinite(*v) && fabs(*v) > PLOT_READ_MAX)
		return err_set(e, EXIT_INPUT, "%s: %s is %g, expected a number from %g to %g",
			       reader_where(reader), field, *v, -PLOT_READ_MAX, PLOT_READ_MAX);
	return isfinite(*v) ? 1 : 0;
}

static int
add_plot_record(struct plot *p, const struct reader *reader, const struct record *rec,
		const char *series, const char *x, const char *y, struct err *e)
{
	struct plot_point at = { .low = NAN, .high = NAN };
	struct plot_series *s = series_of(plot_read_panel_of(p, text(y)), text(series), PLOT_LINE);
	int has = number_of(reader, rec, x, &at.x, e);

	if (has > 0)
		has = number_of(reader, rec, y, &at.y, e);
	if (has <= 0)
		return has;
	s->point = mem_grow(s->point, &s->room, s->n + 1, sizeof(*s->point));
	s->point[s->n++] = at;
	return 0;
}

int
plot_read_fields(struct plot *p, struct reader *reader, const char *series, const char *x,
		 char *const *y, size_t n_y, struct err *e)
{
	struct record *rec;
	int more = check_field(reader, x, e);

	for (size_t i = 0; !more && i < n_y; i++)
		more = check_field(reader, y[i], e);
	if (more)
		return -1;
	while ((more = reader_next(reader, &rec, e)) > 0)
		for (size_t i = 0; i < n_y; i++)
			if (add_plot_record(p, reader, rec, series, x, y[i], e))
				return -1;
	for (size_t i = 0; !more && i < n_y; i++) {
		const struct plot_series *s = series_of(
				plot_read_panel_of(p, text(y[i])), text(series), PLOT_LINE);

		if (!s->n)
			return err_set(e, EXIT_INPUT, "%s: no record with %s and %s, expected at "
				       "least one", reader_name(reader), x, y[i]);
	}
	plot_style_number(p);
	return more;
}

int
plot_use_log(struct plot *p, struct err *e)
{
	for (size_t i = 0; i < p->n; i++)
		for (size_t k = 0; k < p->panel[i].n; k++) {
			const struct plot_series *s = &p->panel[i].series[k];

			for (size_t j = 0; s->kind != PLOT_LEVEL && j < s->n; j++)
				if (s->point[j].x <= 0)
					return err_set(e, EXIT_INPUT, "%s has x = %g, expected "
						       "x > 0 on a logarithmic axis", s->name,
						       s->point[j].x);
		}
	p->log_x = true;
	return 0;
}

/* --- panels --- */

static void
release_panel(struct plot_panel *panel)
{
	for (size_t k = 0; k < panel->n; k++) {
		free(panel->series[k].name);
		free(panel->series[k].point);
	}
	free(panel->series);
	free(panel->label);
}

/* Whether a list, separated by commas, has the label. */
static bool
has_label(const char *labels, const char *label)
{
	const size_t n = strlen(label);

	for (const char *s = labels; s; s = strchr(s, ',')) {
		s += *s == ',';
		if (!strncmp(s, label, n) && (!s[n] || s[n] == ','))
			return true;
	}
	return false;
}

static size_t
commas_in(const char *s)
{
	size_t n = 0;

	for (; (s = strchr(s, ',')); s++)
		n++;
	return n;
}

int
plot_select(struct plot *p, const char *labels, struct err *e)
{
	size_t kept = 0, listed = 1 + commas_in(labels);
	bool whole = false;

	for (size_t i = 0; i < p->n; i++)
		whole |= !strcmp(labels, p->panel[i].label);
	for (size_t i = 0; i < p->n; i++) {
		const char *label = p->panel[i].label;

		if (whole ? !strcmp(labels, label) : has_label(labels, label)) {
			listed -= commas_in(label);
			p->panel[kept++] = p->panel[i];
		} else {
			release_panel(&p->panel[i]);
		}
	}
	p->n = kept;
	if (kept == listed)
		return 0;
	return err_usage(e, "'%s' has %zu labels, expected labels of panels; %zu are", labels,
			 listed, kept);
}

void
plot_release(struct plot *p)
{
	for (size_t i = 0; i < p->n; i++)
		release_panel(&p->panel[i]);
	free(p->panel);
}
