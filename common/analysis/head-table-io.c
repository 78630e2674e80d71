/* head-table-io: reads and writes tables of heads; see head-table.h. */
#include <math.h>
#include <string.h>

#include "analysis/head-table.h"
#include "base/mem.h"
#include "base/near-name.h"
#include "exchange/table.h"
#include "stream/cells.h"
#include "stream/signature.h"

/* The number of cells is limited too: a value in the last row makes a column allocate all rows. */
enum { MAX_COLUMNS = 1000, MAX_ROWS = 1 << 16, MAX_CELLS = 1 << 22, MAX_HEADS = 1 << 20 };

/* --- reading --- */

static const char *const type_names[] = { [HEAD_FLOAT] = "float", [HEAD_INT] = "int",
					  [HEAD_STR] = "str" };

static bool
is_head_key(const char *name)
{
	return !strcmp(name, "site") || !strcmp(name, "layer") || !strcmp(name, "head");
}

/* Returns an enum head_column_type, or -1 for any other type. */
static int
type_of(const char *type)
{
	for (int i = HEAD_FLOAT; i <= HEAD_STR; i++)
		if (!strcmp(type, type_names[i]))
			return i;
	return -1;
}

static bool
head_table_is_plain(const char *s, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if ((unsigned char)s[i] < ' ' || s[i] == 0x7f)
			return false;
	return true;
}

static int
head_table_add_column(struct head_table *t, const char *name, enum head_column_type type,
		      struct err *e)
{
	const struct head_column *c = head_table_find(t, name);

	if (!head_table_is_plain(name, strlen(name)))
		return err_set(e, EXIT_INPUT, "a field name has control characters, expected none");
	if (c && c->type != type)
		return err_set(e, EXIT_INPUT, "%s is %s, expected %s as in the streams before",
			       name, type_names[type], type_names[c->type]);
	if (!c && t->n_columns == MAX_COLUMNS)
		return err_set(e, EXIT_INPUT, "more than %d measures, expected fewer", MAX_COLUMNS);
	head_table_column(t, name, type);
	return 0;
}

static int
add_columns(struct head_table *t, const struct header *h, struct err *e)
{
	for (int i = 0; i < header_n_fields(h); i++) {
		const char *type, *name = header_field(h, i, &type);
		const int k = is_head_key(name) ? -1 : type_of(type);

		if (t->only && !head_table_match(t->only, name))
			continue;
		if (k >= 0 && head_table_add_column(t, name, (enum head_column_type)k, e))
			return -1;
	}
	return 0;
}

static int
head_table_number_of(const struct record *rec, const char *name, int *v, struct err *e)
{
	int64_t x;

	if (record_int(rec, name, &x))
		return err_set(e, EXIT_INPUT, "no %s, expected an integer", name);
	if (x < 1 || x > MAX_HEADS)
		return err_set(e, EXIT_INPUT, "%s is %lld, expected 1 to %d", name,
			       (long long)x, (int)MAX_HEADS);
	*v = (int)x;
	return 0;
}

static int
head_table_site_of(const struct record *rec, enum site_where *where, struct err *e)
{
	struct str s;
	int kind;

	if (record_str(rec, "site", &s))
		return err_set(e, EXIT_INPUT, "no site, expected enc-self, dec-self or cross");
	kind = name_index(site_kinds, s.s, s.n);
	if (kind >= 0) {
		*where = (enum site_where)kind;
		return 0;
	}
	return err_set(e, EXIT_INPUT, "site is '%.*s', expected enc-self, dec-self or cross",
		       (int)(s.n < 60 ? s.n : 60), s.s);
}

static int
head_table_take_text(struct head_table *t, const struct record *rec, size_t row, size_t column,
		     struct err *e)
{
	const struct head_column *c = &t->column[column];
	const char *had = head_table_text(c, row);
	struct str s;

	if (record_str(rec, c->name, &s))
		return 0;
	if (!head_table_is_plain(s.s, s.n))
		return err_set(e, EXIT_INPUT, "%s has control characters, expected none", c->name);
	if (had && !str_is(s, had))
		return err_set(e, EXIT_INPUT, "%s is '%.*s', expected '%s' as in the streams "
			       "before", c->name, (int)(s.n < 60 ? s.n : 60), s.s, had);
	head_table_set_text(t, row, column, s.s, s.n);
	return 0;
}

static int
take_number(struct head_table *t, const struct record *rec, size_t row, size_t column,
	    struct err *e)
{
	const struct head_column *c = &t->column[column];
	const double had = head_table_get(c, row);
	double x;

	if (record_float(rec, c->name, &x) || isnan(x))
		return 0;
	if (!isnan(had) && had != x)
		return err_set(e, EXIT_INPUT, "%s is %g, expected %g as in the streams before",
			       c->name, x, had);
	head_table_set(t, row, column, x);
	return 0;
}

static int
head_table_take(struct head_table *t, const struct record *rec, struct err *e)
{
	enum site_where where = ENCODER_SELF;
	int layer, head;
	size_t row;

	if (head_table_site_of(rec, &where, e) || head_table_number_of(rec, "layer", &layer, e) ||
	    head_table_number_of(rec, "head", &head, e))
		return -1;
	row = head_table_row(t, where, layer, head);
	if (t->n > MAX_ROWS)
		return err_set(e, EXIT_INPUT, "more than %d heads, expected fewer", MAX_ROWS);
	if (t->n * t->n_columns > MAX_CELLS)
		return err_set(e, EXIT_INPUT,
			       "%zu heads with %zu measures, expected at most %d values",
			       t->n, t->n_columns, MAX_CELLS);
	for (size_t i = 0; i < t->n_columns; i++)
		if (t->column[i].type == HEAD_STR ? head_table_take_text(t, rec, row, i, e)
						  : take_number(t, rec, row, i, e))
			return -1;
	return 0;
}

/* The text of a header that anybody may have written, up to the first control character. */
static int
head_table_shown(const char *s)
{
	size_t n = 0;

	while (n < 60 && s[n] && head_table_is_plain(s + n, 1))
		n++;
	return (int)n;
}

static int
take_model(struct head_table *t, const struct header *h, struct err *e)
{
	const char *model = header_meta(h, HEADER_MODEL);

	if (!model)
		return 0;
	if (t->model && strcmp(t->model, model))
		return err_set(e, EXIT_INPUT, "measures of the model %.*s, expected %.*s as in the "
			       "streams before", head_table_shown(model), model,
			       head_table_shown(t->model), t->model);
	if (!t->model)
		t->model = xstrdup(model);
	return 0;
}

int
head_table_check_name(const struct head_table *t, const char *model, const char *path,
		      const char *hint, struct err *e)
{
	if (!t->model || !model || !strcmp(t->model, model))
		return 0;
	err_set(e, EXIT_INPUT, "%s: measures of the model %.*s, expected %.*s, the given one",
		path, head_table_shown(t->model), t->model, head_table_shown(model), model);
	if (hint)
		err_hint(e, "%s", hint);
	return -1;
}

int
head_table_check_model(const struct head_table *t, const struct model *m, const char *path,
		       const char *hint, struct err *e)
{
	char digest[MODEL_DIGEST_SIZE];

	model_digest(m, digest);
	return head_table_check_name(t, digest, path, hint, e);
}

void
head_table_name_model(struct writer *out, const struct model *m, const struct header *input)
{
	char digest[MODEL_DIGEST_SIZE];

	if (m)
		model_digest(m, digest);
	writer_set_meta(out, HEADER_MODEL, m ? digest : header_meta(input, HEADER_SCORED));
}

int
head_table_read(struct head_table *t, struct reader *reader, struct err *e)
{
	struct record *rec;
	int more;

	if (take_model(t, reader_header(reader), e) || add_columns(t, reader_header(reader), e))
		return err_wrap(e, "%s", reader_name(reader));
	signature_take(&t->signature, header_meta(reader_header(reader), HEADER_SIGNATURE),
		       reader_name(reader));
	while ((more = reader_next(reader, &rec, e)) > 0)
		if (head_table_take(t, rec, e))
			return err_wrap(e, "%s", reader_where(reader));
	return more;
}

/* --- writing a stream --- */

struct field *
head_table_fields(const struct head_table *t)
{
	struct field *f = xcalloc(t->n_columns + 4, sizeof(*f));
	size_t n = 0;

	f[n++] = (struct field){ "site", "str", 0 };
	f[n++] = (struct field){ "layer", "int", 0 };
	f[n++] = (struct field){ "head", "int", 0 };
	for (size_t i = 0; i < t->n_columns; i++)
		f[n++] = (struct field){ t->column[i].name, type_names[t->column[i].type], 0 };
	return f;
}

static void
head_table_set_cell(struct record *rec, const struct head_column *c, size_t row)
{
	const double x = head_table_get(c, row);
	const char *text = head_table_text(c, row);

	if (text)
		record_set_str(rec, c->name, text, strlen(text));
	else if (!isnan(x) && c->type == HEAD_INT)
		record_set_int(rec, c->name, (int64_t)x);
	else if (!isnan(x))
		record_set_float(rec, c->name, x);
}

int
head_table_put(const struct head_table *t, struct writer *out, struct err *e)
{
	struct record *rec = record_new();
	int bad = 0;

	for (size_t i = 0; i < t->n && !bad; i++) {
		const char *site = site_kinds[t->row[i].where];

		record_clear(rec);
		record_set_str(rec, "site", site, strlen(site));
		record_set_int(rec, "layer", t->row[i].layer);
		record_set_int(rec, "head", t->row[i].head);
		for (size_t k = 0; k < t->n_columns; k++)
			head_table_set_cell(rec, &t->column[k], i);
		bad = writer_put(out, rec, e);
	}
	record_free(rec);
	return bad;
}

/* --- writing text --- */

static void
put_cell(const struct head_column *c, size_t row, struct buf *out)
{
	const double x = head_table_get(c, row);
	const char *text = head_table_text(c, row);

	if (text && *text)
		buf_add_str(out, text);
	else if (isnan(x) || text)
		buf_add_char(out, '-');
	else
		buf_printf(out, c->type == HEAD_INT ? "%.0f" : "%.6g", x);
}

void
head_table_tsv(const struct head_table *t, struct buf *out)
{
	buf_add_str(out, "site\tlayer\thead");
	for (size_t i = 0; i < t->n_columns; i++)
		buf_printf(out, "\t%s", t->column[i].name);
	buf_add_char(out, '\n');
	for (size_t i = 0; i < t->n; i++) {
		const struct head_row *r = &t->row[i];

		buf_printf(out, "%s\t%d\t%d", site_kinds[r->where], r->layer, r->head);
		for (size_t k = 0; k < t->n_columns; k++) {
			buf_add_char(out, '\t');
			put_cell(&t->column[k], i, out);
		}
		buf_add_char(out, '\n');
	}
}

void
head_table_layout(const struct head_table *t, enum table_layout layout, struct buf *out)
{
	struct buf lines = { 0 };

	head_table_tsv(t, &lines);
	buf_add_char(&lines, '\0');
	table_lines(out, layout, lines.data);
	buf_release(&lines);
	if (!t->signature)
		return;
	buf_add_str(out, layout == TABLE_LATEX ? "% " : "\n`");
	signature_show(t->signature, out);
	buf_add_str(out, layout == TABLE_LATEX ? "\n" : "`\n");
}
