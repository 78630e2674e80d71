/* facts: see facts.h. */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/num.h"
#include "base/strmap.h"
#include "results/facts.h"
#include "stream/input.h"
#include "stream/json-out.h"

/* A duplicate name is an error because either value could be the wrong one. */
static int
read_fact(struct facts *f, struct strmap *names, const char *line, size_t n,
	  const struct input *input, struct err *e)
{
	const char *tab = memchr(line, '\t', n);
	struct fact *fact;

	if (!tab || tab == line)
		return input_error(input, e, "expected name, tab and value");
	if (strmap_add(names, line, (size_t)(tab - line)) != (int)f->n)
		return input_error(input, e, "duplicate fact %.*s",
				   (int)(tab - line), line);
	f->fact = mem_grow(f->fact, &f->room, f->n + 1, sizeof(*f->fact));
	fact = &f->fact[f->n++];
	fact->name = texts_add(&f->texts, line, (size_t)(tab - line));
	fact->value = texts_add(&f->texts, tab + 1, n - (size_t)(tab + 1 - line));
	return 0;
}

/* These values become file names; they must not point outside the ledger. */
static int
check_name(const struct facts *f, const char *name, const char *value, struct err *e)
{
	if (*value && *value != '.' && !strpbrk(value, "/\t"))
		return 0;
	return err_set(e, EXIT_INPUT, "%s: %s '%s', expected a name without '/' and tabs that "
		       "does not begin with '.'", f->path, name, value);
}

/* One spelling for each seed, since seeds are compared as text. */
static int
facts_check_seed(const struct facts *f, struct err *e)
{
	const size_t n = strspn(f->seed, "0123456789");

	if (n && !f->seed[n] && (n == 1 || *f->seed != '0'))
		return 0;
	return err_set(e, EXIT_INPUT, "%s: seed '%s', expected an integer without leading zeros",
		       f->path, f->seed);
}

/* The facts that name a run. */
static int
identify(struct facts *f, struct err *e)
{
	const struct { const char *name, **to; } needed[] = {
		{ "paper", &f->paper }, { "column", &f->column }, { "variant", &f->variant },
		{ "seed", &f->seed }
	};

	for (size_t i = 0; i < sizeof(needed) / sizeof(*needed); i++) {
		const char *value = *needed[i].to = facts_find(f, needed[i].name);

		if (!value)
			return err_set(e, EXIT_INPUT, "%s: no fact '%s', expected paper, column, "
				       "variant and seed", f->path, needed[i].name);
		if (check_name(f, needed[i].name, value, e))
			return -1;
	}
	return facts_check_seed(f, e);
}

/* Takes ownership of in.  If in is NULL, e holds the reason already. */
static int
facts_read_all(struct facts *f, const char *path, struct input *input, struct err *e)
{
	struct strmap names = { 0 };
	const char *line;
	size_t n;
	int more = -1;

	*f = (struct facts) { .path = path };
	if (input)
		input_unit(input, "record");
	while (input && (more = input_line(input, &line, &n, e)) > 0)
		if (read_fact(f, &names, line, n, input, e))
			break;
	input_close(input);
	strmap_release(&names);
	return more ? -1 : 0;
}

int
facts_read(struct facts *f, const char *path, struct err *e)
{
	return facts_read_all(f, path, input_open(path, INPUT_UTF8, e), e) || identify(f, e) ? -1
	       : 0;
}

int
facts_read_memory(struct facts *f, const char *name, const void *p, size_t n, struct err *e)
{
	return facts_read_part(f, name, p, n, e) || identify(f, e) ? -1 : 0;
}

int
facts_read_part(struct facts *f, const char *name, const void *p, size_t n, struct err *e)
{
	return facts_read_all(f, name, input_memory(name, p, n, INPUT_UTF8, e), e);
}

void
facts_release(struct facts *f)
{
	free(f->fact);
	texts_release(&f->texts);
}

const char *
facts_find(const struct facts *f, const char *name)
{
	for (size_t i = 0; i < f->n; i++)
		if (!strcmp(f->fact[i].name, name))
			return f->fact[i].value;
	return NULL;
}

const char *
facts_shown(const struct facts *f, const char *name)
{
	const char *value = facts_find(f, name);

	return value ? value : "missing";
}

double
facts_number(const struct facts *f, const char *name)
{
	const char *value = facts_find(f, name);
	struct err e;
	double v;

	return value && !num_float(value, strlen(value), -1e300, 1e300, &v, &e) ? v : NAN;
}

/* --- as JSON --- */

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

static void
print_json(const struct facts *f)
{
	struct buf out = { 0 };

	buf_add_char(&out, '{');
	for (size_t i = 0; i < f->n; i++) {
		const struct fact *p = &f->fact[i];

		if (i)
			buf_add_char(&out, ',');
		json_add_string(&out, p->name, strlen(p->name));
		buf_add_char(&out, ':');
		if (!facts_is_text(p->name) && facts_is_number(p->value))
			buf_add_str(&out, p->value);
		else
			json_add_string(&out, p->value, strlen(p->value));
	}
	buf_add_str(&out, "}\n");
	fwrite(out.data, 1, out.n, stdout);
	buf_release(&out);
}

int
facts_json_print(const char *const *path, int n, struct err *e)
{
	int r = 0;

	for (int i = 0; !r && i < n; i++) {
		struct facts f;

		r = facts_read(&f, path[i], e);
		if (!r)
			print_json(&f);
		facts_release(&f);
	}
	return r;
}
