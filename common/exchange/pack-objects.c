/* pack-objects: JSON objects; see pack.h. */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "exchange/pack.h"
#include "stream/json-in.h"
#include "stream/msgpack-in.h"

struct objects {
	struct pack *p;
	struct pack_lines lines;
	struct buf bytes;		/* the line as msgpack */
	struct buf text;		/* text without line feeds */
	bool *seen;			/* the keys of the map that occurred */
	struct writer *w;
	struct record *rec;
};

/* Is the name, which may have NUL bytes, that of an object with the key? */
static bool
is_prefix(const struct mp *name, const char *key)
{
	return strlen(key) > name->n && !memcmp(key, name->data, name->n) && key[name->n] == '.';
}

/* Is the name one of those of the n entries at p? */
static bool
is_among(const struct mp *name, const uint8_t *p, const uint8_t *end, uint32_t n, int depth)
{
	enum mp_state state;
	struct mp other;

	for (uint32_t i = 0; p && i < n; i++) {
		p = mp_get(p, end, &other, &state);
		if (p && other.kind == MP_STR && other.n == name->n &&
		    !memcmp(other.data, name->data, name->n))
			return true;
		p = p ? mp_skip(p, end, depth, &state) : NULL;
	}
	return false;
}

/*
 * The value of the key in the map at p, also in maps within it; NULL if there is none.  Sets *twice
 * if the key, or that of a map with it, occurs twice.
 */
static const uint8_t *
pack_objects_find(const uint8_t *p, const uint8_t *end, const char *key, int depth, bool *twice)
{
	const uint8_t *value = NULL, *inside = NULL, *first;
	enum mp_state state;
	struct mp map, name;

	p = mp_get(p, end, &map, &state);
	if (!p || map.kind != MP_MAP)
		return NULL;
	first = p;
	for (uint32_t i = 0; i < map.n; i++) {
		bool whole, part;

		p = mp_get(p, end, &name, &state);
		if (!p)
			return NULL;
		whole = name.kind == MP_STR && mp_is(&name, key);
		part = name.kind == MP_STR && is_prefix(&name, key);
		*twice = *twice || ((whole || part) && is_among(&name, first, end, i, depth + 1));
		if (whole)
			value = p;
		else if (part && !inside)
			inside = pack_objects_find(p, end, key + name.n + 1, depth + 1, twice);
		p = mp_skip(p, end, depth + 1, &state);
		if (!p)
			return NULL;
	}
	return value ? value : inside;
}

static bool
is_required(const char *field)
{
	return !strcmp(field, "src") || !strcmp(field, "tgt");
}

/* Text that would not be one line: 0 if it is one or was replaced, 1 to skip it, -1 on error. */
static int
check_line(struct objects *o, const struct name_pair *f, struct mp *text, struct err *e)
{
	if (!memchr(text->data, '\n', text->n) && !memchr(text->data, 0, text->n))
		return 0;
	if (o->p->invalid == PACK_SKIP)
		return 1;
	if (o->p->invalid == PACK_ERROR) {
		input_error(o->lines.in, e, "%s has a line feed or a NUL byte, expected one line "
			    "of text", f->key);
		err_hint(e, "--invalid replace replaces them, --invalid skip skips the object");
		return -1;
	}
	buf_clear(&o->text);
	for (uint32_t i = 0; i < text->n; i++) {
		if (!text->data[i])
			buf_add_str(&o->text, "\xef\xbf\xbd");
		else
			buf_add_char(&o->text, text->data[i] == '\n' ? ' ' : text->data[i]);
	}
	text->data = o->text.data;
	text->n = (uint32_t)o->text.n;
	o->lines.replaced++;
	return 0;
}

static int
set_value(struct objects *o, const struct name_pair *f, const uint8_t *p, const uint8_t *end,
	  struct err *e)
{
	struct type_sizes sizes = { { 0 } };
	enum mp_state state = MP_FINE;
	struct err why = { .hint = "" };
	const uint8_t *next = type_check(&f->parsed, p, end, &sizes, &state, &why);
	struct mp value;
	int r;

	if (!next)
		return input_error(o->lines.in, e, "%s: %s", f->key, why.text);
	if (f->parsed.base != TYPE_STR || !mp_get(p, end, &value, &state)) {
		record_set_raw(o->rec, f->field, p, (size_t)(next - p));
		return 0;
	}
	r = check_line(o, f, &value, e);
	if (!r)
		record_set_str(o->rec, f->field, value.data, value.n);
	return r;
}

/* The fields of the line: 0, 1 to skip it, -1 on error. */
static int
pack_objects_set_fields(struct objects *o, struct err *e)
{
	const uint8_t *p = (const uint8_t *)o->bytes.data, *end = p + o->bytes.n;

	for (size_t i = 0; i < o->p->map.n; i++) {
		const struct name_pair *f = &o->p->map.pair[i];
		bool twice = false;
		const uint8_t *value = pack_objects_find(p, end, f->key, 0, &twice);
		enum mp_state state;
		struct mp m;
		int r;

		if (twice)
			return input_error(o->lines.in, e, "%s is given twice", f->key);
		o->seen[i] = o->seen[i] || value;
		if (!value || (mp_get(value, end, &m, &state) && m.kind == MP_NIL)) {
			if (!is_required(f->field))
				continue;
			return input_error(o->lines.in, e, "%s is %s, expected text for %s", f->key,
					   value ? "null" : "missing", f->field);
		}
		r = set_value(o, f, value, end, e);
		if (r)
			return r;
	}
	return 0;
}

static bool
is_map(const struct buf *b)
{
	const uint8_t *p = (const uint8_t *)b->data;
	enum mp_state state;
	struct mp m;

	return mp_get(p, p + b->n, &m, &state) && m.kind == MP_MAP;
}

static int
pack_object(void *arg, struct err *e)
{
	struct objects *o = arg;
	struct err inner = { .hint = "" };
	int r;

	buf_clear(&o->bytes);
	if (json_read_plain(o->lines.line, o->lines.n, false, &o->bytes, &inner))
		return input_error(o->lines.in, e, "%s", inner.text);
	if (!is_map(&o->bytes))
		return input_error(o->lines.in, e, "expected a JSON object in each line");
	record_clear(o->rec);
	if (!name_map_has(&o->p->map, "id"))
		record_set_int(o->rec, "id", input_line_number(o->lines.in));
	r = pack_objects_set_fields(o, e);
	return r ? r : writer_put(o->w, o->rec, e);
}

/* A key that no object has is probably a typing error. */
static int
check_seen(const struct objects *o, struct err *e)
{
	for (size_t i = 0; i < o->p->map.n; i++)
		if (!o->seen[i] && input_line_number(o->lines.in) > 0)
			return err_set(e, EXIT_INPUT, "%s: no object has the key %s",
				       input_name(o->lines.in), o->p->map.pair[i].key);
	return 0;
}

static int
pack_all(struct objects *o, struct err *e)
{
	o->w = pack_open(o->p, NULL, e);
	if (!o->w)
		return -1;
	return writer_end(o->w, name_map_declare(&o->p->map, o->w, input_name(o->lines.in), e) ||
			  pack_each_line(o->p, &o->lines, o->w, pack_object, o, e) ||
			  check_seen(o, e), e);
}

int
pack_objects(struct pack *p, struct input *input, struct err *e)
{
	struct objects o = { .p = p, .rec = record_new() };
	int bad;

	pack_lines_init(&o.lines, input, p->invalid);
	o.seen = xcalloc(p->map.n + 1, sizeof(*o.seen));
	bad = pack_all(&o, e);
	p->replaced = o.lines.replaced;
	record_free(o.rec);
	pack_lines_release(&o.lines);
	buf_release(&o.bytes);
	buf_release(&o.text);
	free(o.seen);
	return bad ? -1 : 0;
}
