/* header-bytes: decodes and encodes headers; see header-parts.h and heed-stream(5). */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/utf8.h"
#include "stream/header-parts.h"
#include "stream/msgpack-in.h"
#include "stream/msgpack-out.h"

/* The position in the bytes. */
struct bytes {
	const uint8_t *p, *end;
	struct err *e;
};

static int
header_bytes_take(struct bytes *b, struct mp *m)
{
	enum mp_state state = MP_FINE;

	b->p = mp_get(b->p, b->end, m, &state);
	return b->p ? 0 : err_set(b->e, EXIT_INPUT, "header: %s", mp_problem(state));
}

static const char *
kind_name(enum mp_kind kind)
{
	return kind == MP_MAP ? "a map" : kind == MP_ARRAY ? "an array" :
	       kind == MP_INT ? "an integer" : "a str";
}

static int
take_kind(struct bytes *b, enum mp_kind kind, const char *name, struct mp *m)
{
	const uint8_t *at = b->p;

	if (header_bytes_take(b, m))
		return -1;
	if (m->kind != kind)
		return err_set(b->e, EXIT_INPUT, "header: %s is %s, expected %s", name,
			       mp_name(at, b->end), kind_name(kind));
	return 0;
}

static int
take_count(struct bytes *b, enum mp_kind kind, const char *name, uint32_t *n)
{
	struct mp m;

	if (take_kind(b, kind, name, &m))
		return -1;
	*n = m.n;
	if (m.n > HEADER_ENTRIES)
		return err_set(b->e, EXIT_INPUT,
			       "header: %s has %" PRIu32 " entries, expected at most %d", name,
			       m.n, HEADER_ENTRIES);
	return 0;
}

/* Takes a text without NUL bytes and returns a copy. */
static char *
header_bytes_take_text(struct bytes *b, const char *name)
{
	struct mp m;

	if (take_kind(b, MP_STR, name, &m))
		return NULL;
	if (memchr(m.data, 0, m.n) || utf8_check(m.data, m.n) != m.n) {
		err_set(b->e, EXIT_INPUT, "header: %s is not UTF-8 without NUL bytes", name);
		return NULL;
	}
	return xstrndup(m.data, m.n);
}

static int
take_field(struct bytes *b, struct header *h)
{
	char *name = header_bytes_take_text(b, "a field name"), *type = NULL;
	int bad = -1;

	if (name)
		type = header_bytes_take_text(b, "a field type");
	if (type)
		bad = header_find(h, name, strlen(name)) < 0 ? 0 :
		      err_set(b->e, EXIT_INPUT, "header: duplicate field %s", name);
	if (!bad)
		header_add_field(h, name, type);
	free(name);
	free(type);
	return bad;
}

static int
take_fields(struct bytes *b, struct header *h)
{
	uint32_t n;

	if (take_count(b, MP_MAP, "fields", &n))
		return -1;
	while (n--)
		if (take_field(b, h))
			return -1;
	return 0;
}

static int
header_bytes_skip(struct bytes *b, int depth)
{
	enum mp_state state = MP_FINE;

	b->p = mp_skip(b->p, b->end, depth, &state);
	return b->p ? 0 : err_set(b->e, EXIT_INPUT, "header: %s", mp_problem(state));
}

static int
take_provenance(struct bytes *b, struct header *h)
{
	const uint8_t *at;
	uint32_t n;
	struct mp m;

	if (take_count(b, MP_ARRAY, "pg", &n))
		return -1;
	at = b->p;
	h->n_pg = n;
	while (n--) {
		const uint8_t *line = b->p;

		if (take_kind(b, MP_MAP, "an entry of pg", &m))
			return -1;
		b->p = line;
		if (header_bytes_skip(b, 3))
			return -1;
	}
	buf_add(&h->pg, at, (size_t)(b->p - at));
	return 0;
}

static int
take_meta(struct bytes *b, struct header *h)
{
	char *key = header_bytes_take_text(b, "a key");
	size_t n = h->n_meta;
	const uint8_t *at = b->p;
	struct meta *m;

	if (!key)
		return -1;
	m = header_need_meta(h, key);
	free(key);
	if (h->n_meta == n)
		return err_set(b->e, EXIT_INPUT, "header: duplicate key %s", m->key);
	if (!strcmp(m->key, "fields"))
		return take_fields(b, h);
	if (!strcmp(m->key, "pg"))
		return take_provenance(b, h);
	if (header_bytes_skip(b, 2))
		return -1;
	buf_add(&m->value, at, (size_t)(b->p - at));
	return 0;
}

static int
take_magic(struct bytes *b)
{
	struct mp m;

	if (header_bytes_take(b, &m) || m.kind != MP_ARRAY || m.n < 2 || header_bytes_take(b, &m) ||
	    !mp_is(&m, "heed"))
		return err_set(b->e, EXIT_INPUT, "not a heed stream");
	if (take_kind(b, MP_INT, "the version", &m))
		return -1;
	if (m.i != HEADER_VERSION)
		return err_set(b->e, EXIT_INPUT,
			       "heed stream of version %" PRId64 ", expected version %d", m.i,
			       HEADER_VERSION);
	return 0;
}

static int
header_bytes_decode(struct bytes *b, struct header *h)
{
	uint32_t n;

	h->kind = header_bytes_take_text(b, "the kind");
	if (!h->kind || take_count(b, MP_MAP, "meta", &n))
		return -1;
	while (n--)
		if (take_meta(b, h))
			return -1;
	return b->p == b->end ? 0
			      : err_set(b->e, EXIT_INPUT, "header: more than four elements");
}

struct header *
header_decode(const void *p, size_t n, struct err *e)
{
	struct bytes b = { p, (const uint8_t *)p + n, e };
	struct header *h;

	if (take_magic(&b))
		return NULL;
	h = xcalloc(1, sizeof(*h));
	if (!header_bytes_decode(&b, h))
		return h;
	header_free(h);
	return NULL;
}

static void
encode_fields(const struct header *h, struct buf *b)
{
	mp_put_map(b, h->n_field);
	for (size_t i = 0; i < h->n_field; i++) {
		mp_put_text(b, h->field[i].name);
		mp_put_text(b, h->field[i].type);
	}
}

void
header_encode(const struct header *h, struct buf *b)
{
	mp_put_array(b, 4);
	mp_put_text(b, "heed");
	mp_put_int(b, HEADER_VERSION);
	mp_put_text(b, h->kind);
	mp_put_map(b, h->n_meta);
	for (size_t i = 0; i < h->n_meta; i++) {
		mp_put_text(b, h->meta[i].key);
		if (!strcmp(h->meta[i].key, "fields")) {
			encode_fields(h, b);
		} else if (!strcmp(h->meta[i].key, "pg")) {
			mp_put_array(b, h->n_pg);
			buf_add(b, h->pg.data, h->pg.n);
		} else {
			buf_add(b, h->meta[i].value.data, h->meta[i].value.n);
		}
	}
}

static int
check_entries(const char *name, size_t n, struct err *e)
{
	return n <= HEADER_ENTRIES ? 0 :
	       err_set(e, EXIT_INPUT, "output header: %s has %zu entries, expected at most %d",
		       name, n, HEADER_ENTRIES);
}

int
header_check_size(const struct header *h, size_t n, struct err *e)
{
	if (check_entries("fields", h->n_field, e) || check_entries("pg", h->n_pg, e) ||
	    check_entries("meta", h->n_meta, e))
		return -1;
	return n <= HEADER_BYTES ? 0 :
	       err_set(e, EXIT_INPUT, "output header has %zu bytes, expected at most %zu", n,
		       HEADER_BYTES);
}
