/* option-needs: see option-needs.h. */
#include "base/option-needs.h"

#include <stdio.h>
#include <string.h>

#include "base/mem.h"

enum { MAX_OPTIONS = 256 };

static struct opt_list given[MAX_OPTIONS];	/* the values of each row of the table */

size_t
needs_note(const struct program *p, const struct opt *o, const char *value)
{
	const size_t i = (size_t)(o - p->options);
	struct opt_list *v = &given[i];

	if (i >= MAX_OPTIONS)
		bug("%s has more than %d options", p->name, MAX_OPTIONS);
	v->v = xreallocarray(v->v, v->n + 1, sizeof(*v->v));
	v->v[v->n++] = value;
	return v->n - 1;
}

/* Moves *list to the next of the texts in a list, without the separator; false at the end. */
static bool
next(const char **list, const char *separator, const char **text, size_t *n)
{
	const char *stop = strstr(*list, separator);

	*text = *list;
	*n = stop ? (size_t)(stop - *list) : strlen(*list);
	*list += *n + (stop ? strlen(separator) : 0);
	return *n > 0;
}

/* The option of a condition such as "--measure shapley", and its value; *value is NULL without. */
static const struct opt *
condition(const struct opt *table, const char *text, size_t n, const char **value, size_t *length)
{
	const char *space = memchr(text, ' ', n);

	*value = space ? space + 1 : NULL;
	*length = space ? n - (size_t)(space + 1 - text) : 0;
	return n < 2 ? NULL : opt_find_long(table, text + 2,
					    (space ? (size_t)(space - text) : n) - 2);
}

void
needs_check_table(const struct program *p)
{
	const char *list, *text, *value;
	size_t n, length;

	for (const struct opt *o = p->options; o->kind != OPT_END; o++) {
		if (o->kind != OPT_NEED && o->kind != OPT_NOT)
			continue;
		for (list = o->long_name; next(&list, " ", &text, &n);)
			if (!opt_find_long(p->options, text, n))
				bug("%s: no option --%.*s", p->name, (int)n, text);
		for (list = o->help; next(&list, " or ", &text, &n);)
			if (!condition(p->options, text, n, &value, &length))
				bug("%s: no option %.*s", p->name, (int)n, text);
	}
}

/* Whether a number that was given is 0, which is the same as not to give the option. */
static bool
is_zero_value(const struct opt *o)
{
	return (o->kind == OPT_INT && !*(const int64_t *)o->to) ||
	       (o->kind == OPT_FLOAT && !(*(const double *)o->to < 0 || *(double *)o->to > 0));
}

/* Is a condition true?  The value may be one of several, separated by commas. */
static bool
holds(const struct opt *table, const char *text, size_t n)
{
	const char *value, *item;
	size_t length, k;
	const struct opt *o = condition(table, text, n, &value, &length);
	const struct opt_list *v = &given[o - table];

	if (!value)
		return v->n && !is_zero_value(o);
	for (size_t i = 0; i < v->n; i++)
		for (const char *list = v->v[i]; next(&list, ",", &item, &k);)
			if (k == length && !memcmp(item, value, k))
				return true;
	return false;
}

/* The first of the conditions of a row that holds, in text and *n; NULL if none does. */
static const char *
which_holds(const struct opt *table, const struct opt *row, size_t *n)
{
	const char *text;

	for (const char *list = row->help; next(&list, " or ", &text, n);)
		if (holds(table, text, *n))
			return text;
	return NULL;
}

void
needs_check(const struct program *p)
{
	const char *name, *with;
	size_t n, length = 0;

	for (const struct opt *o = p->options; o->kind != OPT_END; o++) {
		if (o->kind != OPT_NEED && o->kind != OPT_NOT)
			continue;
		with = which_holds(p->options, o, &length);
		if ((o->kind == OPT_NEED) == (with != NULL))
			continue;
		for (const char *list = o->long_name; next(&list, " ", &name, &n);) {
			if (!given[opt_find_long(p->options, name, n) - p->options].n)
				continue;
			if (with)
				die_usage("--%.*s has no effect with %.*s", (int)n, name,
					  (int)length, with);
			die_usage("--%.*s without %s, expected %s", (int)n, name, o->help,
				  strstr(o->help, " or ") ? "one of them" : "both");
		}
	}
}

void
needs_print(const struct opt *table, const struct opt *o)
{
	const char *name, *separator = "";
	size_t n;

	for (const struct opt *row = table; row->kind != OPT_END; row++) {
		if (row->kind != OPT_NEED && row->kind != OPT_NOT)
			continue;
		for (const char *list = row->long_name; next(&list, " ", &name, &n);)
			if (opt_find_long(table, name, n) == o) {
				printf("%s%s%s", separator, row->kind == OPT_NOT ? "not " : "",
				       row->help);
				separator = "; ";
			}
	}
}
