/*
 * descriptions: the paragraphs of apt's Translation-XX indexes.
 *
 * A stanza has the lines Package:, Description-md5: and Description-XX: with its
 * continuation lines; see deb-control(5).  The title, each paragraph and each item
 * of a list is one text; its key holds the package, the md5 sum, its number and
 * how many there are, so that only descriptions of equal structure join.
 */
#ifndef DESCRIPTIONS_H
#define DESCRIPTIONS_H

#include <stdint.h>

#include "base/err.h"
#include "stream/input.h"

/* group: the package's name up to its first '-' and without digits, so that its kin stay together. */
typedef int descriptions_take(void *arg, const char *group, const char *key, const char *s, size_t n, struct err *e);

/* Reads to the end; *stanzas counts.  Malformed lines are errors that name the line. */
int descriptions_read(struct input *in, descriptions_take *take, void *arg, int64_t *stanzas, struct err *e)
	MUST_USE;

#endif
