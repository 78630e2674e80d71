/* records-out: records as tables, JSON objects and NumPy arrays; see records-out.h. */
#include "exchange/records-out.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/output.h"
#include "exchange/array.h"
#include "stream/archive.h"
#include "stream/json-out.h"

/* --- tab-separated values --- */

enum { MP_SINGLE = 0xca };	/* the first byte of a float of 32 bits */

struct table {
	struct buf *line;
	const struct record *rec;
	const struct reader *reader;
	bool several, escape;		/* several columns */
};

static int
unfit(const struct table *t, const char *field, const char *message, struct err *e)
{
	err_set(e, EXIT_INPUT, "%s: %s contains %s, which does not fit a table",
		reader_where(t->reader), field, message);
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
	   const struct reader *reader, bool escape, struct err *e)
{
	const struct table t = {
		.line = line, .rec = rec, .reader = reader, .several = columns->n > 1,
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

/* --- JSON objects --- */

/* Does the key of pair i begin with the n bytes of prefix, and does the record have its field? */
static bool
is_inside(const struct name_map *m, size_t i, const char *prefix, size_t n,
	  const struct record *rec)
{
	return !strncmp(m->pair[i].key, prefix, n) && record_has(rec, m->pair[i].field);
}

/* Has an earlier pair the first n bytes of the key of pair i, so that it was written with them? */
static bool
is_written(const struct name_map *m, size_t i, size_t n, const struct record *rec)
{
	for (size_t j = 0; j < i; j++)
		if (is_inside(m, j, m->pair[i].key, n, rec))
			return true;
	return false;
}

/* A value as JSON that every program reads: without objects for floats of 32 bits, null for NaN. */
static void
object_add_value(struct buf *out, const struct name_pair *p, const struct record *rec)
{
	const void *value;
	double v;
	size_t n;

	if (record_raw(rec, p->field, &value, &n))
		return;
	if (p->parsed.base != TYPE_FLOAT || record_float(rec, p->field, &v) ||
	    (isfinite(v) && *(const uint8_t *)value != MP_SINGLE))
		json_add_value(out, &p->parsed, value, n);
	else if (isfinite(v))
		json_add_single(out, (float)v);
	else
		buf_add_str(out, "null");
}

/* The object of all keys that begin with the n bytes of prefix. */
static void
add_object(struct buf *out, const struct name_map *m, const char *prefix, size_t n,
	   const struct record *rec)
{
	bool first = true;

	buf_add_char(out, '{');
	for (size_t i = 0; i < m->n; i++) {
		const struct name_pair *p = &m->pair[i];
		size_t len;

		if (!is_inside(m, i, prefix, n, rec))
			continue;
		len = strcspn(p->key + n, ".");
		if (p->key[n + len] && is_written(m, i, n + len + 1, rec))
			continue;
		if (!first)
			buf_add_char(out, ',');
		first = false;
		json_add_string(out, p->key + n, len);
		buf_add_char(out, ':');
		if (p->key[n + len])
			add_object(out, m, p->key, n + len + 1, rec);
		else
			object_add_value(out, p, rec);
	}
	buf_add_char(out, '}');
}

void
object_line(struct buf *line, const struct name_map *m, const struct record *rec)
{
	add_object(line, m, "", 0, rec);
}

/* --- NumPy arrays --- */

struct arrays_out {
	const struct name_map *fields;
	struct array *array;		/* one for each field */
	struct output *npy;		/* one of the two is NULL */
	struct archive_out *npz;
};

static bool
is_common(const struct arrays_out *a, size_t i)
{
	return a->npy || array_is_fixed(&a->fields->pair[i].parsed);
}

struct arrays_out *
arrays_out_open(const char *path, const struct name_map *fields, bool zip, unsigned flags,
		struct err *e)
{
	struct arrays_out *a;

	for (size_t i = 0; i < fields->n; i++)
		if (array_check(&fields->pair[i], e))
			return NULL;
	a = xcalloc(1, sizeof(*a));
	a->fields = fields;
	a->array = xcalloc(fields->n + 1, sizeof(*a->array));
	if (zip)
		a->npz = archive_out_zip(path, flags, e);
	else
		a->npy = output_open(path, flags | OUTPUT_BINARY, e);
	if (a->npz || a->npy)
		return a;
	arrays_out_abandon(a);
	return NULL;
}

static int
put_member(void *arg, const void *p, size_t n, struct err *e)
{
	return archive_out_data(arg, p, n, e);
}

static int
arrays_out_put_output(void *arg, const void *p, size_t n, struct err *e)
{
	return output_write(arg, p, n, e);
}

/* A file of the .npz: the common array of field i, or the value of a record with this number. */
static int
write_member(struct arrays_out *a, size_t i, int64_t number, struct err *e)
{
	const struct name_pair *f = &a->fields->pair[i];
	const bool axis = number < 0;
	char *name = axis ? xasprintf("%s.npy", f->key)
			  : xasprintf("%s/%" PRId64 ".npy", f->key, number);
	int bad = archive_out_begin(a->npz, name, array_bytes(&a->array[i], &f->parsed, axis), e);

	free(name);
	return bad ? -1 : array_write(&a->array[i], &f->parsed, axis, put_member, a->npz, e);
}

int
arrays_out_add(struct arrays_out *a, const struct record *rec, const struct reader *reader,
	       struct err *e)
{
	for (size_t i = 0; i < a->fields->n; i++) {
		const struct name_pair *f = &a->fields->pair[i];
		int r = array_add(&a->array[i], f, rec, reader, e);

		if (r < 0)
			return -1;
		if (is_common(a, i)) {
			if (!r)
				return err_set(e, EXIT_INPUT, "%s has no %s, expected it in each "
					       "record", reader_where(reader), f->field);
			continue;
		}
		if (r && write_member(a, i, reader_count(reader), e))
			return -1;
		array_clear(&a->array[i]);
	}
	return 0;
}

static void
arrays_out_release(struct arrays_out *a)
{
	for (size_t i = 0; i < a->fields->n; i++)
		array_release(&a->array[i]);
	free(a->array);
	free(a);
}

int
arrays_out_finish(struct arrays_out *a, struct err *e)
{
	int bad = 0;

	for (size_t i = 0; i < a->fields->n && !bad; i++) {
		if (!is_common(a, i))
			continue;
		bad = a->npz ? write_member(a, i, -1, e)
			     : array_write(&a->array[i], &a->fields->pair[i].parsed, true,
					   arrays_out_put_output, a->npy, e);
	}
	if (bad) {
		arrays_out_abandon(a);
		return -1;
	}
	bad = a->npz ? archive_out_finish(a->npz, e) : output_finish(a->npy, e);
	arrays_out_release(a);
	return bad;
}

void
arrays_out_abandon(struct arrays_out *a)
{
	if (!a)
		return;
	archive_out_abandon(a->npz);
	output_abandon(a->npy);
	arrays_out_release(a);
}
