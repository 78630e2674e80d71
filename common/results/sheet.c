/* sheet: see sheet.h. */
#include "results/sheet.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/mem.h"
#include "stream/cells.h"

static struct sheet_row *
sheet_add_row(struct sheet *s)
{
	s->row = mem_grow(s->row, &s->room, s->n + 1, sizeof(*s->row));
	s->row[s->n] = (struct sheet_row){ .n = 0 };
	return &s->row[s->n++];
}

static void
sheet_add_cell(struct sheet *s, struct sheet_row *r, size_t *room, const char *text, size_t n)
{
	r->cell = mem_grow(r->cell, room, r->n + 1, sizeof(*r->cell));
	r->cell[r->n++] = texts_add(&s->texts, text, n);
}

static void
read_tabs(struct sheet *s, const char *line, size_t n)
{
	struct sheet_row *r = sheet_add_row(s);
	struct str rest = { line, n }, cell;
	size_t room = 0;

	while (cell_next(&rest, &cell))
		sheet_add_cell(s, r, &room, cell.s, cell.n);
}

static void
add_trimmed(struct sheet *s, struct sheet_row *r, size_t *room, const struct buf *cell)
{
	const char *text = cell->n ? cell->data : "";
	size_t n = cell->n;

	for (; n && text[n - 1] == ' '; n--)
		;
	for (; n && *text == ' '; n--)
		text++;
	sheet_add_cell(s, r, room, text, n);
}

/* "| a | b |": a cell after each bar except the last; a row has at least one cell. */
static void
read_bars(struct sheet *s, const char *line, size_t n)
{
	struct sheet_row *r = sheet_add_row(s);
	struct buf cell = { 0 };
	size_t room = 0;

	for (size_t i = 1; i < n; i++)
		if (line[i] == '|') {
			add_trimmed(s, r, &room, &cell);
			buf_clear(&cell);
		} else {
			i += line[i] == '\\' && i + 1 < n &&
				(line[i + 1] == '|' || line[i + 1] == '\\');
			buf_add_char(&cell, line[i]);
		}
	if (!r->n || (cell.n && strspn(cell.data, " ") < cell.n))
		add_trimmed(s, r, &room, &cell);
	buf_release(&cell);
}

/* The line below the names: bars, hyphens, colons and blanks only. */
static bool
is_rule(const char *line, size_t n)
{
	return n > 1 && line[0] == '|' && strspn(line, "|-: ") == n && memchr(line, '-', n);
}

bool
sheet_is_bold(const char *line, size_t n)
{
	return n > 4 && !memcmp(line, "**", 2) && !memcmp(line + n - 2, "**", 2);
}

int
sheet_line(struct sheet *s, struct input *input, const char *line, size_t n, struct err *e)
{
	const struct sheet_row *r;

	if (!n || (s->n == 1 && is_rule(line, n)))
		return 0;
	if (!s->n && sheet_is_bold(line, n)) {
		s->title = texts_add(&s->texts, line + 2, n - 4);
		return 0;
	}
	if (s->n && s->bars && n > 2 && !memcmp(line, "> ", 2)) {
		s->note = xreallocarray(s->note, s->n_notes + 1, sizeof(*s->note));
		s->note[s->n_notes++] = texts_add(&s->texts, line + 2, n - 2);
		return 0;
	}
	s->bars = line[0] == '|';
	if (s->bars)
		read_bars(s, line, n);
	else
		read_tabs(s, line, n);
	r = &s->row[s->n - 1];
	if (r->n > s->row->n || (r->n < s->row->n && !s->bars))
		return input_error(input, e, "%zu cells, expected %zu as in the first line", r->n,
				   s->row->n);
	return 0;
}

int
sheet_read(struct sheet *s, struct input *input, struct err *e)
{
	const char *line;
	int more = 1;
	size_t n;

	*s = (struct sheet){ .n = 0 };
	input_unit(input, "table");
	while (more > 0) {
		more = input_line(input, &line, &n, e);
		if (more > 0 && sheet_line(s, input, line, n, e))
			more = -1;
	}
	if (!more && !s->n)
		more = err_set(e, EXIT_INPUT,
			       "%s: empty file, expected a line with the names of columns",
			       input_name(input));
	if (more)
		sheet_release(s);
	return more;
}

int
sheet_open(struct sheet *s, const char *path, struct err *e)
{
	struct input *in = input_open(path, INPUT_UTF8, e);
	const int r = in ? sheet_read(s, in, e) : -1;

	input_close(in);
	return r;
}

void
sheet_release(struct sheet *s)
{
	for (size_t i = 0; i < s->n; i++)
		free(s->row[i].cell);
	free(s->row);
	free(s->note);
	texts_release(&s->texts);
	*s = (struct sheet){ .n = 0 };
}

const char *
sheet_cell(const struct sheet *s, size_t row, size_t column)
{
	return column < s->row[row].n ? s->row[row].cell[column] : "";
}

size_t
sheet_columns(const struct sheet *s)
{
	return s->row->n;
}

size_t
sheet_column(const struct sheet *s, const char *name)
{
	for (size_t i = 0; i < s->row->n; i++)
		if (!strcmp(s->row->cell[i], name))
			return i;
	return SIZE_MAX;
}
