/* msgpack-in: see msgpack-in.h and the msgpack specification. */
#include "stream/msgpack-in.h"

#include <string.h>

static const uint8_t *
fail(enum mp_state *state, enum mp_state why)
{
	*state = why;
	return NULL;
}

static uint64_t
big(const uint8_t *p, size_t n)
{
	uint64_t v = 0;

	while (n--)
		v = v << 8 | *p++;
	return v;
}

static double
as_float(const uint8_t *p, size_t n)
{
	uint64_t bits = big(p, n);
	uint32_t half = (uint32_t)bits;
	double d;
	float f;

	if (n == 8) {
		memcpy(&d, &bits, 8);
		return d;
	}
	memcpy(&f, &half, 4);
	return (double)f;
}

/* For first bytes from 0xc0 to 0xdf: the kind, and the number of bytes of length or value. */
static const struct { uint8_t kind, follow; } form[32] = {
	{ MP_NIL, 0 }, { 0xff, 0 }, { MP_BOOL, 0 }, { MP_BOOL, 0 },
	{ MP_BIN, 1 }, { MP_BIN, 2 }, { MP_BIN, 4 },
	{ MP_EXT, 1 }, { MP_EXT, 2 }, { MP_EXT, 4 },
	{ MP_FLOAT, 4 }, { MP_FLOAT, 8 },
	{ MP_INT, 1 }, { MP_INT, 2 }, { MP_INT, 4 }, { MP_INT, 8 },	/* unsigned */
	{ MP_INT, 1 }, { MP_INT, 2 }, { MP_INT, 4 }, { MP_INT, 8 },	/* signed */
	{ MP_EXT, 0 }, { MP_EXT, 0 }, { MP_EXT, 0 }, { MP_EXT, 0 }, { MP_EXT, 0 },
	{ MP_STR, 1 }, { MP_STR, 2 }, { MP_STR, 4 },
	{ MP_ARRAY, 2 }, { MP_ARRAY, 4 }, { MP_MAP, 2 }, { MP_MAP, 4 },
};

static void
get_integer(struct mp *m, const uint8_t *p, uint8_t first, size_t n)
{
	uint64_t v = big(p, n), before = n == 1 ? 0x80 : (uint64_t)1 << 4 * n;
	int shift = 64 - 8 * (int)n;

	if (first < 0xd0) {
		m->huge = v > INT64_MAX;
		m->minimal = v >= before;
		m->i = (int64_t)v;
		return;
	}
	m->i = (int64_t)(v << shift) >> shift;
	m->minimal = n == 1 ? m->i < -32 : m->i < -((int64_t)1 << (4 * n - 1));
}

/*
 * Is a length n of `follow` bytes encoded minimally?  Strings up to 31 and lists up to 15 need
 * none.
 */
static bool
length_is_minimal(enum mp_kind kind, size_t follow, uint64_t n)
{
	if (kind == MP_ARRAY || kind == MP_MAP)
		return n > (follow == 2 ? 15u : 0xffffu);
	if (follow == 1)
		return kind == MP_BIN || (kind == MP_STR && n > 31) ||
		       (kind == MP_EXT && n != 1 && n != 2 && n != 4 && n != 8 && n != 16);
	return n > (follow == 2 ? 0xffu : 0xffffu);
}

/* Takes the bytes of a str, bin or ext. */
static const uint8_t *
get_bytes(struct mp *m, const uint8_t *p, const uint8_t *end, enum mp_state *state)
{
	if (m->kind == MP_EXT) {
		if (p == end)
			return fail(state, MP_SHORT);
		m->ext = (int8_t)*p++;
	}
	if ((size_t)(end - p) < m->n)
		return fail(state, MP_SHORT);
	m->data = (const char *)p;
	return p + m->n;
}

static const uint8_t *
get_long(const uint8_t *p, const uint8_t *end, struct mp *m, enum mp_state *state)
{
	uint8_t first = *p++;
	size_t follow = form[first & 31].follow;

	m->kind = (enum mp_kind)form[first & 31].kind;
	if (first == 0xc1)
		return fail(state, MP_WRONG);
	if ((size_t)(end - p) < follow)
		return fail(state, MP_SHORT);
	switch (m->kind) {
	case MP_NIL:
		return p;
	case MP_BOOL:
		m->i = first & 1;
		return p;
	case MP_INT:
		get_integer(m, p, first, follow);
		return p + follow;
	case MP_FLOAT:
		m->f = as_float(p, follow);
		m->minimal = follow == 8;
		return p + follow;
	default:
		m->n = first >= 0xd4 && first <= 0xd8 ? 1u << (first - 0xd4)
						      : (uint32_t)big(p, follow);
		if (follow)
			m->minimal = length_is_minimal(m->kind, follow, m->n);
		p += follow;
		return m->kind == MP_ARRAY || m->kind == MP_MAP ? p : get_bytes(m, p, end, state);
	}
}

/* Are there enough bytes for the claimed elements, each of at least one byte? */
static bool
has_room(const struct mp *m, const uint8_t *p, const uint8_t *end)
{
	if (m->kind == MP_ARRAY)
		return m->n <= (size_t)(end - p);
	return m->kind != MP_MAP || m->n <= (size_t)(end - p) / 2;
}

static const uint8_t *
get(const uint8_t *p, const uint8_t *end, struct mp *m, enum mp_state *state)
{
	const uint8_t *after = mp_get_short(p, end, m);

	if (after)
		return after;
	if (p == end || (*p & 0xe0) == 0xa0)
		return fail(state, MP_SHORT);
	if (*p >= 0xc0)
		return get_long(p, end, m, state);
	m->kind = *p >= 0x90 ? MP_ARRAY : MP_MAP;
	m->n = *p & 15;
	return p + 1;
}

const uint8_t *
mp_get_other(const uint8_t *p, const uint8_t *end, struct mp *m, enum mp_state *state)
{
	p = get(p, end, m, state);
	if (p && !has_room(m, p, end))
		return fail(state, MP_SHORT);
	return p;
}

const uint8_t *
mp_skip(const uint8_t *p, const uint8_t *end, int depth, enum mp_state *state)
{
	uint64_t n;
	struct mp m;

	p = mp_get(p, end, &m, state);
	if (!p || (m.kind != MP_ARRAY && m.kind != MP_MAP))
		return p;
	if (depth >= MP_DEPTH)
		return fail(state, MP_DEEP);
	n = m.kind == MP_MAP ? 2 * (uint64_t)m.n : m.n;
	while (n-- && p)
		p = mp_skip(p, end, depth + 1, state);
	return p;
}

const char *
mp_name(const uint8_t *p, const uint8_t *end)
{
	static const char *const name[] = {
		"nil", "a bool", "an integer", "a float", "a str", "a bin", "an array", "a map",
		"an ext"
	};
	enum mp_state state;
	struct mp m;

	m.kind = MP_NIL;
	return get(p, end, &m, &state) ? name[m.kind] : "an incomplete object";
}

const char *
mp_problem(enum mp_state state)
{
	switch (state) {
	case MP_SHORT:
		return "an object is longer than the data";
	case MP_WRONG:
		return "byte 0xc1, which msgpack does not use";
	case MP_DEEP:
		return "arrays and maps nested deeper than 8 levels";
	default:
		return "no error";
	}
}

bool
mp_is(const struct mp *m, const char *text)
{
	return m->kind == MP_STR && m->n == strlen(text) && !memcmp(m->data, text, m->n);
}

/* The minimum number of bytes that the object at p, or its head, needs. */
static size_t
bytes_wanted(const uint8_t *p, size_t n)
{
	size_t head = 1, payload = 0;

	if (!n)
		return 1;
	if (*p >= 0xa0 && *p < 0xc0)
		return 1 + (size_t)(*p & 31);
	if (*p < 0xc0 || *p >= 0xe0)
		return 1;
	head += form[*p & 31].follow;
	if (form[*p & 31].kind == MP_EXT)
		head++;
	if (n >= head && form[*p & 31].kind != MP_INT && form[*p & 31].kind != MP_FLOAT &&
	    *p < 0xdc && form[*p & 31].follow)
		payload = (size_t)big(p + 1, form[*p & 31].follow);
	if (*p >= 0xd4 && *p <= 0xd8)
		payload = (size_t)1 << (*p - 0xd4);
	return head + payload;
}

/* Counts an object, enters it if it is an array or map, and leaves all that are complete. */
static enum mp_state
walk_step(struct mp_walk *w, const struct mp *m)
{
	if (w->begun)
		w->left[w->depth]--;
	w->begun = true;
	if (m->kind == MP_ARRAY || m->kind == MP_MAP) {
		if (w->depth == MP_DEPTH)
			return MP_DEEP;
		w->left[++w->depth] = m->kind == MP_MAP ? 2 * (uint64_t)m->n : m->n;
	}
	while (w->depth && !w->left[w->depth])
		w->depth--;
	return MP_FINE;
}

enum mp_state
mp_walk(struct mp_walk *w, const uint8_t *p, size_t n)
{
	enum mp_state state = MP_FINE;
	const uint8_t *next;
	struct mp m;

	while (!w->begun || w->depth) {
		next = get(p + w->at, p + n, &m, &state);
		if (!next) {
			w->want = w->at + bytes_wanted(p + w->at, n - w->at);
			return state;
		}
		w->at = (size_t)(next - p);
		state = walk_step(w, &m);
		if (state != MP_FINE)
			return state;
		w->want = w->at + (w->depth ? w->left[w->depth] : 0);
	}
	return MP_FINE;
}
