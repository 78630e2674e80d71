/*
 * option-needs: options that have an effect only with other options, or only without them.
 *
 * They are rows of the table, OPT_NEEDS and OPT_NOT_WITH (cli.h), so that an option without effect
 * is an error in every program.
 */
#ifndef OPTION_NEEDS_H
#define OPTION_NEEDS_H

#include "base/cli.h"

/* Each row must name options of the table; otherwise bug(). */
void needs_check_table(const struct program *p);

/*
 * Notes that an option is given with this value, "" for a flag; returns how often it was given
 * before.
 */
size_t needs_note(const struct program *p, const struct opt *o, const char *value);

/* Dies with EXIT_USAGE if an option that is given has no effect with the others. */
void needs_check(const struct program *p);

/*
 * Prints the conditions of an option to standard output for --options-tsv, separated by "; ": "--a
 * or --b", "not --c".
 */
void needs_print(const struct opt *table, const struct opt *o);

#endif
