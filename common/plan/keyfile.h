/*
 * keyfile: settings as plain lines "key = value", from files, and from the command line.
 * plan/plan.h reads the settings of papers, profiles and parsers with it.
 *
 * A line that begins with # is a comment; a backslash at the end of a line continues it.  A key may
 * have up to three groups in braces, each with words separated by blanks or a range of at most 1001
 * numbers, "enc-{1..6}" or "{plain dea}-half".  It then stands for one key for each combination of
 * their members, such as enc-1 to enc-6; and {1} in the value stands for the member of the first
 * group, {2} for that of the second.
 */
#ifndef KEYFILE_H
#define KEYFILE_H

#include "base/arena.h"
#include "base/err.h"
#include "base/strmap.h"
#include "plan/list.h"

struct keyfile_entry {
	const char *key;		/* with the prefix of its file: "voita.title" */
	const char *value;
	const char *file;		/* NULL: the command line */
	size_t line;
};

struct keyfile {
	struct arena arena;
	struct strmap files, command;	/* keys of files, and of the command line */
	struct keyfile_entry *entry, *given;	/* entries by the number that the key has in `files`
						 * and in `command` */
	size_t room, given_room;
};

/* All entries, and all texts in them, live until keyfile_release(). */
void keyfile_init(struct keyfile *c);
void keyfile_release(struct keyfile *c);

/*
 * Reads a file, and puts `prefix`, which may be "", before its keys.  The texts are copied, so
 * prefix and path may change afterwards.  Returns -1 with EXIT_INPUT for a line without "=", a key
 * that has other characters than letters, digits and "_.+-@" or that ends in ".", a malformed
 * group, and a key that another line of the files read so far has; the message names file and line.
 */
int keyfile_read(struct keyfile *c, const char *path, const char *prefix, struct err *e) MUST_USE;
/*
 * Adds a setting of the command line, in place of an earlier one with this key.  Its key has no
 * groups.  Key and value are copied; the name of a file from which it is, in place of the command
 * line, is not.
 */
void keyfile_give(struct keyfile *c, struct keyfile_entry k);

/* The entry of a key in the files that were read, or on the command line; NULL if there is none. */
const struct keyfile_entry *keyfile_in_files(const struct keyfile *c, const char *key);
const struct keyfile_entry *keyfile_given(const struct keyfile *c, const char *key);
/* The entry of the command line or, if there is none, that of a file; NULL if there is neither. */
const struct keyfile_entry *keyfile_find(const struct keyfile *c, const char *key);

/* Entry i of all files.n + command.n entries, from 0; those of files come first. */
const struct keyfile_entry *keyfile_number(const struct keyfile *c, size_t i);

/* The place of an entry, for messages: "FILE:LINE: KEY" or "command line: KEY". */
const char *keyfile_place(struct arena *a, const struct keyfile_entry *k);

#endif
