/*
 * descriptions: reads the paragraphs of package descriptions from apt's Translation-XX indexes.
 *
 * A stanza of an index describes a package in the lines Package:, Description-md5: and
 * Description-XX:, with continuation lines; see deb-control(5).  The title, each paragraph and each
 * list item of the description is a text.  The key of a text consists of the package, the MD5 sum,
 * the number of the text in its description, and the number of all texts of the description.  Only
 * descriptions with the same structure therefore have the same keys.
 */
#ifndef DESCRIPTIONS_H
#define DESCRIPTIONS_H

#include <stdint.h>

#include "base/err.h"
#include "stream/input.h"

/*
 * A function that is called for each text of n bytes at s, with its key.  `group` is the name of
 * the package up to its first '-' and without digits and periods at the end, so that related
 * packages have the same group.  `arg` is the caller's.  Returns 0, or -1 with an error to end the
 * reading.
 */
typedef int descriptions_take(void *arg, const char *group, const char *key, const char *s,
			      size_t n, struct err *e);

/*
 * Calls `take` for each text of an index, which is opened with INPUT_UTF8, and adds the number of
 * stanzas that have a package, an MD5 sum and a description to *stanzas.  Returns -1 with
 * EXIT_INPUT and the number of the line if a line is malformed, or with the error of `take`.
 */
int descriptions_read(struct input *input, descriptions_take *take, void *arg, int64_t *stanzas,
		      struct err *e) MUST_USE;

#endif
