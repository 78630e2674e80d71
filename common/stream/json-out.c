/* json-out: see json-out.h. */
#include "stream/json-out.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/eight.h"
#include "base/escape.h"
#include "base/utf8.h"
#include "stream/header-parts.h"
#include "stream/msgpack-in.h"
#include "stream/record-parts.h"

void
base64_add(struct buf *out, const void *p, size_t n)
{
	static const char digit[] =
	    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	const uint8_t *b = p;
	char *to = buf_room(out, (n + 2) / 3 * 4);

	for (size_t i = 0; i < n; i += 3) {
		uint32_t three = (uint32_t)b[i] << 16 | (i + 1 < n ? (uint32_t)b[i + 1] << 8 : 0) |
				 (i + 2 < n ? b[i + 2] : 0);

		*to++ = digit[three >> 18];
		*to++ = digit[three >> 12 & 63];
		*to++ = i + 1 < n ? digit[three >> 6 & 63] : '=';
		*to++ = i + 2 < n ? digit[three & 63] : '=';
	}
	out->n += (n + 2) / 3 * 4;
	*to = 0;
}

/* The short escape of a character, or 0. */
static char
short_escape(char c)
{
	static const char from[] = "\"\\\n\t\r\b\f", to[] = "\"\\ntrbf";
	const char *at = c ? strchr(from, c) : NULL;

	return at ? to[at - from] : 0;
}

/* Is one of these eight bytes a control character, a quotation mark or a backslash? */
static bool
has_special(uint64_t eight)
{
	const uint64_t quote = eight ^ EIGHT_OF('"'), backslash = eight ^ EIGHT_OF('\\');

	return (((eight - EIGHT_OF(' ')) & ~eight) | ((quote - EIGHT_OF(1)) & ~quote) |
		((backslash - EIGHT_OF(1)) & ~backslash)) & EIGHT_OF(0x80);
}

/* Is one of these eight bytes not ASCII, or different in a JSON string? */
static bool
has_other(uint64_t eight)
{
	return has_special(eight) || eight & EIGHT_OF(0x80);
}

/*
 * Copies the n bytes at s, or those before the first that are not plain: ASCII, and the
 * same in a JSON string.  Up to seven plain bytes may be left too.  Returns the number of bytes.
 */
static size_t
copy_plain(char *copy, const char *s, size_t n)
{
	size_t i;

	for (i = 0; n - i >= 8; i += 8) {
		if (has_other(eight_at(s + i)))
			return i;
		memcpy(copy + i, s + i, 8);
	}
	if (has_other(eight_few(s + i, n - i)))
		return i;
	eight_copy_few(copy + i, s + i, n - i);
	return n;
}

/* Adds text with escapes, without quotation marks. */
static void
json_add_escaped(struct buf *out, const char *s, size_t n)
{
	size_t plain = 0;

	for (size_t i = 0; i < n; i++) {
		const size_t left = n - i < 8 ? n - i : 8;

		if (!has_special(left < 8 ? eight_few(s + i, left) : eight_at(s + i))) {
			i += left - 1;
			continue;
		}
		if ((unsigned char)s[i] >= ' ' && s[i] != '"' && s[i] != '\\')
			continue;
		buf_add(out, s + plain, i - plain);
		plain = i + 1;
		if (short_escape(s[i]))
			buf_printf(out, "\\%c", short_escape(s[i]));
		else
			buf_printf(out, "\\u%04x", (unsigned)(unsigned char)s[i]);
	}
	buf_add(out, s + plain, n - plain);
}

void
json_add_string(struct buf *out, const char *s, size_t n)
{
	buf_add_char(out, '"');
	json_add_escaped(out, s, n);
	buf_add_char(out, '"');
}

/* -1 if JSON cannot have the string, or would not give the same bytes. */
static int
add_str(struct buf *out, const struct mp *m)
{
	char *to = buf_room(out, m->n + 2);
	const size_t plain = copy_plain(to + 1, m->data, m->n), left = m->n - plain;

	if (!m->minimal)
		return -1;
	to[0] = '"';
	out->n += 1 + plain;
	if (left && utf8_check(m->data + plain, left) != left)
		return -1;
	if (left)
		json_add_escaped(out, m->data + plain, left);
	buf_add_char(out, '"');
	return 0;
}

void
json_add_text(struct buf *out, const char *s)
{
	struct buf text = { 0 };

	escape_repair(&text, s, strlen(s));
	json_add_string(out, text.n ? text.data : "", text.n);
	buf_release(&text);
}

/* The shortest decimal that reads back as v, with a point or an exponent. */
static void
add_finite(struct buf *out, double v, bool single)
{
	char text[40];

	for (int digits = single ? 6 : 15; digits <= (single ? 9 : 17); digits++) {
		snprintf(text, sizeof(text), "%.*g", digits, v);
		if (single ? strtof(text, NULL) == (float)v : strtod(text, NULL) == v)
			break;
	}
	buf_add_str(out, text);
	if (!strpbrk(text, ".e"))
		buf_add_str(out, ".0");
}

void
json_add_single(struct buf *out, float v)
{
	add_finite(out, (double)v, true);
}

void
json_add_double(struct buf *out, double v)
{
	add_finite(out, v, false);
}

void
json_add_fixed(struct buf *out, double v)
{
	if (isfinite(v))
		buf_printf(out, "%.4f", v);
	else
		buf_add_str(out, "null");
}

/* All NaNs are the same: their sign and payload have no meaning and depend on the processor. */
static void
json_out_add_float(struct buf *out, double v, bool single)
{
	if (!isfinite(v))
		buf_printf(out, "{\"$float\":\"%s\"}", isnan(v) ? "nan" : v > 0 ? "inf" : "-inf");
	else
		add_finite(out, v, single);
}

/* --- tensors of a declared type --- */

static int
json_out_add_row(struct buf *out, enum type_base base, const uint8_t *p, int64_t n)
{
	float f;

	if (base == TYPE_BITS) {
		buf_add_char(out, '"');
		for (int64_t i = 0; i < n; i++)
			buf_add_char(out, p[i / 8] >> (i % 8) & 1 ? '1' : '0');
		buf_add_char(out, '"');
		return n % 8 && p[n / 8] >> (n % 8) ? -1 : 0;
	}
	buf_add_char(out, '[');
	for (int64_t i = 0; i < n; i++) {
		if (i)
			buf_add_char(out, ',');
		if (base == TYPE_I8) {
			buf_add_int(out, (int8_t)p[i]);
			continue;
		}
		memcpy(&f, p + 4 * i, 4);
		json_out_add_float(out, (double)f, true);
	}
	buf_add_char(out, ']');
	return 0;
}

static int
add_cells(struct buf *out, enum type_base base, const uint8_t *p, const int64_t *d, int n_dim)
{
	int64_t step = type_bytes(base, d + 1, n_dim - 1);

	if (n_dim == 1)
		return json_out_add_row(out, base, p, d[0]);
	buf_add_char(out, '[');
	for (int64_t i = 0; i < d[0]; i++) {
		if (i)
			buf_add_char(out, ',');
		if (add_cells(out, base, p + i * step, d + 1, n_dim - 1))
			return -1;
	}
	buf_add_char(out, ']');
	return 0;
}

/* Would json_tensor() encode this tensor in the same way: s before d, everything minimal? */
static bool
usual_tensor(const uint8_t *p, const uint8_t *end)
{
	enum mp_state state;
	struct mp m;
	bool usual;

	p = mp_get(p, end, &m, &state);
	usual = m.minimal;
	p = mp_get(p, end, &m, &state);
	usual = usual && m.minimal && mp_is(&m, "s");
	while (usual && p != end) {
		p = mp_get(p, end, &m, &state);
		usual = m.minimal;
	}
	return usual;
}

/*
 * Nested lists lose the dimensions inside an empty list.  A tensor without elements has no data
 * that limit its dimensions: it may have any number of empty rows.
 */
static bool
lists_keep_shape(const struct mp *data, int n_dim)
{
	return n_dim == 1 || data->n > 0;
}

static int
json_out_add_tensor(struct buf *out, const struct type *t, const uint8_t *p, const uint8_t *end)
{
	int64_t d[TYPE_DIMS];
	enum mp_state state;
	struct mp data;
	int n_dim;

	if (type_tensor(p, end, d, &n_dim, &data, &state) != end || n_dim != t->n_dim)
		return -1;
	if (type_bytes(t->base, d, n_dim) != data.n || !usual_tensor(p, end) ||
	    !lists_keep_shape(&data, n_dim))
		return -1;
	return add_cells(out, t->base, (const uint8_t *)data.data, d, n_dim);
}

/* --- any value --- */

static const uint8_t *add_any(struct buf *out, const uint8_t *p, const uint8_t *end);

static const uint8_t *
add_array(struct buf *out, const uint8_t *p, const uint8_t *end, uint32_t n)
{
	buf_add_char(out, '[');
	for (uint32_t i = 0; p && i < n; i++) {
		if (i)
			buf_add_char(out, ',');
		p = add_any(out, p, end);
	}
	buf_add_char(out, ']');
	return p;
}

static const uint8_t *
put_json_key(struct buf *out, const uint8_t *p, const uint8_t *end, bool first)
{
	enum mp_state state;
	struct mp m;

	p = mp_get(p, end, &m, &state);
	if (!p || m.kind != MP_STR || (first && m.n && m.data[0] == '$') || add_str(out, &m))
		return NULL;
	buf_add_char(out, ':');
	return p;
}

static const uint8_t *
add_map(struct buf *out, const uint8_t *p, const uint8_t *end, uint32_t n)
{
	buf_add_char(out, '{');
	for (uint32_t i = 0; p && i < n; i++) {
		if (i)
			buf_add_char(out, ',');
		p = put_json_key(out, p, end, !i);
		if (p)
			p = add_any(out, p, end);
	}
	buf_add_char(out, '}');
	return p;
}

static int
add_scalar(struct buf *out, const struct mp *m)
{
	switch (m->kind) {
	case MP_NIL:
		buf_add_str(out, "null");
		return 0;
	case MP_BOOL:
		buf_add_str(out, m->i ? "true" : "false");
		return 0;
	case MP_INT:
		if (m->huge)
			buf_add_uint(out, (uint64_t)m->i);
		else
			buf_add_int(out, m->i);
		return m->minimal ? 0 : -1;
	case MP_FLOAT:
		if (m->minimal || isnan(m->f)) {
			json_out_add_float(out, m->f, false);
			return 0;
		}
		if (!isfinite(m->f))
			return -1;
		buf_add_str(out, "{\"$f32\":");
		json_add_single(out, (float)m->f);
		buf_add_char(out, '}');
		return 0;
	case MP_STR:
		return add_str(out, m);
	case MP_BIN:
		if (!m->minimal)
			return -1;
		buf_add_str(out, "{\"$bin\":\"");
		base64_add(out, m->data, m->n);
		buf_add_str(out, "\"}");
		return 0;
	default:
		return -1;
	}
}

/* NULL if reading the JSON would not give the same bytes. */
static const uint8_t *
add_any(struct buf *out, const uint8_t *p, const uint8_t *end)
{
	enum mp_state state;
	struct mp m;

	p = mp_get(p, end, &m, &state);
	if (!p || ((m.kind == MP_ARRAY || m.kind == MP_MAP) && !m.minimal))
		return NULL;
	if (m.kind == MP_ARRAY)
		return add_array(out, p, end, m.n);
	if (m.kind == MP_MAP)
		return add_map(out, p, end, m.n);
	return add_scalar(out, &m) ? NULL : p;
}

static void
add_raw(struct buf *out, const void *p, size_t n)
{
	buf_add_str(out, "{\"$msgpack\":\"");
	base64_add(out, p, n);
	buf_add_str(out, "\"}");
}

static void
cut_back(struct buf *out, size_t n)
{
	out->n = n;
	if (out->data)
		out->data[n] = 0;
}

void
json_add_value(struct buf *out, const struct type *t, const void *p, size_t n)
{
	const uint8_t *end = (const uint8_t *)p + n;
	size_t before = out->n;

	if (t && t->n_dim) {
		if (!json_out_add_tensor(out, t, p, end))
			return;
		cut_back(out, before);
	}
	if (add_any(out, p, end) == end)
		return;
	cut_back(out, before);
	add_raw(out, p, n);
}

/* Is the encoding of the map itself, without its fields, that of record_encode()? */
static bool
usual_map(const struct record *rec)
{
	enum mp_state state;
	struct mp m;

	return !rec->whole ||
	       (mp_get(rec->whole, rec->whole + rec->whole_n, &m, &state) && m.minimal);
}

/* -1 if JSON cannot have the name of a field. */
static int
add_fields(struct buf *out, const struct record *rec)
{
	buf_add_char(out, '{');
	for (size_t i = 0; i < rec->n; i++) {
		const struct cell *c = &rec->cell[i];

		if (i)
			buf_add_char(out, ',');
		if (!put_json_key(out, c->key, c->value, !i))
			return -1;
		json_add_value(out,
			       c->declared < 0 ? NULL : &rec->header->field[c->declared].parsed,
			       c->value, c->value_n);
	}
	buf_add_char(out, '}');
	return 0;
}

void
json_add_record(struct buf *out, const struct record *rec)
{
	const size_t before = out->n;
	struct buf b = { 0 };

	if (usual_map(rec) && !add_fields(out, rec))
		return;
	cut_back(out, before);
	record_encode(rec, &b);
	add_raw(out, b.data, b.n);
	buf_release(&b);
}
