/* name-map: see name-map.h. */
#include "exchange/name-map.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "stream/fields.h"
#include "stream/record-parts.h"

static const char *
usual_type(const char *field)
{
	const struct field_info *known = fields_find("sentence", field);

	return known && *known->type ? known->type : "str";
}

static void
set_type(struct name_pair *p, const char *type)
{
	free(p->type);
	p->type = xstrdup(type);
	type_parse(type, &p->parsed);
}

void
name_map_field(struct name_map *m, const char *key, size_t key_n, const char *field, size_t field_n)
{
	struct name_pair *p;

	m->pair = mem_grow(m->pair, &m->room, m->n + 1, sizeof(*m->pair));
	p = &m->pair[m->n++];
	*p = (struct name_pair){ .key = xstrndup(key, key_n), .field = xstrndup(field, field_n) };
	set_type(p, usual_type(p->field));
}

void
name_map_release(struct name_map *m)
{
	for (size_t i = 0; i < m->n; i++) {
		free(m->pair[i].key);
		free(m->pair[i].field);
		free(m->pair[i].type);
	}
	free(m->pair);
	*m = (struct name_map){ .n = 0 };
}

void
name_map_fields(struct name_map *m, const char *list)
{
	while (list && *list) {
		size_t n = strcspn(list, ",");

		name_map_field(m, list, n, list, n);
		list += n + (list[n] == ',');
	}
}

static int
check_last(const struct name_map *m, struct err *e)
{
	const struct name_pair *last = &m->pair[m->n - 1];

	for (const struct name_pair *p = m->pair; p < last; p++) {
		if (!strcmp(p->field, last->field))
			return err_set(e, EXIT_USAGE, "--map: field %s is given twice", p->field);
		if (!strcmp(p->key, last->key))
			return err_set(e, EXIT_USAGE, "--map: key %s is given twice", p->key);
	}
	return 0;
}

static int
give_type(struct name_pair *p, const char *type, struct err *e)
{
	const struct field_info *known = fields_find("sentence", p->field);

	if (known && *known->type && strcmp(known->type, type))
		return err_set(e, EXIT_USAGE, "--map: field %s is of type %s, not %s", p->field,
			       known->type, type);
	set_type(p, type);
	if (p->parsed.base == TYPE_OTHER)
		return err_set(e, EXIT_USAGE, "--map: type '%s', expected str, int, float, bool, "
			       "[str] or [int]", type);
	return 0;
}

/* One KEY=FIELD[:TYPE] of n bytes.  A field name has no colon. */
static int
name_map_add_pair(struct name_map *m, const char *s, size_t n, struct err *e)
{
	char *text = xstrndup(s, n), *equals = strrchr(text, '='), *type;
	int bad = -1;

	type = equals ? strchr(equals, ':') : NULL;
	if (type)
		*type++ = '\0';
	if (!equals || equals == text || !equals[1]) {
		err_set(e, EXIT_USAGE, "--map: '%s', expected key=field or key=field:type", text);
	} else {
		name_map_field(m, text, (size_t)(equals - text), equals + 1, strlen(equals + 1));
		bad = type ? give_type(&m->pair[m->n - 1], type, e) : 0;
		if (!bad)
			bad = check_last(m, e);
	}
	free(text);
	return bad;
}

int
name_map_add(struct name_map *m, const char *text, struct err *e)
{
	size_t n;

	do {
		n = strcspn(text, ",");
		if (name_map_add_pair(m, text, n, e))
			return -1;
		text += n + 1;
	} while (text[-1]);
	return 0;
}

/* Is the key a, in JSON, that of an object which has b? */
static bool
contains(const char *a, const char *b)
{
	size_t n = strlen(a);

	return !strncmp(a, b, n) && b[n] == '.';
}

int
name_map_objects(const struct name_map *m, struct err *e)
{
	for (const struct name_pair *p = m->pair; p < m->pair + m->n; p++)
		for (const struct name_pair *q = m->pair; q < m->pair + m->n; q++)
			if (contains(p->key, q->key))
				return err_set(e, EXIT_USAGE, "--map: key %s has a value, and is "
					       "the object of %s", p->key, q->key);
	return 0;
}

int
name_map_types(struct name_map *m, const struct header *h, const char *path, struct err *e)
{
	for (size_t i = 0; i < m->n; i++) {
		const char *type = header_type(h, m->pair[i].field);
		const struct field need[2] = { { m->pair[i].field, "str", 0 }, { 0 } };

		/* A field that the header does not declare is probably a typing error. */
		if (!type)
			return header_check(h, path, need, e);
		set_type(&m->pair[i], type);
	}
	return 0;
}

int
name_map_text_types(const struct name_map *m, struct err *e)
{
	for (size_t i = 0; i < m->n; i++) {
		const struct name_pair *p = &m->pair[i];

		if (p->parsed.n_dim || p->parsed.base == TYPE_BOOL)
			return err_set(e, EXIT_USAGE, "%s is of type %s, expected str, int, float, "
				       "[str] or [int]", p->field, p->type);
	}
	return 0;
}

bool
name_map_has(const struct name_map *m, const char *field)
{
	for (size_t i = 0; i < m->n; i++)
		if (!strcmp(m->pair[i].field, field))
			return true;
	return false;
}

int
name_map_declare(const struct name_map *m, struct writer *w, const char *path, struct err *e)
{
	const bool has_id = name_map_has(m, "id");

	if (m->n + !has_id > RECORD_FIELDS)
		return err_set(e, EXIT_INPUT, "%s: %zu fields, expected at most %d", path,
			       m->n + !has_id, RECORD_FIELDS);
	if (!has_id)
		writer_add_field(w, "id", "int");
	for (size_t i = 0; i < m->n; i++)
		writer_add_field(w, m->pair[i].field, m->pair[i].type);
	return 0;
}
