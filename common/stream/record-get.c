/* record-get: get functions of records; see stream.h. */
#include <string.h>

#include "stream/header-parts.h"
#include "stream/record-parts.h"

static struct cell *
record_get_find(const struct record *rec, const char *name)
{
	return record_find(rec, name, strlen(name));
}

/* Parses the head of a value; returns the address after it, or NULL. */
static const uint8_t *
open_value(const struct cell *c, struct mp *m)
{
	enum mp_state state;

	return c ? mp_get(c->value, c->value + c->value_n, m, &state) : NULL;
}

int
record_str(const struct record *rec, const char *name, struct str *s)
{
	struct mp m;

	if (!open_value(record_get_find(rec, name), &m) || m.kind != MP_STR)
		return -1;
	*s = (struct str){ m.data, m.n };
	return 0;
}

int
record_int(const struct record *rec, const char *name, int64_t *v)
{
	struct mp m;

	if (!open_value(record_get_find(rec, name), &m) || m.kind != MP_INT || m.huge)
		return -1;
	*v = m.i;
	return 0;
}

int
record_float(const struct record *rec, const char *name, double *v)
{
	struct mp m;

	if (!open_value(record_get_find(rec, name), &m) || (m.kind != MP_FLOAT && m.kind != MP_INT))
		return -1;
	if (m.kind == MP_INT)
		m.f = m.huge ? (double)(uint64_t)m.i : (double)m.i;
	*v = m.f;
	return 0;
}

int
record_bool(const struct record *rec, const char *name, bool *v)
{
	struct mp m;

	if (!open_value(record_get_find(rec, name), &m) || m.kind != MP_BOOL)
		return -1;
	*v = m.i;
	return 0;
}

/* The address of the first element of a list, or NULL. */
static const uint8_t *
open_list(const struct cell *c, size_t *n)
{
	const uint8_t *p;
	struct mp m;

	p = open_value(c, &m);
	if (!p || m.kind != MP_ARRAY || m.n > TYPE_LIST_MAX)
		return NULL;
	*n = m.n;
	return p;
}

/* A decoded list is a cache; it does not change the record. */
static struct arena *
memory(const struct record *rec)
{
	return &((struct record *)(uintptr_t)rec)->mem;
}

static const void *
decode_list(const struct record *rec, struct cell *c, enum type_base base)
{
	const uint8_t *p = open_list(c, &c->list_n), *end = c->value + c->value_n;
	const bool strs = base == TYPE_STRS;
	enum mp_state state;
	struct mp m;
	void *v;

	if (!p)
		return NULL;
	v = arena_get(memory(rec), (c->list_n + 1) * (strs ? sizeof(struct str) : sizeof(int32_t)));
	for (size_t i = 0; i < c->list_n; i++) {
		p = mp_get(p, end, &m, &state);
		if (!p || m.kind != (strs ? MP_STR : MP_INT))
			return NULL;
		if (strs)
			((struct str *)v)[i] = (struct str){ m.data, m.n };
		else if (m.huge || m.i < INT32_MIN || m.i > INT32_MAX)
			return NULL;
		else
			((int32_t *)v)[i] = (int32_t)m.i;
	}
	return v;
}

static const void *
record_get_list(const struct record *rec, const char *name, enum type_base base, size_t *n)
{
	struct cell *c = record_get_find(rec, name);

	if (!c)
		return NULL;
	if (!c->list || c->list_base != base) {
		c->list = decode_list(rec, c, base);
		c->list_base = base;
	}
	*n = c->list_n;
	return c->list;
}

int
record_strs(const struct record *rec, const char *name, const struct str **v, size_t *n)
{
	*v = record_get_list(rec, name, TYPE_STRS, n);
	return *v ? 0 : -1;
}

int
record_ints(const struct record *rec, const char *name, const int32_t **v, size_t *n)
{
	*v = record_get_list(rec, name, TYPE_INTS, n);
	return *v ? 0 : -1;
}

/* The type comes from the header; without one, from the number of bytes. */
static int
tensor_type_of(const struct record *rec, const struct cell *c, const struct tensor *t, size_t bytes)
{
	enum type_base base = TYPE_OTHER;

	if (c->tensor >= 0)
		return c->tensor;
	if (c->declared >= 0)
		base = rec->header->field[c->declared].parsed.base;
	for (int i = 0; i < 3; i++)
		if (base == tensor_base[i] ||
		    (base == TYPE_OTHER &&
		     type_bytes(tensor_base[i], t->d, t->n_dim) == (int64_t)bytes))
			return i;
	return -1;
}

int
record_tensor(const struct record *rec, const char *name, struct tensor *t)
{
	const struct cell *c = record_get_find(rec, name);
	enum mp_state state;
	struct mp data;
	int type;

	if (!c || !type_tensor(c->value, c->value + c->value_n, t->d, &t->n_dim, &data, &state))
		return -1;
	type = tensor_type_of(rec, c, t, data.n);
	if (type < 0 || type_bytes(tensor_base[type], t->d, t->n_dim) != (int64_t)data.n)
		return -1;
	t->type = (enum tensor_type)type;
	t->data = data.data;
	return 0;
}

bool
tensor_bit(const struct tensor *t, int64_t row, int64_t column)
{
	const uint8_t *p = t->data;
	int64_t width = (t->d[1] + 7) / 8;

	return p[row * width + column / 8] >> (column % 8) & 1;
}
