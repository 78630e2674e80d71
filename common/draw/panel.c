/* panel: see panel.h. */
#include "draw/panel.h"

#include <ctype.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/escape.h"
#include "base/mem.h"
#include "base/num.h"
#include "base/utf8.h"
#include "bpe/subwords.h"
#include "stream/cells.h"

/* Labels must be UTF-8, but a stream may have anything: invalid bytes become U+FFFD. */
static const char *
add_repaired(struct axis *a, const char *text, size_t n)
{
	const char *label;
	struct buf out = { 0 };

	escape_repair(&out, text, n);
	label = texts_add(&a->texts, out.data, out.n);
	buf_release(&out);
	return label;
}

void
axis_add(struct axis *a, const char *text, size_t n)
{
	a->label = mem_grow(a->label, &a->room, (size_t)a->n + 1, sizeof(*a->label));
	a->label[a->n++] = utf8_check(text, n) == n ? texts_add(&a->texts, text, n)
						    : add_repaired(a, text, n);
}

void
axis_release(struct axis *a)
{
	free(a->label);
	texts_release(&a->texts);
	memset(a, 0, sizeof(*a));
}

void
panel_init(struct panel *m, const struct axis *rows, const struct axis *columns)
{
	*m = (struct panel){
		.rows = rows, .columns = columns,
		.x = xcalloc((size_t)rows->n * (size_t)columns->n + 1, sizeof(*m->x)),
	};
}

void
panel_release(struct panel *m)
{
	free(m->x);
	free(m->mark);
	free(m->rank);
	free(m->title);
	memset(m, 0, sizeof(*m));
}

float *
panel_row(const struct panel *m, int i)
{
	return m->x + (size_t)i * (size_t)m->columns->n;
}

/* The length of a subword without BPE_SEPARATOR at its end; one that is only this is a word. */
static size_t
length_inside(const char *piece)
{
	const size_t n = strlen(piece), end = strlen(BPE_SEPARATOR);

	return n > end && subword_continues(piece, n) ? n - end : n;
}

static bool
begins_with_mark(const char *piece)
{
	return subword_begins_with_mark(piece, strlen(piece));
}

/* The end token and others in angle brackets, but not the bytes of SentencePiece, as <0x0A>. */
static bool
is_special(const char *piece)
{
	const size_t n = strlen(piece);

	return n > 2 && piece[0] == '<' && piece[n - 1] == '>' && strncmp(piece, "<0x", 3) != 0;
}

static bool
is_marked(const struct axis *pieces)
{
	for (int i = 0; i < pieces->n; i++)
		if (begins_with_mark(pieces->label[i]))
			return true;
	return false;
}

int *
axis_word(const struct axis *pieces)
{
	int *word = xcalloc((size_t)pieces->n + 1, sizeof(*word));
	const bool marked = is_marked(pieces);

	for (int i = 1; i < pieces->n; i++) {
		const char *before = pieces->label[i - 1], *piece = pieces->label[i];

		word[i] = word[i - 1] +
			  (marked ? begins_with_mark(piece) || is_special(piece) ||
					    is_special(before)
				  : length_inside(before) == strlen(before));
	}
	return word;
}

void
axis_words(const struct axis *pieces, const int *word, struct axis *words)
{
	const bool marked = is_marked(pieces);
	struct buf text = { 0 };

	for (int i = 0; i < pieces->n; i++) {
		const bool last = i + 1 == pieces->n || word[i + 1] != word[i];
		const char *piece = pieces->label[i];

		if (begins_with_mark(piece) && (!last || piece[strlen(SUBWORD_MARK)]))
			piece += strlen(SUBWORD_MARK);
		buf_add(&text, piece, last || marked ? strlen(piece) : length_inside(piece));
		if (!last)
			continue;
		axis_add(words, text.n ? text.data : "", text.n);
		buf_clear(&text);
	}
	buf_release(&text);
}

/* The number of subwords of each word. */
static int *
panel_count_pieces(const int *word, int n, int n_words)
{
	int *count = xcalloc((size_t)n_words + 1, sizeof(*count));

	for (int i = 0; i < n; i++)
		count[word[i]]++;
	return count;
}

void
panel_words(const struct panel *m, const int *row_word, const int *column_word,
	     struct panel *words)
{
	int *n_pieces = row_word ? panel_count_pieces(row_word, m->rows->n, words->rows->n) : NULL;

	for (int i = 0; i < m->rows->n; i++) {
		const int row = row_word ? row_word[i] : i;
		const float share = n_pieces ? 1 / (float)n_pieces[row] : 1;
		const float *from = panel_row(m, i);
		float *sum = panel_row(words, row);

		for (int j = 0; j < m->columns->n; j++)
			sum[column_word ? column_word[j] : j] += share * from[j];
	}
	free(n_pieces);
}

/* --- reading --- */

static void
read_column_labels(struct str line, struct axis *columns, char **title)
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
read_panel_row(struct input *input, struct str line, const struct axis *columns,
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
		if (read_panel_row(input, line, columns, rows, m->x + at, m->mark + at, e))
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
		read_column_labels(line, columns, &m->title);
	if (more && read_body(m, rows, columns, input, e))
		return -1;
	if (!rows->n || !columns->n)
		return err_set(e, EXIT_INPUT,
			       "%s: no values, expected a line of column labels, then rows",
			       input_name(input));
	return 0;
}

/* --- writing --- */

/* Tabs and line ends of a label are replaced, because they would break the table. */
static void
add_label(struct buf *out, const char *text)
{
	for (; *text; text++)
		buf_add_char(out, strchr("\t\n\r", *text) ? ' ' : *text);
	buf_add_char(out, '\t');
}

static void
write_row(const struct panel *m, int i, struct buf *out)
{
	for (int j = 0; j < m->columns->n; j++) {
		add_label(out, m->title ? m->title : "");
		buf_printf(out, "%d\t%d\t", i + 1, j + 1);
		add_label(out, m->rows->label[i]);
		add_label(out, m->columns->label[j]);
		if (isnan(panel_row(m, i)[j]))
			buf_add_str(out, "-\n");
		else
			buf_printf(out, "%.7g\n", (double)panel_row(m, i)[j]);
	}
}

void
panels_write(const struct panel *m, int n, struct buf *out)
{
	buf_add_str(out, "panel\trow\tcolumn\tfrom\tto\tweight\n");
	for (int k = 0; k < n; k++)
		for (int i = 0; i < m[k].rows->n; i++)
			write_row(&m[k], i, out);
}
