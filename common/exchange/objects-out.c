/* objects-out: see objects-out.h. */
#include "exchange/objects-out.h"

#include <math.h>
#include <string.h>

#include "stream/json-out.h"

enum { MP_SINGLE = 0xca };	/* the first byte of a float of 32 bits */

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
