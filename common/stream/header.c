/* header: kind, fields and provenance of a stream; see stream.h. */
#include <stdlib.h>
#include <string.h>

#include "base/cli.h"
#include "base/mem.h"
#include "base/near-name.h"
#include "stream/fields.h"
#include "stream/header-parts.h"
#include "stream/msgpack-out.h"
#include "stream/origin.h"

struct header *
header_new(const char *kind)
{
	struct header *h = xcalloc(1, sizeof(*h));

	h->kind = xstrdup(kind);
	return h;
}

static void
release_field(struct declared *d)
{
	free(d->name);
	free(d->type);
}

void
header_free(struct header *h)
{
	if (!h)
		return;
	for (size_t i = 0; i < h->n_field; i++)
		release_field(&h->field[i]);
	for (size_t i = 0; i < h->n_meta; i++) {
		free(h->meta[i].key);
		buf_release(&h->meta[i].value);
	}
	free(h->field);
	free(h->meta);
	free(h->kind);
	buf_release(&h->pg);
	buf_release(&h->text);
	free(h);
}

struct header *
header_copy(const struct header *h)
{
	struct buf b = { 0 };
	struct header *copy;
	struct err e;

	header_encode(h, &b);
	copy = header_decode(b.data, b.n, &e);
	if (!copy)
		bug("cannot decode a copied header: %s", e.text);
	buf_release(&b);
	return copy;
}

const char *
header_kind(const struct header *h)
{
	return h->kind;
}

int
header_find(const struct header *h, const char *name, size_t n)
{
	for (size_t i = 0; i < h->n_field; i++)
		if (h->field[i].name_n == n && !memcmp(h->field[i].name, name, n))
			return (int)i;
	return -1;
}

const char *
header_type(const struct header *h, const char *field)
{
	int i = header_find(h, field, strlen(field));

	return i < 0 ? NULL : h->field[i].type;
}

int
header_n_fields(const struct header *h)
{
	return (int)h->n_field;
}

const char *
header_field(const struct header *h, int i, const char **type)
{
	if (type)
		*type = h->field[i].type;
	return h->field[i].name;
}

struct meta *
header_find_meta(const struct header *h, const char *key)
{
	for (size_t i = 0; i < h->n_meta; i++)
		if (!strcmp(h->meta[i].key, key))
			return &h->meta[i];
	return NULL;
}

struct meta *
header_need_meta(struct header *h, const char *key)
{
	struct meta *m = header_find_meta(h, key);

	if (m)
		return m;
	h->meta = mem_grow(h->meta, &h->meta_room, h->n_meta + 1, sizeof(*h->meta));
	m = &h->meta[h->n_meta++];
	*m = (struct meta){ .key = xstrdup(key) };
	return m;
}

static void
drop_meta(struct header *h, struct meta *m)
{
	free(m->key);
	buf_release(&m->value);
	memmove(m, m + 1, (size_t)(h->meta + h->n_meta - (m + 1)) * sizeof(*m));
	h->n_meta--;
}

const char *
header_meta(const struct header *h, const char *key)
{
	struct buf *text = &((struct header *)(uintptr_t)h)->text; /* only a cache */
	const struct meta *meta = header_find_meta(h, key);
	enum mp_state state;
	struct mp m;

	if (!meta || !meta->value.n)
		return NULL;
	if (!mp_get((const uint8_t *)meta->value.data,
		    (const uint8_t *)meta->value.data + meta->value.n, &m, &state) ||
	    m.kind != MP_STR)
		return NULL;
	buf_clear(text);
	buf_add(text, m.data, m.n);
	return text->data;
}

void
header_set_meta(struct header *h, const char *key, const char *value)
{
	struct meta *m = header_need_meta(h, key);

	if (!strcmp(key, "fields") || !strcmp(key, "pg"))
		bug("%s is a reserved key of a header", key);
	buf_clear(&m->value);
	if (value)
		mp_put_text(&m->value, value);
	else
		drop_meta(h, m);
}

void
header_add_field(struct header *h, const char *name, const char *type)
{
	int i = header_find(h, name, strlen(name));
	struct declared *d;

	header_need_meta(h, "fields");
	if (i < 0) {
		h->field = mem_grow(h->field, &h->field_room, h->n_field + 1, sizeof(*h->field));
		i = (int)h->n_field++;
	} else {
		release_field(&h->field[i]);
	}
	d = &h->field[i];
	*d = (struct declared){ .name = xstrdup(name), .type = xstrdup(type),
				.name_n = strlen(name) };
	type_parse(type, &d->parsed);
}

void
header_drop_field(struct header *h, const char *name)
{
	int i = header_find(h, name, strlen(name));
	struct declared dropped;

	if (i < 0) {
		origins_drop(h, name);
		return;
	}
	dropped = h->field[i];
	memmove(h->field + i, h->field + i + 1, (h->n_field - (size_t)i - 1) * sizeof(*h->field));
	h->n_field--;
	origins_drop(h, dropped.name);
	release_field(&dropped);
}

void
header_drop_fields(struct header *h, field_choice *chosen, const void *arg)
{
	for (size_t i = h->n_field; i-- > 0;)
		if (chosen(h->field[i].name, h->field[i].name_n, arg))
			header_drop_field(h, h->field[i].name);
}

void
header_add_program(struct header *h)
{
	header_need_meta(h, "pg");
	mp_put_map(&h->pg, 3);
	mp_put_text(&h->pg, "program");
	mp_put_text(&h->pg, err_program_name());
	mp_put_text(&h->pg, "version");
	mp_put_text(&h->pg, cli_version());
	mp_put_text(&h->pg, "args");
	mp_put_text(&h->pg, cli_args());
	h->n_pg++;
}

static bool
has_entry(const struct header *h, const uint8_t *entry, size_t n)
{
	const uint8_t *p = (const uint8_t *)h->pg.data, *next;
	enum mp_state state;

	for (size_t i = 0; i < h->n_pg; i++, p = next) {
		next = mp_skip(p, (const uint8_t *)h->pg.data + h->pg.n, 3, &state);
		if ((size_t)(next - p) == n && !memcmp(p, entry, n))
			return true;
	}
	return false;
}

void
header_add_provenance(struct header *h, const struct header *other)
{
	const uint8_t *p = (const uint8_t *)other->pg.data, *next;
	enum mp_state state;

	for (size_t i = 0; i < other->n_pg; i++, p = next) {
		next = mp_skip(p, (const uint8_t *)other->pg.data + other->pg.n, 3, &state);
		if (has_entry(h, p, (size_t)(next - p)))
			continue;
		header_need_meta(h, "pg");
		buf_add(&h->pg, p, (size_t)(next - p));
		h->n_pg++;
	}
}

bool
header_ran_with(const struct header *h, const char *text)
{
	const size_t n = strlen(text);

	for (size_t at = 0; at + n <= h->pg.n; at++)
		if (!memcmp(h->pg.data + at, text, n))
			return true;
	return false;
}

/* Does the stream have the heads from which dep2const makes this tree? */
static bool
has_heads(const struct header *h, const char *tree)
{
	return (!strcmp(tree, "src.tree") && header_type(h, "src.heads")) ||
	       (!strcmp(tree, "tgt.tree") && header_type(h, "tgt.heads"));
}

static int
missing(const struct header *h, const char *path, const struct field *need, struct err *e)
{
	const struct field_info *known = fields_find(h->kind, need->name);
	struct near_name best = { .name = NULL };

	err_set(e, EXIT_INPUT, "%s has no %s", path, need->name);
	if (has_heads(h, need->name))
		err_hint(e, "run dep2const first, which makes %s from heads", need->name);
	else if (known && known->from)
		err_hint(e, "run %s first, which adds %s", known->from, need->name);
	for (size_t i = 0; !known && i < h->n_field; i++)
		near_name_add(&best, need->name, strlen(need->name), h->field[i].name);
	near_name_hint(&best, e);
	return -1;
}

int
header_check(const struct header *h, const char *path, const struct field *needs, struct err *e)
{
	struct type want;

	for (; needs && needs->name; needs++) {
		int i = header_find(h, needs->name, strlen(needs->name));

		if (i < 0 && needs->optional)
			continue;
		if (i < 0)
			return missing(h, path, needs, e);
		type_parse(needs->type, &want);
		if (!type_agrees(&want, &h->field[i].parsed))
			return err_set(e, EXIT_INPUT, "%s: field %s is of type %s, expected %s",
				       path, needs->name, h->field[i].type, needs->type);
	}
	return 0;
}

int
header_may_follow(const struct header *a, const struct header *b, struct err *e)
{
	if (strcmp(a->kind, b->kind))
		return err_set(e, EXIT_INPUT, "the next stream is of kind %s, expected %s",
			       b->kind, a->kind);
	for (size_t i = 0; i < a->n_field; i++) {
		const char *type = header_type(b, a->field[i].name);

		if (!type || strcmp(type, a->field[i].type))
			return err_set(e, EXIT_INPUT,
				       "the next stream has %s %s, expected type %s",
				       type ? type : "no", a->field[i].name, a->field[i].type);
	}
	if (b->n_field != a->n_field)
		return err_set(e, EXIT_INPUT,
			       "the next stream has %zu fields, expected %zu", b->n_field,
			       a->n_field);
	return origins_continue(a, b, e) ? err_wrap(e, "the next stream") : 0;
}
