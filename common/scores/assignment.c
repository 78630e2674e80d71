/* assignment: see assignment.h. */
#include "scores/assignment.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

#include "base/mem.h"

/* A search with at most as many rows as columns. */
struct search {
	int rows, columns;
	const double *cost;		/* of (i, j) at i * row_step + j * column_step */
	ptrdiff_t row_step, column_step;
	int *row_of;			/* [columns] or -1 */
	double *row_potential, *column_potential;
	/* Of the path for a row: */
	double *length;			/* [columns] of the shortest path to the column */
	int *before;			/* [columns] the column before it, or -1 */
	bool *reached;			/* [columns] the length is final */
};

/* Shortens the paths by that through row i, which ends at `column` so far. */
static void
extend(struct search *s, int i, int column, double length)
{
	const double *cost = s->cost + i * s->row_step;

	for (int j = 0; j < s->columns; j++) {
		const double sum = length + cost[j * s->column_step] -
				   s->row_potential[i] - s->column_potential[j];

		if (s->reached[j] || !(sum < s->length[j]))
			continue;
		s->length[j] = sum;
		s->before[j] = column;
	}
}

/* The column with the shortest path among those that have not been reached. */
static int
nearest_column(const struct search *s)
{
	int best = -1;

	for (int j = 0; j < s->columns; j++)
		if (!s->reached[j] && (best < 0 || s->length[j] < s->length[best]))
			best = j;
	return best;
}

/* The last column of the shortest path from a row to a free column. */
static int
find_path(struct search *s, int row)
{
	int last = -1;
	double length = 0;

	for (int j = 0; j < s->columns; j++) {
		s->length[j] = INFINITY;
		s->reached[j] = false;
	}
	for (int i = row; i >= 0; i = s->row_of[last]) {
		extend(s, i, last, length);
		last = nearest_column(s);
		s->reached[last] = true;
		length = s->length[last];
	}
	return last;
}

static void
assign_row(struct search *s, int row)
{
	const int last = find_path(s, row);
	const double length = s->length[last];

	s->row_potential[row] += length;
	for (int j = 0; j < s->columns; j++) {
		if (!s->reached[j] || j == last)
			continue;
		s->row_potential[s->row_of[j]] += length - s->length[j];
		s->column_potential[j] -= length - s->length[j];
	}
	for (int j = last; j >= 0; j = s->before[j])
		s->row_of[j] = s->before[j] < 0 ? row : s->row_of[s->before[j]];
}

void
assignment_find(int rows, int columns, const double *cost, int *column)
{
	const bool wide = rows <= columns;
	struct search s = { .rows = wide ? rows : columns, .columns = wide ? columns : rows,
			    .cost = cost, .row_step = wide ? columns : 1,
			    .column_step = wide ? 1 : columns };

	s.row_of = xcalloc((size_t)s.columns + 1, sizeof(*s.row_of));
	s.row_potential = xcalloc((size_t)s.rows + 1, sizeof(*s.row_potential));
	s.column_potential = xcalloc((size_t)s.columns + 1, sizeof(*s.column_potential));
	s.length = xcalloc((size_t)s.columns + 1, sizeof(*s.length));
	s.before = xcalloc((size_t)s.columns + 1, sizeof(*s.before));
	s.reached = xcalloc((size_t)s.columns + 1, sizeof(*s.reached));
	for (int j = 0; j < s.columns; j++)
		s.row_of[j] = -1;
	for (int i = 0; i < s.rows; i++)
		assign_row(&s, i);
	for (int i = 0; i < rows; i++)
		column[i] = wide ? -1 : s.row_of[i];
	for (int j = 0; wide && j < columns; j++)
		if (s.row_of[j] >= 0)
			column[s.row_of[j]] = j;
	free(s.row_of);
	free(s.row_potential);
	free(s.column_potential);
	free(s.length);
	free(s.before);
	free(s.reached);
}
