/* near-name: see near-name.h. */
#include "base/near-name.h"

#include <stdio.h>
#include <string.h>

#include "base/utf8.h"

enum { MAX_NAME = 64, MAX_DISTANCE = 2 };

static size_t
least(size_t a, size_t b)
{
	return a < b ? a : b;
}

/* Wagner and Fischer 1974, with exchanges: distances of prefixes of a and b, row by row. */
static size_t
near_name_distance(const char *a, size_t n, const char *b, size_t m)
{
	size_t row[3][MAX_NAME + 1];

	for (size_t i = 0; i <= n; i++) {
		size_t *now = row[i % 3], *last = row[(i + 2) % 3], *before = row[(i + 1) % 3];

		now[0] = i;
		for (size_t j = 1; j <= m; j++) {
			now[j] = now[j - 1] + 1;
			if (!i)
				continue;
			now[j] = least(now[j], last[j] + 1);
			now[j] = least(now[j], last[j - 1] + (a[i - 1] != b[j - 1]));
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
				now[j] = least(now[j], before[j - 2] + 1);
		}
	}
	return row[n % 3][m];
}

int
name_index(const char *const *names, const char *s, size_t n)
{
	for (int i = 0; names[i]; i++)
		if (strlen(names[i]) == n && !memcmp(names[i], s, n))
			return i;
	return -1;
}

void
near_name_add(struct near_name *best, const char *typed, size_t n, const char *known)
{
	const size_t m = strlen(known);
	size_t d;

	if (n > MAX_NAME || m > MAX_NAME)
		return;
	d = near_name_distance(typed, n, known, m);
	if (d > MAX_DISTANCE || 2 * d > n || (best->name && d >= best->distance))
		return;
	best->name = known;
	best->distance = d;
}

bool
near_name_hint(const struct near_name *best, struct err *e)
{
	if (best->name)
		err_hint(e, "did you mean %s?", best->name);
	return best->name;
}

/* --- options --- */

/* Has the row this name of n bytes, or if name is NULL this letter? */
static bool
unknown_option_is_called(const struct opt *o, const char *name, size_t n, char letter)
{
	if (!name)
		return o->short_name == letter;
	return o->long_name && strlen(o->long_name) == n && !memcmp(o->long_name, name, n);
}

void
former_check(const struct program *p)
{
	for (const struct opt *o = p->options; o->kind != OPT_END; o++) {
		const char *name = o->long_name;

		if (o->kind != OPT_OLD)
			continue;
		if (name ? opt_find_long(p->options, name, strlen(name))
			 : opt_find_letter(p->options, o->short_name))
			bug("%s: the former name of %s is an option", p->name, o->help);
		if (strncmp(o->help, "--", 2) ||
		    !opt_find_long(p->options, o->help + 2, strcspn(o->help + 2, " ")))
			bug("%s: no option %s", p->name, o->help);
	}
}

/* The hint if the option is a former one. */
static void
hint_former(const struct program *p, const char *name, size_t n, char letter, struct err *e)
{
	for (const struct opt *o = p->options; o->kind != OPT_END; o++)
		if (o->kind == OPT_OLD && unknown_option_is_called(o, name, n, letter))
			err_hint(e, "this option is now %s", o->help);
}

static void
nearest(const struct opt *table, const char *name, size_t n, struct near_name *best)
{
	for (const struct opt *o = table; o->kind != OPT_END; o++)
		if (!opt_is_rule(o) && o->long_name)
			near_name_add(best, name, n, o->long_name);
}

void
unknown_long(const struct program *p, const struct opt *answers, const char *name, size_t n)
{
	struct near_name best = { .name = NULL };
	struct err e;

	err_usage(&e, "unknown option --%.*s", (int)n, name);
	nearest(p->options, name, n, &best);
	nearest(answers, name, n, &best);
	if (best.name)
		err_hint(&e, "did you mean --%s?", best.name);
	hint_former(p, name, n, 0, &e);
	die(&e);
}

void
unknown_letter(const struct program *p, char letter)
{
	struct err e;

	err_usage(&e, "unknown option -%c", letter);
	hint_former(p, NULL, 0, letter, &e);
	die(&e);
}

int
unknown_setting(const struct opt *table, const char *name, size_t n, struct err *e)
{
	struct near_name best = { .name = NULL };

	err_set(e, EXIT_USAGE, "unknown setting '%.*s'", (int)n, name);
	nearest(table, name, n, &best);
	near_name_hint(&best, e);
	return err_unknown(e);
}

/* --- words that look alike --- */

/* Writes a name of the first character of s to out. */
static void
name_character(const char *s, char out[16])
{
	size_t len;

	if (*s)
		snprintf(out, 16, "U+%04X", (unsigned)utf8_next(s, strlen(s), &len));
	else
		snprintf(out, 16, "no character");
}

void
hint_look_alike(const char *found, const char *expected, struct err *e)
{
	char one[16], other[16];
	size_t i = 0;

	while (found[i] && found[i] == expected[i])
		i++;
	while (i && (((unsigned char)found[i] & 0xc0) == 0x80 ||
		     ((unsigned char)expected[i] & 0xc0) == 0x80))
		i--;
	if (!((found[i] | expected[i]) & 0x80))
		return;
	name_character(found + i, one);
	name_character(expected + i, other);
	err_hint(e, "the first difference is %s instead of %s", one, other);
}
