/* facts-json: see facts-json.h. */
#include "results/facts-json.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "stream/json-out.h"

static const char digits[] = "0123456789";

/* Whether JSON has the value as a number: no leading zero, no exponent. */
static bool
facts_is_number(const char *s)
{
	size_t whole, part;

	s += *s == '-';
	whole = strspn(s, digits);
	if (!whole || (whole > 1 && *s == '0'))
		return false;
	s += whole;
	if (!*s)
		return true;
	part = *s == '.' ? strspn(s + 1, digits) : 0;
	return part && !s[1 + part];
}

/* Whether a fact is text in every record, also if it consists of digits. */
static bool
facts_is_text(const char *name)
{
	static const char *const text[] = {
		"paper", "column", "variant", "settings", "after", "closed", "checksum", "digest",
		"commit", "version"
	};

	for (size_t i = 0; i < sizeof(text) / sizeof(*text); i++)
		if (!strcmp(name, text[i]))
			return true;
	return !strncmp(name, "data.", 5) || !strncmp(name, "target.", 7);
}

void
facts_json(const struct facts *f, struct buf *out)
{
	buf_add_char(out, '{');
	for (size_t i = 0; i < f->n; i++) {
		const struct fact *p = &f->fact[i];

		if (i)
			buf_add_char(out, ',');
		json_add_string(out, p->name, strlen(p->name));
		buf_add_char(out, ':');
		if (!facts_is_text(p->name) && facts_is_number(p->value))
			buf_add_str(out, p->value);
		else
			json_add_string(out, p->value, strlen(p->value));
	}
	buf_add_str(out, "}\n");
}

int
facts_json_print(const char *const *path, int n, struct err *e)
{
	for (int i = 0; i < n; i++) {
		struct buf line = { 0 };
		struct facts f;
		const int bad = facts_read(&f, path[i], e);

		if (!bad) {
			facts_json(&f, &line);
			fwrite(line.data, 1, line.n, stdout);
		}
		buf_release(&line);
		facts_release(&f);
		if (bad)
			return -1;
	}
	return 0;
}
