/* pack-table: tab-separated values; see pack.h. */
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "exchange/pack.h"
#include "stream/cells.h"
#include "stream/text-field.h"

enum { MAX_COLUMN = 100000 };

struct table {
	struct pack *p;
	struct pack_lines lines;
	bool names;			/* the first line has the names of the columns */
	int *pair;			/* of each column: index into the map, or -1 */
	size_t n;			/* columns; without names: the largest number used */
	size_t room;
	struct buf cell, raw;		/* a cell without quotes; without escapes */
	struct writer *w;
	struct record *rec;
};

/* --- cells --- */

/* A cell of RFC 4180: moves rest after the closing quotation mark and the tab. */
static int
quoted_cell(struct table *t, struct str *rest, struct str *cell, struct err *e)
{
	const char *s = rest->s + 1, *end = rest->s + rest->n, *quote;

	buf_clear(&t->cell);
	for (;;) {
		quote = memchr(s, '"', (size_t)(end - s));
		if (!quote)
			return input_error(t->lines.in, e, "a cell that begins with '\"' has no "
					   "second '\"' in its line");
		buf_add(&t->cell, s, (size_t)(quote - s));
		s = quote + 1;
		if (s == end || *s != '"')
			break;
		buf_add_char(&t->cell, '"');
		s++;
	}
	if (s < end && *s != '\t')
		return input_error(t->lines.in, e, "'%c' after the second '\"' of a cell, expected "
				   "a tab", *s);
	*rest = s < end ? (struct str){ s + 1, (size_t)(end - s - 1) } : (struct str){ NULL, 0 };
	*cell = (struct str){ t->cell.n ? t->cell.data : "", t->cell.n };
	return 0;
}

static int
pack_table_unescape(struct table *t, struct str *cell, struct err *e)
{
	static const char from[] = "tnr\\", to[] = "\t\n\r\\";
	const char *s = cell->s, *end = s + cell->n;

	if (!memchr(s, '\\', cell->n))
		return 0;
	buf_clear(&t->raw);
	for (; s < end; s++) {
		const char *at = NULL;

		if (*s != '\\') {
			buf_add_char(&t->raw, *s);
			continue;
		}
		s++;
		if (s < end && *s)
			at = strchr(from, *s);
		if (!at)
			return input_error(t->lines.in, e, "a single '\\', expected \\t, \\n, \\r "
					   "or \\\\");
		buf_add_char(&t->raw, to[at - from]);
	}
	*cell = (struct str){ t->raw.data, t->raw.n };
	return 0;
}

/* Does the cell look like one of RFC 4180: "a ""b"" c"? */
static bool
seems_quoted(const struct str *c)
{
	if (c->n < 4 || c->s[0] != '"' || c->s[c->n - 1] != '"')
		return false;
	for (size_t i = 1; i + 2 < c->n; i++)
		if (c->s[i] == '"' && c->s[i + 1] == '"')
			return true;
	return false;
}

/* The next cell of the line, valid until the next call: 1, 0 at the end, -1 on error. */
static int
next_cell(struct table *t, struct str *rest, struct str *cell, struct err *e)
{
	if (t->p->quoted && rest->s && rest->n && *rest->s == '"') {
		if (quoted_cell(t, rest, cell, e))
			return -1;
	} else if (!cell_next(rest, cell)) {
		return 0;
	} else if (!t->p->quoted && seems_quoted(cell)) {
		t->p->n_quoted++;
	}
	return t->p->escape && pack_table_unescape(t, cell, e) ? -1 : 1;
}

/* --- columns --- */

static void
add_column(struct table *t, int pair)
{
	t->pair = mem_grow(t->pair, &t->room, t->n + 1, sizeof(*t->pair));
	t->pair[t->n++] = pair;
}

static bool
pack_table_is_number(const char *s)
{
	return *s && !s[strspn(s, "0123456789")];
}

static bool
all_numbers(const struct name_map *m)
{
	for (size_t i = 0; i < m->n; i++)
		if (!pack_table_is_number(m->pair[i].key))
			return false;
	return m->n > 0;
}

/* The columns of a table without names. */
static int
number_columns(struct table *t, struct err *e)
{
	for (size_t i = 0; i < t->p->map.n; i++) {
		const char *key = t->p->map.pair[i].key;
		const long column = strlen(key) < 9 ? atol(key) : LONG_MAX;

		if (column < 1 || column > MAX_COLUMN)
			return err_set(e, EXIT_USAGE, "--map: column %s, expected 1 to %d", key,
				       MAX_COLUMN);
		while (t->n < (size_t)column)
			add_column(t, -1);
		if (t->pair[column - 1] >= 0)
			return err_set(e, EXIT_USAGE, "--map: column %ld is given twice", column);
		t->pair[column - 1] = (int)i;
	}
	return 0;
}

/* A column of the first line, with an empty map: it becomes a field of this name. */
static int
pack_table_add_named(struct table *t, struct str name, struct err *e)
{
	struct name_map *m = &t->p->map;

	name_map_field(m, name.s, name.n, name.s, name.n);
	for (size_t i = 0; i + 1 < m->n; i++)
		if (!strcmp(m->pair[i].field, m->pair[m->n - 1].field))
			return input_error(t->lines.in, e, "column %s is given twice",
					   m->pair[i].field);
	if (!name.n)
		return input_error(t->lines.in, e, "a column without a name");
	add_column(t, (int)m->n - 1);
	return 0;
}

static int
find_column(const struct name_map *m, struct str name)
{
	for (size_t i = 0; i < m->n; i++)
		if (strlen(m->pair[i].key) == name.n && !memcmp(m->pair[i].key, name.s, name.n))
			return (int)i;
	return -1;
}

static int
check_columns(const struct table *t, struct err *e)
{
	for (size_t i = 0; i < t->p->map.n; i++) {
		int found = 0;

		for (size_t c = 0; c < t->n; c++)
			found += t->pair[c] == (int)i;
		if (found == 1)
			continue;
		input_error(t->lines.in, e, "%s %s, expected one",
			    found ? "several columns" : "no column", t->p->map.pair[i].key);
		if (!found)
			err_hint(e, "the first line has the names of the columns; --map 1=src "
				 "numbers the columns of a table without names");
		return -1;
	}
	return 0;
}

static int
name_columns(struct table *t, struct err *e)
{
	const bool all = !t->p->map.n;
	struct str rest, cell;
	int r = pack_lines_next(&t->lines, e);

	if (r < 0)
		return -1;
	if (!r)
		return err_set(e, EXIT_INPUT, "%s is empty, expected a line with the names of the "
			       "columns", input_name(t->lines.in));
	if (t->lines.wrong)
		return input_error(t->lines.in, e, "invalid UTF-8 or a NUL byte, expected the "
				   "names of the columns");
	rest = (struct str){ t->lines.line, t->lines.n };
	while ((r = next_cell(t, &rest, &cell, e)) > 0) {
		if (all && pack_table_add_named(t, cell, e))
			return -1;
		if (!all)
			add_column(t, find_column(&t->p->map, cell));
	}
	return r ? -1 : check_columns(t, e);
}

/* --- records --- */

static int
set_cell(struct table *t, const struct name_pair *f, struct str cell, struct err *e)
{
	struct err inner = { .hint = "" };

	if (f->parsed.base == TYPE_STR) {
		record_set_str(t->rec, f->field, cell.s, cell.n);
		return 0;
	}
	if (!cell.n || !text_value_set(t->rec, f->field, &f->parsed, cell.s, cell.n, &inner))
		return 0;
	return input_error(t->lines.in, e, "column %s: %s", f->key, inner.text);
}

static int
pack_table_row(void *arg, struct err *e)
{
	struct table *t = arg;
	struct str rest = { t->lines.line, t->lines.n }, cell;
	size_t n = 0;
	int r;

	record_clear(t->rec);
	if (!name_map_has(&t->p->map, "id"))
		record_set_int(t->rec, "id", input_line_number(t->lines.in) - t->names);
	for (; (r = next_cell(t, &rest, &cell, e)) > 0; n++)
		if (n < t->n && t->pair[n] >= 0 &&
		    set_cell(t, &t->p->map.pair[t->pair[n]], cell, e))
			return -1;
	if (r < 0)
		return -1;
	if (t->names ? n != t->n : n < t->n)
		return input_error(t->lines.in, e, "%zu columns, expected %s%zu", n,
				   t->names ? "" : "at least ", t->n);
	return writer_put(t->w, t->rec, e);
}

static int
pack_table_all(struct table *t, struct err *e)
{
	t->names = !all_numbers(&t->p->map);
	if ((t->names ? name_columns(t, e) : number_columns(t, e)) ||
	    name_map_text_types(&t->p->map, e))
		return -1;
	t->w = pack_open(t->p, NULL, e);
	if (!t->w)
		return -1;
	return writer_end(t->w, name_map_declare(&t->p->map, t->w, input_name(t->lines.in), e) ||
			  pack_each_line(t->p, &t->lines, t->w, pack_table_row, t, e), e);
}

int
pack_table(struct pack *p, struct input *input, struct err *e)
{
	struct table t = { .p = p, .rec = record_new() };
	int bad;

	pack_lines_init(&t.lines, input, p->invalid);
	bad = pack_table_all(&t, e);
	p->replaced = t.lines.replaced;
	record_free(t.rec);
	pack_lines_release(&t.lines);
	buf_release(&t.cell);
	buf_release(&t.raw);
	free(t.pair);
	return bad;
}
