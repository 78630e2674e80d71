/*
 * near-name: hints for wrong names.  struct near_name finds the known name that is nearest to a
 * mistyped one, for "did you mean NAME?".
 *
 * The distance of two names is the minimum number of bytes to insert, delete or replace, and of
 * neighbors to exchange.  A name at a distance over 2, or over half of the typed bytes, is far.
 */
#ifndef NEAR_NAME_H
#define NEAR_NAME_H

#include <stdbool.h>
#include <stddef.h>

#include "base/cli.h"
#include "base/err.h"

struct near_name {
	const char *name;		/* the nearest name so far; NULL if none is near */
	size_t distance;
};

/* Keeps `known` if it is nearer to typed[n] than earlier names.  Names over 64 bytes are far. */
void near_name_add(struct near_name *best, const char *typed, size_t n, const char *known);
/* If there is a near name, adds the hint "did you mean NAME?", and returns true. */
bool near_name_hint(const struct near_name *best, struct err *e);

/*
 * Options that a program does not have: typing errors and former names.
 *
 * Both functions that die exit with EXIT_USAGE.  Their hint is the present name of a former
 * option, or the name of the program that is nearest to the unknown one (above), or --help.
 */

/*
 * Aborts if a former option (OPT_OLD) is also an option, or if the option that replaces it does
 * not exist.
 */
void former_check(const struct program *p);

/*
 * Die because of the unknown option --NAME, whose name has n bytes, or of an unknown letter.
 * `answers` are the options that every program has, such as --help.
 */
NORETURN void unknown_long(const struct program *p, const struct opt *answers, const char *name,
			   size_t n);
NORETURN void unknown_letter(const struct program *p, char letter);
/* Sets the error for an unknown setting, whose name has n bytes, for cli_settings(); returns -1. */
int unknown_setting(const struct opt *table, const char *name, size_t n, struct err *e);

/* Words that differ in an error message, but may look the same. */

/*
 * Adds a hint that names the first characters that differ, unless these are ASCII: words in another
 * Unicode normalization, or with a soft hyphen, look the same.
 */
void hint_look_alike(const char *found, const char *expected, struct err *e);

#endif
