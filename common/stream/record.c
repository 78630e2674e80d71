/*
 * record: see stream.h.  A record that was read is an index of names and encoded values into the
 * bytes it was read from.  Values are decoded on demand.  A value that was set is in the record's
 * arena, together with its name.
 */
#include "stream/record-parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/cli.h"
#include "base/mem.h"
#include "stream/header-parts.h"
#include "stream/msgpack-out.h"

#define ARENA_BLOCK ((size_t)1 << 11)	/* most records are smaller */

struct record *
record_new(void)
{
	struct record *rec = xcalloc(1, sizeof(*rec));

	arena_init(&rec->mem, ARENA_BLOCK);
	return rec;
}

void
record_free(struct record *rec)
{
	if (!rec)
		return;
	arena_release(&rec->mem);
	buf_release(&rec->scratch);
	free(rec->cell);
	free(rec);
}

void
record_clear(struct record *rec)
{
	rec->n = 0;
	rec->whole = NULL;
	rec->header = NULL;
	arena_rewind(&rec->mem);
}

static struct cell *
new_cell(struct record *rec)
{
	struct cell *c;

	if (rec->n == rec->room)
		rec->cell = mem_grow(rec->cell, &rec->room, rec->n + 1, sizeof(*rec->cell));
	c = &rec->cell[rec->n++];
	*c = (struct cell){ .declared = -1, .tensor = -1 };
	return c;
}

struct cell *
record_find(const struct record *rec, const char *name, size_t n)
{
	for (size_t i = 0; i < rec->n; i++)
		if (rec->cell[i].name_n == n && !memcmp(rec->cell[i].name, name, n))
			return &rec->cell[i];
	return NULL;
}

/* A one-bit hash of a name: names with different bits differ, which saves most comparisons. */
static uint64_t
name_bit(const char *s, size_t n)
{
	uint64_t h = n;

	if (n)
		h = h * 31 + (unsigned char)s[0] * 7u + (unsigned char)s[n / 2] * 13u +
		    (unsigned char)s[n - 1] * 3u;
	return (uint64_t)1 << (h & 63);
}

/* The index of a field in the header.  Records usually have its order, so guess is tried first. */
static int
declared_as(const struct header *h, const char *name, size_t n, int guess)
{
	if ((size_t)guess < h->n_field && h->field[guess].name_n == n &&
	    !memcmp(h->field[guess].name, name, n))
		return guess;
	return header_find(h, name, n);
}

static const uint8_t *
parse_name(struct record *rec, const uint8_t *p, const uint8_t *end, uint64_t *seen,
	   enum mp_state *state, struct err *e)
{
	const uint8_t *at = p;
	struct cell *c;
	struct mp m;
	uint64_t bit;

	p = mp_get(p, end, &m, state);
	if (!p)
		return NULL;
	if (m.kind != MP_STR) {
		err_set(e, EXIT_INPUT, "a field name is %s, expected a str", mp_name(at, end));
		return NULL;
	}
	bit = name_bit(m.data, m.n);
	if ((*seen & bit) && record_find(rec, m.data, m.n)) {
		err_set(e, EXIT_INPUT, "duplicate field %.*s", m.n > 80 ? 80 : (int)m.n, m.data);
		return NULL;
	}
	*seen |= bit;
	c = new_cell(rec);
	c->name = m.data;
	c->name_n = m.n;
	c->key = at;
	return p;
}

/* Changes the message "is a str" to "src.word is a str". */
static void
prefix_name(const char *name, struct err *e)
{
	char why[sizeof(e->text)];

	memcpy(why, e->text, sizeof(why));
	err_set(e, EXIT_INPUT, "%s %s", name, why);
}

static const uint8_t *
parse_value(struct cell *c, const struct header *h, const uint8_t *p, const uint8_t *end,
	    struct type_sizes *sizes, enum mp_state *state, struct err *e)
{
	const uint8_t *at = p;

	c->value = p;
	if (c->declared < 0)
		p = mp_skip(p, end, 1, state);
	else
		p = type_check(&h->field[c->declared].parsed, p, end, sizes, state, e);
	if (p)
		c->value_n = (size_t)(p - at);
	else if (*state == MP_FINE)
		prefix_name(h->field[c->declared].name, e);
	return p;
}

static const uint8_t *
parse_fields(struct record *rec, const struct header *h, const uint8_t *p, const uint8_t *end,
	     uint32_t n, enum mp_state *state, struct err *e)
{
	struct type_sizes sizes = { { 0 } };
	uint64_t seen = 0;
	int guess = 0;
	struct cell *c;

	while (n-- && p) {
		p = parse_name(rec, p, end, &seen, state, e);
		if (!p)
			break;
		c = &rec->cell[rec->n - 1];
		if (h)
			c->declared = declared_as(h, c->name, c->name_n, guess);
		if (c->declared >= 0)
			guess = c->declared + 1;
		p = parse_value(c, h, p, end, &sizes, state, e);
		if (!p)
			rec->n--;	/* the fields before it, such as id, serve the message */
	}
	return p;
}

int
record_parse(struct record *rec, const struct header *h, const uint8_t *p, size_t n, size_t *used,
	     struct err *e)
{
	enum mp_state state = MP_FINE;
	const uint8_t *end = p + n, *at;
	struct mp m;

	record_clear(rec);
	rec->header = h;
	at = mp_get(p, end, &m, &state);
	if (at && m.kind != MP_MAP)
		return err_set(e, EXIT_INPUT, "unexpected object: %s, expected a record",
			       mp_name(p, end));
	if (at && m.n > RECORD_FIELDS)
		return err_set(e, EXIT_INPUT, "record has %u fields, expected at most %d",
			       (unsigned)m.n, RECORD_FIELDS);
	if (at)
		at = parse_fields(rec, h, at, end, m.n, &state, e);
	if (at) {
		rec->whole = p;
		rec->whole_n = *used = (size_t)(at - p);
		return 1;
	}
	if (state == MP_SHORT)
		return 0;
	return state == MP_FINE ? -1 : err_set(e, EXIT_INPUT, "%s", mp_problem(state));
}

int
record_decode(struct record *rec, const void *p, size_t n, struct err *e)
{
	size_t used;
	int r = record_parse(rec, NULL, p, n, &used, e);

	if (r < 0)
		return -1;
	if (!r)
		return err_set(e, EXIT_INPUT, "%s", mp_problem(MP_SHORT));
	if (used != n)
		return err_set(e, EXIT_INPUT, "%zu bytes after the record, expected none",
			       n - used);
	return 0;
}

void
record_encode(const struct record *rec, struct buf *b)
{
	if (rec->whole) {
		buf_add(b, rec->whole, rec->whole_n);
		return;
	}
	mp_put_map(b, rec->n);
	for (size_t i = 0; i < rec->n; i++) {
		const struct cell *c = &rec->cell[i];

		buf_add(b, c->key, (size_t)(c->value + c->value_n - c->key));
	}
}

const struct cell *
record_nan(const struct record *rec)
{
	for (size_t i = 0; i < rec->n; i++)
		if (rec->cell[i].nan)
			return &rec->cell[i];
	return NULL;
}

int
record_fits(const struct record *rec, struct err *e)
{
	size_t bytes = 5;	/* the head of the map, at most */

	for (size_t i = 0; i < rec->n; i++)
		bytes += (size_t)(rec->cell[i].value - rec->cell[i].key) + rec->cell[i].value_n;
	if (bytes <= (size_t)stream_max_record << 20)
		return 0;
	err_set(e, EXIT_INPUT, "%zu bytes with the added fields, expected at most %lld MiB", bytes,
		(long long)stream_max_record);
	cli_hint_limit(&stream_max_record, e);
	return -1;
}

int
record_n_fields(const struct record *rec)
{
	return (int)rec->n;
}

struct str
record_name(const struct record *rec, int i)
{
	return (struct str){ rec->cell[i].name, rec->cell[i].name_n };
}

bool
record_has(const struct record *rec, const char *name)
{
	return record_find(rec, name, strlen(name));
}

int
record_raw(const struct record *rec, const char *name, const void **p, size_t *n)
{
	const struct cell *c = record_find(rec, name, strlen(name));

	if (!c)
		return -1;
	*p = c->value;
	*n = c->value_n;
	return 0;
}

/*
 * Copies n bytes: an encoded name and, from value_at on, an encoded value.  Replaces the field of
 * this name in place or appends a new one.
 */
static struct cell *
record_place(struct record *rec, const char *name, size_t name_n, const void *bytes, size_t n,
	     size_t value_at)
{
	struct cell *c = record_find(rec, name, name_n);
	const uint8_t *p = arena_copy(&rec->mem, bytes, n);
	struct mp key;
	enum mp_state state;

	if (!c) {
		c = new_cell(rec);
		c->declared = rec->header ? header_find(rec->header, name, name_n) : -1;
	}
	mp_get(p, p + n, &key, &state);
	*c = (struct cell){ .name = key.data, .name_n = key.n, .key = p, .value = p + value_at,
			    .value_n = n - value_at, .declared = c->declared, .tensor = -1 };
	rec->whole = NULL;
	return c;
}

static struct buf *
begin_set(struct record *rec, const char *name, size_t *value_at)
{
	buf_clear(&rec->scratch);
	mp_put_text(&rec->scratch, name);
	*value_at = rec->scratch.n;
	return &rec->scratch;
}

static struct cell *
end_set(struct record *rec, const char *name, size_t value_at)
{
	return record_place(rec, name, strlen(name), rec->scratch.data, rec->scratch.n, value_at);
}

void
record_set_raw(struct record *rec, const char *name, const void *p, size_t n)
{
	size_t at;

	buf_add(begin_set(rec, name, &at), p, n);
	end_set(rec, name, at);
}

void
record_set_str(struct record *rec, const char *name, const char *s, size_t n)
{
	size_t at;

	mp_put_str(begin_set(rec, name, &at), s, n);
	end_set(rec, name, at);
}

void
record_set_int(struct record *rec, const char *name, int64_t v)
{
	size_t at;

	mp_put_int(begin_set(rec, name, &at), v);
	end_set(rec, name, at);
}

void
record_set_float(struct record *rec, const char *name, double v)
{
	size_t at;

	mp_put_float(begin_set(rec, name, &at), v);
	end_set(rec, name, at)->nan = isnan(v);
}

void
record_set_bool(struct record *rec, const char *name, bool v)
{
	size_t at;

	mp_put_bool(begin_set(rec, name, &at), v);
	end_set(rec, name, at);
}

void
record_set_strs(struct record *rec, const char *name, const struct str *v, size_t n)
{
	size_t at;
	struct buf *b = begin_set(rec, name, &at);

	mp_put_array(b, n);
	for (size_t i = 0; i < n; i++)
		mp_put_str(b, v[i].s, v[i].n);
	end_set(rec, name, at);
}

void
record_set_ints(struct record *rec, const char *name, const int32_t *v, size_t n)
{
	size_t at;
	struct buf *b = begin_set(rec, name, &at);

	mp_put_array(b, n);
	for (size_t i = 0; i < n; i++)
		mp_put_int(b, v[i]);
	end_set(rec, name, at);
}

const enum type_base tensor_base[] = {
	[TENSOR_F32] = TYPE_F32, [TENSOR_I8] = TYPE_I8, [TENSOR_BITS] = TYPE_BITS
};

static bool
has_nan(const float *x, int64_t n)
{
	for (int64_t i = 0; i < n; i++)
		if (isnan(x[i]))
			return true;
	return false;
}

void
record_set_tensor(struct record *rec, const char *name, const struct tensor *t)
{
	int64_t bytes = type_bytes(tensor_base[t->type], t->d, t->n_dim);
	size_t at;
	struct buf *b = begin_set(rec, name, &at);
	struct cell *c;

	if (bytes < 0 || t->n_dim < 1 || t->n_dim > TYPE_DIMS)
		bug("tensor of %d dimensions and %lld bytes", t->n_dim, (long long)bytes);
	mp_put_map(b, 2);
	mp_put_text(b, "s");
	mp_put_array(b, (size_t)t->n_dim);
	for (int i = 0; i < t->n_dim; i++)
		mp_put_int(b, t->d[i]);
	mp_put_text(b, "d");
	mp_put_bin(b, t->data, (size_t)bytes);
	c = end_set(rec, name, at);
	c->tensor = (int)t->type;
	c->nan = t->type == TENSOR_F32 && has_nan(t->data, bytes / (int64_t)sizeof(float));
}

static void
remove_cell(struct record *rec, struct cell *c)
{
	memmove(c, c + 1, (size_t)(rec->cell + rec->n - (c + 1)) * sizeof(*c));
	rec->n--;
	rec->whole = NULL;
}

void
record_delete(struct record *rec, const char *name)
{
	struct cell *c = record_find(rec, name, strlen(name));

	if (c)
		remove_cell(rec, c);
}

void
record_delete_fields(struct record *rec, field_choice *chosen, const void *arg)
{
	for (size_t i = rec->n; i-- > 0;)
		if (chosen(rec->cell[i].name, rec->cell[i].name_n, arg))
			remove_cell(rec, &rec->cell[i]);
}

/* A copy may outlive the header, so it stores the type of the tensor's elements. */
static int
declared_tensor(const struct record *rec, const struct cell *c)
{
	for (int i = 0; i < 3; i++)
		if (rec->header->field[c->declared].parsed.base == tensor_base[i])
			return i;
	return c->tensor;
}

int
record_copy(struct record *target, const struct record *original)
{
	record_clear(target);
	for (size_t i = 0; i < original->n; i++) {
		const struct cell *c = &original->cell[i];
		size_t value_at = (size_t)(c->value - c->key);
		struct cell *copy =
		    record_place(target, c->name, c->name_n, c->key, value_at + c->value_n,
				 value_at);

		copy->tensor = c->declared >= 0 ? declared_tensor(original, c) : c->tensor;
		copy->nan = c->nan;
	}
	return 0;
}
