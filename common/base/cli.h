/*
 * cli: command lines.  One table per program lists its options.  The parser, the --help text and
 * the man-page check all read that table.
 *
 * Values follow long options as in "--name value" or "--name=value", and short options as in "-x
 * value" or "-xvalue".  Flags may be bundled, as in "-fq".  "--" ends the options.  Options and
 * operands may be mixed.  An option with a single value may be given only once.
 *
 * Every program also has the options -h, --help, --version and --options-tsv.  --help prints the
 * options under the headings of the table (OPT_GROUP) and the program's example.  --options-tsv
 * prints the table for other programs.  Its lines have an option each, with these columns,
 * separated by tabs: the letter; the name; the word for the value; the help text; "1", or "+" if
 * the option may be given several times; the possible values of a choice, separated by spaces; the
 * conditions of the option, as needs_print() prints them (option-needs.h).
 *
 * A letter has the same meaning in all programs; HACKING.md lists the letters.  A name or letter
 * that an option had in an earlier version has a row OPT_OLD_NAME or OPT_OLD_LETTER in the table.
 * A program that gets a former name or letter exits with EXIT_USAGE and a hint that gives the
 * present name.
 */
#ifndef CLI_H
#define CLI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/err.h"

/* What a row of the table of options is.  For an option: the type of its value. */
enum opt_kind {
	OPT_END,
	OPT_HEADING,	/* no option: a heading of --help for the rows that follow it */
	OPT_FLAG,	/* bool */
	OPT_INT,	/* int64_t */
	OPT_FLOAT,	/* double */
	OPT_STRING,	/* const char * */
	OPT_CHOICE,	/* int, an index into choice */
	OPT_LIST,	/* struct opt_list: may be given several times, in order */
	OPT_PARTS,	/* struct opt_parts: likewise, but several options share one ordered list */
	OPT_OLD,	/* no option but a former name or letter; help: the present name */
	OPT_NEED,	/* no option but a rule: OPT_NEEDS */
	OPT_NOT		/* no option but a rule: OPT_NOT_WITH */
};

/* The n values of an OPT_LIST, in the order of the command line. */
struct opt_list { size_t n; const char **v; };
/* The n values of several OPT_PARTS with the same `to`, in the order of the command line. */
struct opt_parts { size_t n; struct opt_part { const struct opt *opt; const char *v; } *part; };

struct opt {
	enum opt_kind kind;
	char short_name;		/* 0 if there is only the long form */
	const char *long_name;
	const char *arg;		/* the word shown for the value */
	const char *help;		/* one line, no full stop; the default in parentheses */
	void *to;			/* address of the value; NULL for a row of cli_settings() */
	size_t at;			/* for cli_settings(): offset of the value in `state` */
	double min, max;		/* OPT_INT and OPT_FLOAT, inclusive */
	const char *const *choice;	/* OPT_CHOICE, NULL-terminated */
	/*
	 * For cli_settings_describe(): leave the setting out while its value is 0, off or the first
	 * choice.
	 */
	bool omit;
};

/* Is the row a rule about options: OPT_OLD, OPT_NEED or OPT_NOT? */
static inline bool
opt_is_rule(const struct opt *o)
{
	return o->kind == OPT_OLD || o->kind == OPT_NEED || o->kind == OPT_NOT;
}

/* Return the option with this name of n bytes, without dashes, or with this letter; or NULL. */
const struct opt *opt_find_long(const struct opt *table, const char *name, size_t n);
const struct opt *opt_find_letter(const struct opt *table, char letter);

struct program {
	const char *name, *synopsis, *summary;
	const struct opt *options;
	const char *example;		/* shown at the end of --help: a command that works */
};

/* A heading in the table: the purpose of the rows up to the next one, in one to three words. */
#define OPT_GROUP(title) { .kind = OPT_HEADING, .help = (title) }

/*
 * `old` is a former name, without dashes, or a former letter.  `now` is the option that replaces
 * it, with dashes and perhaps a value, such as "--to html".
 */
#define OPT_OLD_NAME(old, now) { .kind = OPT_OLD, .long_name = (old), .help = (now) }
#define OPT_OLD_LETTER(old, now) { .kind = OPT_OLD, .short_name = (old), .help = (now) }

/*
 * Rules on when options have an effect.  `names` has one or several names of options, without
 * dashes, separated by spaces.  `others` has one or several conditions, joined by " or ".  The
 * condition "--a" is true if option a is given; an option with the number 0 as its value counts as
 * not given.  The condition "--a value" is true if option a is given with this value, or with a
 * list, separated by commas, that contains this value.  With OPT_NEEDS, it is an error to give an
 * option of `names` if no condition is true; with OPT_NOT_WITH, if any condition is true.
 */
#define OPT_NEEDS(names, others) { .kind = OPT_NEED, .long_name = (names), .help = (others) }
#define OPT_NOT_WITH(names, others) { .kind = OPT_NOT, .long_name = (names), .help = (others) }

/*
 * Rows that many programs share, so that a letter means the same everywhere.  `p` is the address of
 * the value.  `initial` is the default, as a string for the help text.
 */
#define OPT_OUTPUT(p) { .kind = OPT_STRING, .short_name = 'o', .long_name = "output", \
	.arg = "file", .help = "write to file (standard output)", .to = (p) }
#define OPT_THREADS(p) { .kind = OPT_INT, .short_name = 't', .long_name = "threads", \
	.arg = "n", .help = "number of threads (0: all processors)", .to = (p), \
	.min = 0, .max = 1024 }
#define OPT_SEED(p, initial) { .kind = OPT_INT, .short_name = 's', .long_name = "seed", \
	.arg = "n", .help = "seed of the random number generator (" initial ")", .to = (p), \
	.min = 0, .max = 9007199254740992.0 }
#define OPT_QUIET(p) { .kind = OPT_FLAG, .short_name = 'q', .long_name = "quiet", \
	.help = "print no progress and no summary", .to = (p) }
#define OPT_FORCE(p) { .kind = OPT_FLAG, .long_name = "force", \
	.help = "read binary data from a terminal, or write it to one", .to = (p) }, \
	OPT_OLD_LETTER('f', "--force")
#define OPT_NO_PG { .kind = OPT_FLAG, .long_name = "no-pg", \
	.help = "do not add this program to the provenance", .to = &cli_no_pg }

/*
 * Short forms of rows, for tables with many options.  `letter` is 0 for an option without a letter.
 * `word` is the word shown for the value, and `p` the address of the value.  `names` are the
 * possible values of a choice, and `text` is the help text.  Numbers are from `from` to `upto`.
 */
#define OPT_ROW_FLAG(letter, name, p, text) { .kind = OPT_FLAG, .short_name = (letter), \
	.long_name = (name), .to = (p), .help = text }
#define OPT_ROW_TEXT(letter, name, word, p, text) { .kind = OPT_STRING, .short_name = (letter), \
	.long_name = (name), .arg = (word), .to = (p), .help = text }
#define OPT_ROW_LIST(letter, name, word, p, text) { .kind = OPT_LIST, .short_name = (letter), \
	.long_name = (name), .arg = (word), .to = (p), .help = text }
#define OPT_ROW_PART(name, word, p, text) { .kind = OPT_PARTS, .long_name = (name), \
	.arg = (word), .to = (p), .help = text }
#define OPT_ROW_CHOICE(name, word, p, names, text) { .kind = OPT_CHOICE, .long_name = (name), \
	.arg = (word), .to = (p), .choice = (names), .help = text }
#define OPT_ROW_INT(name, p, from, upto, text) { .kind = OPT_INT, .long_name = (name), \
	.arg = "n", .to = (p), .min = (from), .max = (upto), .help = text }
#define OPT_ROW_FLOAT(name, p, from, upto, text) { .kind = OPT_FLOAT, .long_name = (name), \
	.arg = "x", .to = (p), .min = (from), .max = (upto), .help = text }

extern bool cli_no_pg;			/* --no-pg was given, see OPT_NO_PG */

/*
 * Parses the command line `argv[argc]` and stores the values of options.  --help, --version and
 * --options-tsv print their text and exit.  Exits with EXIT_USAGE on an unknown or former option,
 * an option without effect (OPT_NEEDS, OPT_NOT_WITH), or an invalid value.  Returns the number of
 * operands, and stores their array in *operands; the array is part of `argv` and ends with NULL.
 */
int cli_begin(const struct program *p, int argc, char **argv, char ***operands);
/*
 * Like cli_begin(), for a program that reads at most one file.  Exits with EXIT_USAGE if more are
 * given.  Returns the path, or NULL without operands.
 */
const char *cli_begin_one(const struct program *p, int argc, char **argv);
/*
 * Of the n operands that cli_begin() returned, the number of those given before "--"; n without
 * "--".
 */
int cli_before_dashes(int n);

/* Adds a hint on the option that sets the variable `limit`, if the program has such an option. */
void cli_hint_limit(const void *limit, struct err *e);

/*
 * For the provenance: the arguments, joined by spaces.  Of a path, only its last component is kept:
 * the provenance describes the run, not the machine.  cli_add_arg() appends one argument so.
 */
const char *cli_args(void);
void cli_add_arg(struct buf *b, const char *arg);
const char *cli_version(void);		/* the contents of the file VERSION */

/*
 * Parses `text`, "key=value,key=value", into the struct at `state`, such as the settings of an
 * attention variant, of a back end or of --arch.  Each row of `table` is a setting; `at` is the
 * offset of its member in the struct.  "key" alone sets a flag, and so do the values on, yes and 1;
 * off, no and 0 clear it.  A string member must be NULL or set by an earlier call; the earlier
 * string is freed.  Returns 0, or -1 with EXIT_USAGE for an unknown or duplicate key or an invalid
 * value; earlier settings of the text are then already stored.
 */
int cli_settings(const struct opt *table, void *state, const char *text, struct err *e);
/* Frees the strings of the struct at `state`, and sets them to NULL. */
void cli_settings_release(const struct opt *table, void *state);

/*
 * The inverse of cli_settings(): appends all settings as "key=value,key=value", except those that
 * `omit` leaves out.
 */
struct buf;
void cli_settings_describe(const struct opt *table, const void *state, struct buf *out);

/*
 * Closes standard output and returns `s`, the exit status for main().  If standard output could not
 * be written, for instance because the disk is full, and `s` is EXIT_OK or EXIT_NO, exits with
 * EXIT_SYSTEM.
 */
int cli_end(enum exit_status s);

#endif
