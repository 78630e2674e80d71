/*
 * unknown-option: options that a program does not have: typing errors and former names.
 *
 * Both functions that die exit with EXIT_USAGE.  Their hint is the present name of a former
 * option, or the name of the program that is nearest to the unknown one (near-name.h), or --help.
 */
#ifndef UNKNOWN_OPTION_H
#define UNKNOWN_OPTION_H

#include <stddef.h>

#include "base/cli.h"

/*
 * Aborts if a former option (OPT_OLD) is also an option, or if the option that replaces it does
 * not exist.
 */
void former_check(const struct program *p);

/* --NAME, of n bytes; `answers`: further options of every program, such as --help. */
NORETURN void unknown_long(const struct program *p, const struct opt *answers, const char *name,
			   size_t n);
NORETURN void unknown_letter(const struct program *p, char letter);
/* A setting, of n bytes, for cli_settings(); returns -1. */
int unknown_setting(const struct opt *table, const char *name, size_t n, struct err *e);

#endif
