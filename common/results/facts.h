/*
 * facts: the settings and results of a run as text, one fact per line: name, tab, value.  A
 * duplicate name is an error.  The facts paper, column (CORPUS.PAIR or CORPUS.PAIR@SIZE), variant
 * and seed name a run and are required.  A seed is an integer without leading zeros.
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
	const char *path;		/* belongs to the caller */
	struct fact { const char *name, *value; } *fact;
	size_t n, room;
	struct texts texts;
	const char *paper, *column, *variant, *seed;	/* not NULL after facts_read() */
};

/*
 * Read facts from a file, or from n bytes at p; `name` is their name in messages.  Return 0, or -1
 * if a line is malformed, a required fact is missing or not usable as a file name, or the seed is
 * not an integer (EXIT_INPUT), or the file cannot be read.  Release f in both cases.
 */
int facts_read(struct facts *f, const char *path, struct err *e) MUST_USE;
int facts_read_memory(struct facts *f, const char *name, const void *p, size_t n,
		      struct err *e) MUST_USE;
/* The same for a part of a record: no fact is required, and members of absent facts are NULL. */
int facts_read_part(struct facts *f, const char *name, const void *p, size_t n,
		    struct err *e) MUST_USE;
void facts_release(struct facts *f);

/*
 * facts_find() returns the value of a fact, or NULL.  facts_number() returns it as a number, or NAN
 * if it is missing or not a number.
 */
const char *facts_find(const struct facts *f, const char *name);
double facts_number(const struct facts *f, const char *name);

/*
 * Appends the facts as one object on a line, in their order.  Values that are decimal numbers
 * without exponent become numbers with the same digits; all others become strings.
 */
void facts_json(const struct facts *f, struct buf *out);

/* Reads n records and prints them to standard output. */
int facts_json_print(const char *const *path, int n, struct err *e) MUST_USE;

#endif
