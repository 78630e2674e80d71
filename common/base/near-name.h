/*
 * near-name: names in lists, and hints for wrong names.  struct near_name finds the known name that
 * is nearest to a mistyped name, for the hint "did you mean NAME?".
 *
 * The distance of two names is the minimum number of edits that turn one into the other.  An edit
 * inserts, deletes or replaces a byte, or exchanges two neighboring bytes.  A known name is near if
 * its distance is at most 2 and at most half the number of typed bytes.
 */
#ifndef NEAR_NAME_H
#define NEAR_NAME_H

#include <stdbool.h>
#include <stddef.h>

#include "base/cli.h"
#include "base/err.h"

struct near_name {
	const char *name;		/* the nearest name so far; NULL: none, as at first */
	size_t distance;
};

/* The index of the n bytes at s in a list of names that ends with NULL; -1 if it is not there. */
int name_index(const char *const *names, const char *s, size_t n);

/*
 * Stores `known`, without a copy, in *best if it is near to the n typed bytes, and nearer than the
 * name stored before.  Names of more than 64 bytes are never near.
 */
void near_name_add(struct near_name *best, const char *typed, size_t n, const char *known);
/* If there is a near name, sets the hint of e to "did you mean NAME?", and returns true. */
bool near_name_hint(const struct near_name *best, struct err *e);

/*
 * The following functions are for options that a program does not have: typing errors and former
 * names.
 *
 * unknown_long() and unknown_letter() exit with EXIT_USAGE.  The hint gives the present name if the
 * option is a former one (OPT_OLD), or else, for a long option, the nearest name, or else names
 * --help.
 */

/*
 * Calls bug() if the name or letter of a former option (OPT_OLD) is that of an option, too, or if
 * the option that replaces a former one does not exist.
 */
void former_check(const struct program *p);

/*
 * End the program because of the unknown option --NAME, whose name has n bytes, or because of an
 * unknown letter.  `answers` is the table of the options that every program has, such as --help.
 */
NORETURN void unknown_long(const struct program *p, const struct opt *answers, const char *name,
			   size_t n);
NORETURN void unknown_letter(const struct program *p, char letter);
/*
 * Sets EXIT_USAGE and a message on an unknown setting, whose name has n bytes, with the nearest
 * setting of `table` as a hint; for cli_settings().  Returns -1.
 */
int unknown_setting(const struct opt *table, const char *name, size_t n, struct err *e);

/*
 * For an error message on two words that differ, but may look the same, such as words in different
 * Unicode normalizations, or with a soft hyphen.  Sets the hint of e to the code points of the
 * first characters that differ, unless both are ASCII.
 */
void hint_look_alike(const char *found, const char *expected, struct err *e);

#endif
