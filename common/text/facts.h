/*
 * facts: what a run came to, a line a fact: name, tab, value; a name twice is an error.  Those that
 * identify a run are column (CORPUS.PAIR, or CORPUS.PAIR@SIZE), variant and seed.
 */
#ifndef FACTS_H
#define FACTS_H

#include <stddef.h>
#include <stdint.h>

#include "base/compiler.h"
#include "base/err.h"
#include "base/texts.h"

struct facts {
	const char *path;		/* the caller's */
	struct fact { const char *name, *value; } *fact;
	size_t n;
	struct texts texts;
	const char *paper, *column, *variant, *seed;	/* always there */
};

int facts_read(struct facts *f, const char *path, struct err *e) MUST_USE;
int facts_read_memory(struct facts *f, const char *name, const void *p, size_t n,
		      struct err *e) MUST_USE;
void facts_release(struct facts *f);

const char *facts_find(const struct facts *f, const char *name);	/* or NULL */
double facts_number(const struct facts *f, const char *name);	/* NAN if there is none */

#endif
