/*
 * tmx: reads translation memories in TMX, up to version 1.4, unit by unit.
 *
 * https://www.ttt.org/oscarStandards/tmx/tmx14b.html
 *
 * A unit (<tu>) has variants (<tuv>) in several languages, each with the text of a segment (<seg>).
 * Native codes in a segment, that is, the elements <bpt>, <ept>, <it>, <ph> and <ut>, are dropped
 * with their contents.  Of other elements, such as <hi>, only the tags are dropped.  White space is
 * replaced by single spaces, and dropped at the ends.
 *
 * The file is parsed while it is read, in any encoding that libxml2 knows.  No other file is read,
 * be it a DTD or an external entity.  A file that declares or uses entities other than those of XML
 * is an error, and so is a segment of more than input_max_line MiB (stream/input.h).
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
	struct str text[2];		/* the segment in each language of tmx_read() */
};

/*
 * A function that is called for each unit that has a segment in each language; `unit` is valid only
 * during the call.  If it returns -1, tmx_read() stops and returns -1 with its error.
 */
typedef int tmx_take(void *arg, const struct tmx_unit *unit, struct err *e);

struct tmx_counts {
	int64_t units;			/* number of units in the file */
	int64_t taken;			/* number of units that were passed to take() */
	char languages[128];		/* languages of the file, for messages: "de, en-US" */
};

/*
 * Calls take() with `arg` for each unit that has a segment in each of the `n` languages of `lang`;
 * `n` is 1 or 2.  A language is compared with the attribute xml:lang (or lang) without regard to
 * case; "en" also matches en-US and en_GB.  If several variants of a unit match a language, the
 * first one is used.  No variant is used for both languages.  Sets *counts.  Returns -1 with
 * EXIT_INPUT for a malformed file.
 */
int tmx_read(struct input *input, const char *const *lang, int n, tmx_take *take, void *arg,
	     struct tmx_counts *counts, struct err *e) MUST_USE;

#endif
