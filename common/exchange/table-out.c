/* table-out: see table-out.h. */
#include "exchange/table-out.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "stream/json-out.h"

enum { MP_SINGLE = 0xca };	/* the first byte of a float of 32 bits */

struct table {
	struct buf *line;
	const struct record *rec;
	const char *where;
	bool several, escape;		/* several columns */
};

static int
unfit(const struct table *t, const char *field, const char *message, struct err *e)
{
	err_set(e, EXIT_INPUT, "%s: %s contains %s, which does not fit a table", t->where, field,
		message);
	err_hint(e, "--escape writes tabs and line feeds as \\t and \\n; JSON, without -f, has "
		 "every value");
	return -1;
}

static void
add_escaped(struct buf *line, const char *p, size_t n)
{
	static const char from[] = "\t\n\r\\", to[] = "tnr\\";

	for (const char *end = p + n; p < end; p++) {
		const char *at = *p ? strchr(from, *p) : NULL;

		if (at)
			buf_add_char(line, '\\');
		buf_add_char(line, at ? to[at - from] : *p);
	}
}

/* Text is printed unchanged or not at all, so that -f src prints the lines that were packed. */
static int
table_add_text(const struct table *t, const char *field, const char *p, size_t n, bool element,
	       struct err *e)
{
	if (element && (!n || memchr(p, ' ', n)))
		return unfit(t, field, "an element that is empty or has a space", e);
	if (t->escape) {
		add_escaped(t->line, p, n);
		return 0;
	}
	if (memchr(p, '\n', n))
		return unfit(t, field, "a line feed", e);
	if (t->several && memchr(p, '\t', n))
		return unfit(t, field, "a tab", e);
	buf_add(t->line, p, n);
	return 0;
}

static int
add_strs(const struct table *t, const char *field, const struct str *v, size_t n, struct err *e)
{
	for (size_t i = 0; i < n; i++) {
		if (i)
			buf_add_char(t->line, ' ');
		if (table_add_text(t, field, v[i].s, v[i].n, true, e))
			return -1;
	}
	return 0;
}

static void
add_ints(struct buf *line, const int32_t *v, size_t n)
{
	for (size_t i = 0; i < n; i++)
		buf_printf(line, i ? " %" PRId32 : "%" PRId32, v[i]);
}

/* A float that JSON writes as an object: of 32 bits (p: the encoded value), or not finite. */
static bool
table_add_float(struct buf *line, double v, const uint8_t *p)
{
	if (!isfinite(v))
		buf_add_str(line, isnan(v) ? "nan" : v > 0 ? "inf" : "-inf");
	else if (*p == MP_SINGLE)
		json_add_single(line, (float)v);
	else
		return false;
	return true;
}

static int
table_add_value(const struct table *t, const struct name_pair *f, struct err *e)
{
	const struct str *strs;
	const int32_t *ints;
	struct str text;
	const void *p;
	double number;
	size_t n;

	if (record_raw(t->rec, f->field, &p, &n))
		return 0;
	if (!record_str(t->rec, f->field, &text))
		return table_add_text(t, f->field, text.s, text.n, false, e);
	if (!record_strs(t->rec, f->field, &strs, &n) && n)
		return add_strs(t, f->field, strs, n, e);
	if (!record_ints(t->rec, f->field, &ints, &n)) {
		add_ints(t->line, ints, n);
		return 0;
	}
	record_raw(t->rec, f->field, &p, &n);
	if (!record_float(t->rec, f->field, &number) && table_add_float(t->line, number, p))
		return 0;
	json_add_value(t->line, &f->parsed, p, n);
	return 0;
}

int
table_line(struct buf *line, const struct name_map *columns, const struct record *rec,
	   const char *where, bool escape, struct err *e)
{
	const struct table t = {
		.line = line, .rec = rec, .where = where, .several = columns->n > 1,
		.escape = escape,
	};

	for (size_t i = 0; i < columns->n; i++) {
		if (i)
			buf_add_char(line, '\t');
		if (table_add_value(&t, &columns->pair[i], e))
			return -1;
	}
	return 0;
}

int
table_header(struct buf *line, const struct name_map *columns, struct err *e)
{
	for (size_t i = 0; i < columns->n; i++) {
		const char *key = columns->pair[i].key;

		if (strpbrk(key, "\t\n\r"))
			return err_set(e, EXIT_USAGE, "a column's name has a tab or a line end");
		if (i)
			buf_add_char(line, '\t');
		buf_add_str(line, key);
	}
	return 0;
}
