/* text-field: a text file whose lines become a field; see text-field.h. */
#include <float.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/num.h"
#include "stream/cells.h"
#include "stream/fields.h"
#include "stream/text-field.h"

int
text_field_open(struct text_field *t, const char *kind, const char *text, struct err *e)
{
	const char *equals = strchr(text, '=');
	const struct field_info *known;

	if (!equals || equals == text || !equals[1])
		return err_set(e, EXIT_USAGE, "'%s', expected field=file", text);
	t->name = xstrndup(text, (size_t)(equals - text));
	known = fields_find(kind, t->name);
	t->type = known && *known->type ? known->type : "str";
	if (type_parse(t->type, &t->parsed) || t->parsed.n_dim)
		return err_set(e, EXIT_USAGE, "%s is of type %s, expected a type that a line of "
			       "text can have", t->name, t->type);
	t->in = input_open(equals + 1, INPUT_UTF8, e);
	return t->in ? 0 : -1;
}

void
text_field_close(struct text_field *t)
{
	input_close(t->in);
	free(t->name);
}

int
text_field_next(struct text_field *t, struct err *e)
{
	return input_line(t->in, &t->line, &t->n, e);
}

static void
set_strs(struct record *rec, const char *name, struct str text)
{
	struct str *v = xmalloc((text.n / 2 + 1) * sizeof(*v));
	struct str word;
	size_t n = 0;

	while (word_next(&text, &word))
		v[n++] = word;
	record_set_strs(rec, name, v, n);
	free(v);
}

static int
set_ints(struct record *rec, const char *name, struct str text, struct err *e)
{
	int32_t *v = xmalloc((text.n / 2 + 1) * sizeof(*v));
	struct str word;
	size_t n = 0;
	int64_t one;
	int bad = 0;

	while (!bad && word_next(&text, &word)) {
		bad = num_int(word.s, word.n, INT32_MIN, INT32_MAX, &one, e);
		v[n++] = (int32_t)one;
	}
	if (!bad)
		record_set_ints(rec, name, v, n);
	free(v);
	return bad;
}

int
text_value_set(struct record *rec, const char *name, const struct type *t, const char *s, size_t n,
	       struct err *e)
{
	int64_t i;
	double f;

	switch (t->base) {
	case TYPE_STRS:
		set_strs(rec, name, (struct str){ s, n });
		return 0;
	case TYPE_INTS:
		return set_ints(rec, name, (struct str){ s, n }, e);
	case TYPE_INT:
		if (num_int(s, n, INT64_MIN, INT64_MAX, &i, e))
			return -1;
		record_set_int(rec, name, i);
		return 0;
	case TYPE_FLOAT:
		if (num_float(s, n, -DBL_MAX, DBL_MAX, &f, e))
			return -1;
		record_set_float(rec, name, f);
		return 0;
	default:
		record_set_str(rec, name, s, n);
		return 0;
	}
}

int
text_field_set(const struct text_field *t, struct record *rec, struct err *e)
{
	if (!text_value_set(rec, t->name, &t->parsed, t->line, t->n, e))
		return 0;
	e->status = EXIT_INPUT;
	return err_wrap(e, "%s: line %" PRId64, input_name(t->in), input_line_number(t->in));
}
