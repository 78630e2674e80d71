/* unknown-option: see unknown-option.h. */
#include "base/unknown-option.h"

#include <string.h>

#include "base/near-name.h"

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

/* The hint if the option is a former one; false if not. */
static bool
hint_former(const struct program *p, const char *name, size_t n, char letter, struct err *e)
{
	for (const struct opt *o = p->options; o->kind != OPT_END; o++)
		if (o->kind == OPT_OLD && unknown_option_is_called(o, name, n, letter)) {
			err_hint(e, "this option is now %s", o->help);
			return true;
		}
	return false;
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

	err_set(&e, EXIT_USAGE, "unknown option --%.*s", (int)n, name);
	nearest(p->options, name, n, &best);
	nearest(answers, name, n, &best);
	if (!hint_former(p, name, n, 0, &e)) {
		if (best.name)
			err_hint(&e, "did you mean --%s?", best.name);
		else
			err_hint(&e, "%s --help lists the options", p->name);
	}
	die(&e);
}

void
unknown_letter(const struct program *p, char letter)
{
	struct err e;

	err_set(&e, EXIT_USAGE, "unknown option -%c", letter);
	if (!hint_former(p, NULL, 0, letter, &e))
		err_hint(&e, "%s --help lists the options", p->name);
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
