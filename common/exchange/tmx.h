/*
 * tmx: reads translation memories in TMX, up to version 1.4, as a stream of units.
 *
 * https://www.ttt.org/oscarStandards/tmx/tmx14b.html
 *
 * A unit (<tu>) has variants (<tuv>) in several languages, each with a segment (<seg>).  The native
 * codes in a segment (<bpt>, <ept>, <it>, <ph>, <ut>) are dropped with their contents; of <hi>, the
 * text remains.  White space becomes a single space.
 *
 * The file is parsed as it arrives, in any encoding that libxml2 knows.  Nothing else is read: no
 * DTD, no external entity.  A file that declares or uses an entity of its own is an error, and so
 * is a segment of more than input_max_line MiB.
 */
#ifndef TMX_H
#define TMX_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "stream/input.h"
#include "stream/stream.h"

struct tmx_unit {
	int64_t number;			/* number of the unit in the file, from 1 */
	struct str text[2];
};

/*
 * A function that is called for each unit that has all languages.  If it returns -1, the reader
 * stops and returns its error.
 */
typedef int tmx_take(void *arg, const struct tmx_unit *unit, struct err *e);

struct tmx_counts {
	int64_t units;			/* number of units in the file */
	int64_t taken;
	char languages[128];		/* those of the file, for messages: "de, en-US" */
};

/*
 * Reads units with a segment in n languages, 1 or 2.  A language is the value of xml:lang (or lang)
 * without regard to case, and "en" is also en-US and en_GB.  If several variants of a unit match,
 * the first one counts.
 */
int tmx_read(struct input *input, const char *const *lang, int n, tmx_take *take, void *arg,
	     struct tmx_counts *counts, struct err *e) MUST_USE;

#endif
