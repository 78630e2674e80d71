/*
 * facts: the settings and results of a run, one training of one system, as text.  A file with the
 * facts of a run is called a record.  Each line has a fact: a name, a tab and a value.  A duplicate
 * name is an error.
 *
 * The facts paper, column, variant and seed name the run and are required.  The column names the
 * data, CORPUS.PAIR, or CORPUS.PAIR@SIZE for a sample of SIZE sentence pairs.  The variant is the
 * system.  The seed is an integer without leading zeros.
 */
#ifndef FACTS_H
#define FACTS_H

#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/compiler.h"
#include "base/err.h"
#include "base/texts.h"

struct facts {
	const char *path;		/* the path or name from which the facts were read, which
					 * belongs to the caller */
	struct fact { const char *name, *value; } *fact;	/* [n] in the order of the lines */
	size_t n, room;
	struct texts texts;
	const char *paper, *column, *variant, *seed;	/* values of the required facts */
};

/*
 * Read facts from a file, or from n bytes at p, which messages call `name`.  Return 0, or -1 with
 * EXIT_INPUT if a line is malformed, if a required fact is missing or empty, has a slash or a tab,
 * or begins with a dot, or if the seed is not an integer.  Return -1 also if the file cannot be
 * read.  Call facts_release() in all cases.
 */
int facts_read(struct facts *f, const char *path, struct err *e) MUST_USE;
int facts_read_memory(struct facts *f, const char *name, const void *p, size_t n,
		      struct err *e) MUST_USE;
/*
 * Reads a part of a record from n bytes at p: no fact is required, and the members paper, column,
 * variant and seed are NULL, even if the facts are there.
 */
int facts_read_part(struct facts *f, const char *name, const void *p, size_t n,
		    struct err *e) MUST_USE;
void facts_release(struct facts *f);

/*
 * facts_find() returns the value of a fact, or NULL if there is no such fact.  facts_number()
 * returns the value as a number, or NAN if there is no such fact or it is not a number.
 */
const char *facts_find(const struct facts *f, const char *name);
double facts_number(const struct facts *f, const char *name);
/* For messages: "missing" instead of NULL. */
const char *facts_shown(const struct facts *f, const char *name);

/*
 * Reads the n records at `path`, and prints the facts of each, in their order, as one JSON object
 * on a line of standard output.  Values that are decimal numbers as in JSON, without exponent,
 * become numbers with the same digits; all other values become strings.  These facts are always
 * strings: paper, column, variant, settings, after, closed, checksum, digest, commit, version, and
 * those whose names begin with data. or target.
 */
int facts_json_print(const char *const *path, int n, struct err *e) MUST_USE;

#endif
