/*
 * cli: command lines.  One table per program lists its options.  The parser, the
 * --help text and the man-page check all read that table.
 *
 * Long options take "--name value" or "--name=value", short ones "-x value" or
 * "-xvalue"; flags may be bundled; "--" ends the options; options and operands
 * may be mixed.  An option with a single value is given at most once.
 *
 * Every program also answers -h, --help and --version.  --help prints the
 * options under the headings of the table (OPT_GROUP) and the program's
 * example.  --options-tsv prints the table for other programs, one option a
 * line: letter, name, value, help, "1", or "+" if the option may be given several
 * times, the possible values of a choice, separated by blanks, and the options that it needs,
 * or after "not", those with which it has no effect (OPT_NEEDS, OPT_NOT_WITH).
 *
 * A letter has one meaning in all programs: the table in HACKING.md.  A name or
 * letter that an option had in an earlier version stays in the table of the program
 * as OPT_OLD_NAME or OPT_OLD_LETTER: it is refused, and the hint has the new name.
 */
#ifndef CLI_H
#define CLI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

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
	OPT_OLD,	/* no option: a former name or letter; help is the new one */
	OPT_NEED,	/* no option: options, in long_name, that need those in help */
	OPT_NOT		/* no option: options, in long_name, without effect with those in help */
};

struct opt_list { size_t n; const char **v; };
struct opt_parts { size_t n; struct opt_part { const struct opt *opt; const char *v; } *part; };

struct opt {
	enum opt_kind kind;
	char short_name;		/* 0 if there is only the long form */
	const char *long_name;
	const char *arg;		/* the word shown for the value */
	const char *help;		/* one line, no full stop; the default in parentheses */
	void *to;			/* address of the value; NULL for a row of cli_settings() */
	size_t at;			/* for cli_settings(): offset of the value in the state */
	double min, max;		/* OPT_INT and OPT_FLOAT, inclusive */
	const char *const *choice;	/* OPT_CHOICE, NULL-terminated */
	/* Settings: left out of descriptions while it is 0, off or the first choice. */
	bool omit;
};

/* Is the row a rule about options, and not an option itself? */
static inline bool
opt_is_rule(const struct opt *o)
{
	return o->kind == OPT_OLD || o->kind == OPT_NEED || o->kind == OPT_NOT;
}

/* The option with this name of n bytes, without dashes, or this letter; NULL if there is none. */
const struct opt *opt_find_long(const struct opt *table, const char *name, size_t n);
const struct opt *opt_find_letter(const struct opt *table, char letter);

struct program {
	const char *name, *synopsis, *summary;
	const struct opt *options;
	const char *example;		/* shown at the end of --help: a command that works */
	const char *reads, *writes;	/* stream kind, "any", "-" for text, NULL for nothing */
};

/* A heading in the table: the purpose of the rows up to the next one, in one to three words. */
#define OPT_GROUP(title) { .kind = OPT_HEADING, .help = (title) }

/* A former name without dashes or a former letter; now: what replaces it, such as "--to html". */
#define OPT_OLD_NAME(old, now) { .kind = OPT_OLD, .long_name = (old), .help = (now) }
#define OPT_OLD_LETTER(old, now) { .kind = OPT_OLD, .short_name = (old), .help = (now) }

/*
 * Rules on when options have an effect.  `names` has one or several options, without dashes,
 * separated by blanks.  `others` has one or several conditions, joined by " or ": an option, "--a",
 * or an option with a value, "--a value", which may also be one of a list with commas.  OPT_NEEDS
 * makes it an error to give an option of `names` if no condition is true, OPT_NOT_WITH if one is
 * true.  An option whose value is the number 0 counts as not given.
 */
#define OPT_NEEDS(names, others) { .kind = OPT_NEED, .long_name = (names), .help = (others) }
#define OPT_NOT_WITH(names, others) { .kind = OPT_NOT, .long_name = (names), .help = (others) }

/*
 * Rows that many programs share, so that a letter means the same everywhere.  `initial` is the
 * default, as a string for the help text.
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
 * Rows of any option, for tables with many: the letter (0 without one), the name, the word shown
 * for the value, where the value goes, and the help text.
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
 * Parses `argv`.  Answers --help and --version itself and exits; dies with
 * EXIT_USAGE on an unknown or former option, an option without effect, or a value out
 * of range.  Returns the number of operands and stores them in *operands (an array inside
 * `argv`, NULL-terminated).
 */
int cli_begin(const struct program *p, int argc, char **argv, char ***operands);
/* The number of these operands that were given before "--"; n, all of them, without "--". */
int cli_before_dashes(int n);

/* For the provenance: the arguments joined by spaces, each path reduced to its last component. */
const char *cli_args(void);
const char *cli_version(void);		/* the contents of the file VERSION */

/*
 * Parses "key=value,key=value" into a struct, by the same kind of table: for
 * attention variants, back ends and --arch.  A flag needs no "=value".  A string
 * member must be NULL or set by an earlier call, which is then freed.  A
 * duplicate key is an error.
 */
int cli_settings(const struct opt *table, void *state, const char *text, struct err *e);
void cli_settings_release(const struct opt *table, void *state);	/* frees the strings */

/* The inverse: appends all settings as "key=value,key=value", which cli_settings() reads back. */
struct buf;
void cli_settings_describe(const struct opt *table, const void *state, struct buf *out);

/* Closes stdout, so that a full disk is reported, and returns the exit status. */
int cli_end(enum exit_status s);

#endif
