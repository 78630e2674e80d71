/*
 * option-needs: options that have an effect only with other options, or only without them.
 *
 * These rules are rows of a program's table of options, OPT_NEEDS and OPT_NOT_WITH (cli.h).  In
 * every program, an option without effect is therefore an error.  cli_begin() calls these
 * functions.
 */
#ifndef OPTION_NEEDS_H
#define OPTION_NEEDS_H

#include "base/cli.h"

/* Calls bug() if a rule names an option that is not in the table. */
void needs_check_table(const struct program *p);

/*
 * Notes that option `o` is given with this value, "" for a flag.  The value is not copied.  Returns
 * how often the option was given before.
 */
size_t needs_note(const struct program *p, const struct opt *o, const char *value);

/* Exits with EXIT_USAGE if an option that needs_note() has noted breaks a rule. */
void needs_check(const struct program *p);

/*
 * Prints the conditions of option `o` to standard output, for --options-tsv.  They are separated by
 * "; ".  A condition is that of OPT_NEEDS, such as "--a or --b", or "not " and that of
 * OPT_NOT_WITH, such as "not --c".
 */
void needs_print(const struct opt *table, const struct opt *o);

#endif
