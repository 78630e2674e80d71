/*
 * keyfile: settings as plain lines "key = value", of papers, profiles, parsers and the command
 * line.
 *
 * A line that begins with # is a comment; a backslash at the end of a line continues it.  A key may
 * have groups of words or ranges of numbers, "enc-{1..6}" or "{plain dea}-half": it then stands for
 * one key for each combination, and {1}, {2} in the value for the words of its groups.
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
	struct keyfile_entry *entry, *given;	/* by number of the key */
	size_t room, given_room;
};

void keyfile_init(struct keyfile *c);
void keyfile_release(struct keyfile *c);

/*
 * Reads a file, and puts `prefix` before its keys.  Returns -1 with EXIT_INPUT for a line without
 * "=", a key with other characters than letters, digits and "_.+-", a malformed group, and a
 * duplicate key; the message names file and line.
 */
int keyfile_read(struct keyfile *c, const char *path, const char *prefix, struct err *e) MUST_USE;
/* Adds a setting of the command line. */
void keyfile_give(struct keyfile *c, const char *key, const char *value);

/* The entry of a key in the files that were read, or on the command line; NULL if there is none. */
const struct keyfile_entry *keyfile_in_files(const struct keyfile *c, const char *key);
const struct keyfile_entry *keyfile_given(const struct keyfile *c, const char *key);
/* The entry of the command line or, if there is none, that of a file; NULL if there is neither. */
const struct keyfile_entry *keyfile_find(const struct keyfile *c, const char *key);

/* Entry i of all files.n + command.n entries, from 0; those of files come first. */
const struct keyfile_entry *keyfile_number(const struct keyfile *c, size_t i);

/* Sets "FILE:LINE: KEY: message", or "command line: KEY: message"; returns -1. */
int keyfile_fault(const struct keyfile_entry *k, struct err *e, const char *fmt, ...)
	PRINTF_LIKE(3, 4);

/* The members of a group, "1..6" or words, in n bytes at s; an empty list if it is malformed. */
struct list keyfile_group(struct arena *a, const char *s, size_t n);

#endif
