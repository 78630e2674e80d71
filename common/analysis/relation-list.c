/* relation-list: parses lists of dependency relations; see relation-list.h. */
#include "analysis/relation-list.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

enum { MAX_NAMES = 64, MAX_NAME_LENGTH = 60 };

static bool
is_relation_of(const char *relation, const char *kind)
{
	const size_t n = strlen(kind);

	return !strncmp(relation, kind, n) && (!relation[n] || relation[n] == ':');
}

int
relation_list_find(const struct relation_list *l, const char *relation)
{
	for (size_t i = 0; i < l->n; i++)
		for (size_t k = 0; k < l->entry[i].n; k++)
			if (is_relation_of(relation, l->entry[i].relation[k]))
				return (int)i;
	return -1;
}

static int
relation_list_check(const char *s, size_t n, const char *more, struct err *e)
{
	if (!n || n > MAX_NAME_LENGTH)
		return err_set(e, EXIT_USAGE, "a name of %zu characters, expected 1 to %d", n,
			       MAX_NAME_LENGTH);
	for (size_t i = 0; i < n; i++) {
		const char c = s[i];
		const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');

		if (!letter && !(c >= '0' && c <= '9') && !strchr(more, c))
			return err_set(e, EXIT_USAGE, "'%.*s', expected the name of a relation",
				       (int)(n < 60 ? n : 60), s);
	}
	return 0;
}

/* What both the list and a new relation count, or NULL: the same relation or a subtype. */
static const char *
counted_twice(const struct relation_list *l, const char *relation)
{
	for (size_t i = 0; i < l->n; i++)
		for (size_t k = 0; k < l->entry[i].n; k++) {
			const char *old = l->entry[i].relation[k];

			if (is_relation_of(relation, old))
				return relation;
			if (is_relation_of(old, relation))
				return old;
		}
	return NULL;
}

static int
add_relation(struct relation_list *l, struct relation_name *r, const char *s, size_t n,
	     struct err *e)
{
	const char *twice;
	char *relation;

	if (relation_list_check(s, n, "_-:", e))
		return -1;
	relation = xstrndup(s, n);
	r->relation = xreallocarray(r->relation, r->n + 1, sizeof(*r->relation));
	twice = counted_twice(l, relation);
	if (twice) {
		err_set(e, EXIT_USAGE, "%s is counted twice, expected once", twice);
		free(relation);
		return -1;
	}
	r->relation[r->n++] = relation;
	return 0;
}

/* "name" or "name=relation+relation". */
static int
add_name(struct relation_list *l, const char *s, size_t n, struct err *e)
{
	const char *equals = memchr(s, '=', n), *end = s + n;
	const size_t name_n = equals ? (size_t)(equals - s) : n;
	struct relation_name *r = &l->entry[l->n];

	if (relation_list_check(s, name_n, "_-", e))
		return -1;
	*r = (struct relation_name){ .name = xstrndup(s, name_n) };
	l->n++;
	for (size_t i = 0; i + 1 < l->n; i++)
		if (!strcmp(l->entry[i].name, r->name))
			return err_set(e, EXIT_USAGE, "%s is given twice, expected once", r->name);
	for (s = equals ? equals + 1 : s;; s++) {
		const char *plus = equals ? memchr(s, '+', (size_t)(end - s)) : NULL;

		if (add_relation(l, r, s, (size_t)((plus ? plus : end) - s), e))
			return -1;
		if (!plus)
			return 0;
		s = plus;
	}
}

int
relation_list_parse(struct relation_list *l, const char *text, struct err *e)
{
	const char *comma;

	*l = (struct relation_list){ .entry = xcalloc(MAX_NAMES, sizeof(*l->entry)) };
	for (;; text = comma + 1) {
		comma = strchr(text, ',');
		if (l->n == MAX_NAMES)
			return err_set(e, EXIT_USAGE, "more than %d names of relations, expected "
				       "fewer", MAX_NAMES);
		if (add_name(l, text, comma ? (size_t)(comma - text) : strlen(text), e))
			return -1;
		if (!comma)
			return 0;
	}
}

void
relation_list_release(struct relation_list *l)
{
	for (size_t i = 0; i < l->n; i++) {
		for (size_t k = 0; k < l->entry[i].n; k++)
			free(l->entry[i].relation[k]);
		free(l->entry[i].relation);
		free(l->entry[i].name);
	}
	free(l->entry);
	*l = (struct relation_list){ .n = 0 };
}
