/* panel-read: reads a panel from tab-separated values; see panel.h. */
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/num.h"
#include "draw/panel.h"
#include "stream/cells.h"

static void
panel_read_read_head(struct str line, struct axis *columns, char **title)
{
	struct str cell = { "", 0 };

	cell_next(&line, &cell);
	*title = xstrndup(cell.s, cell.n);
	while (cell_next(&line, &cell))
		axis_add(columns, cell.s, cell.n);
}

/* Removes the mark from the end of a cell and returns it, or 0. */
static char
take_mark(struct str *cell)
{
	const char *end = cell->s + cell->n;

	if (cell->n < 3 || end[-2] != ' ' || !isalpha((unsigned char)end[-1]))
		return 0;
	cell->n -= 2;
	return end[-1];
}

static int
read_number(struct str cell, float *x, char *mark, struct err *e)
{
	const bool none = !cell.n || (cell.n == 1 && *cell.s == '-');
	double v = NAN;

	*mark = take_mark(&cell);

	if (!none && num_float(cell.s, cell.n, -1e30, 1e30, &v, e))
		return -1;
	*x = (float)v;
	return 0;
}

/* Reads a line of values into x and mark, which have room for the columns. */
static int
panel_read_read_line(struct input *input, struct str line, const struct axis *columns,
		     struct axis *rows, float *x, char *mark, struct err *e)
{
	struct str cell = { "", 0 };
	struct err why;
	int n = 0;

	cell_next(&line, &cell);
	axis_add(rows, cell.s, cell.n);
	for (; cell_next(&line, &cell); n++)
		if (n < columns->n && read_number(cell, x + n, mark + n, &why))
			return input_error(input, e, "column %d: %s", n + 2, why.text);
	if (n != columns->n)
		return input_error(input, e, "%d values, expected %d as in the first line", n,
				   columns->n);
	return 0;
}

static int
read_body(struct panel *m, struct axis *rows, const struct axis *columns, struct input *input,
	  struct err *e)
{
	const size_t width = (size_t)columns->n;
	struct str line;
	size_t room = 0, mark_room = 0;
	int more;

	m->x = mem_grow(m->x, &room, 1, sizeof(*m->x));
	m->mark = mem_grow(m->mark, &mark_room, 1, sizeof(*m->mark));
	while ((more = input_line(input, &line.s, &line.n, e)) > 0) {
		const size_t at = (size_t)rows->n * width;

		m->x = mem_grow(m->x, &room, at + width, sizeof(*m->x));
		m->mark = mem_grow(m->mark, &mark_room, at + width, sizeof(*m->mark));
		if (panel_read_read_line(input, line, columns, rows, m->x + at, m->mark + at, e))
			return -1;
	}
	return more;
}

int
panel_read(struct panel *m, struct axis *rows, struct axis *columns, struct input *input,
	    struct err *e)
{
	struct str line;
	int more;

	input_unit(input, "table");
	more = input_line(input, &line.s, &line.n, e);
	*m = (struct panel){ .rows = rows, .columns = columns };
	if (more < 0)
		return -1;
	if (more)
		panel_read_read_head(line, columns, &m->title);
	if (more && read_body(m, rows, columns, input, e))
		return -1;
	if (!rows->n || !columns->n)
		return err_set(e, EXIT_INPUT,
			       "%s: no values, expected a line of column labels, then rows",
			       input_name(input));
	return 0;
}
