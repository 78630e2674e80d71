/*
 * descriptions: reads the paragraphs of apt's Translation-XX indexes.
 *
 * A stanza has the lines Package:, Description-md5: and Description-XX: with continuation lines;
 * see deb-control(5).  The title, each paragraph and each list item is one text.  Its key
 * consists of package, MD5 sum, the number of the text and the total number, so that only
 * descriptions with the same structure are joined.
 */
#ifndef DESCRIPTIONS_H
#define DESCRIPTIONS_H

#include <stdint.h>

#include "base/err.h"
#include "stream/input.h"

/*
 * A function that is called for each text, with its key.  `group` is the name of the package up to
 * its first '-' and without final digits, so that related packages have the same group.
 */
typedef int descriptions_take(void *arg, const char *group, const char *key, const char *s,
			      size_t n, struct err *e);

/*
 * Calls `take` for each text and adds the number of stanzas to *stanzas.  A malformed line is an
 * error whose message names the line.
 */
int descriptions_read(struct input *input, descriptions_take *take, void *arg, int64_t *stanzas,
		      struct err *e) MUST_USE;

#endif
