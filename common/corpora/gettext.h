/*
 * gettext: reads the message catalogs of GNU gettext, in the compiled form (.mo) or the text form
 * (.po).
 *
 * The formats are described in the manual of gettext, "The Format of GNU MO Files" and "The Format
 * of PO Files".  All text must be UTF-8: a catalog whose header names another charset than UTF-8 or
 * ASCII is an error.
 */
#ifndef HEED_GETTEXT_H
#define HEED_GETTEXT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "stream/input.h"
#include "stream/stream.h"

enum { MESSAGE_FORMS = 16 };		/* a message with more plural forms is an error */

/*
 * A message and its translations.  The member s of a string is NULL if the catalog does not have
 * the string.  The bytes are valid until the message_take() function returns.
 */
struct message {
	struct str context;		/* msgctxt */
	struct str original, plural;	/* msgid, msgid_plural */
	struct str form[MESSAGE_FORMS];	/* [forms] msgstr: the translation, in each plural form;
					 * UTF-8 without NUL bytes */
	int forms;			/* 1 or more */
	bool fuzzy;			/* in .po: marked as a translation that may be wrong */
};

/*
 * A function that is called for each message of a catalog, except its header.  `arg` is the
 * caller's.  It returns 0, or -1 with an error, which ends the reading.
 */
typedef int message_take(void *arg, const struct message *m, struct err *e);

/*
 * Calls `take` for the messages of a compiled catalog of n bytes at p, in either byte order.  Every
 * offset is checked, and the strings together may not be longer than the file, so that time and
 * memory are bounded by n.  In catalogs of minor revision 1, system-dependent strings are left out.
 * Returns -1 with EXIT_INPUT if the catalog is malformed, or with the error of `take`.
 */
int mo_read(const char *p, size_t n, message_take *take, void *arg, struct err *e) MUST_USE;

/*
 * Calls `take` for the messages of a catalog in text form.  Obsolete messages are left out.
 * Returns -1 with EXIT_INPUT if the catalog is malformed, or an entry has more than input_max_line
 * MiB (stream/input.h), or with the error of `take`.
 */
int po_read(struct input *input, message_take *take, void *arg, struct err *e) MUST_USE;

/*
 * For the readers: checks the header of a catalog, n bytes at s.  Returns -1 with EXIT_INPUT if it
 * names another charset than UTF-8 or ASCII; the placeholder CHARSET of templates is accepted.
 */
int gettext_check_header(const char *s, size_t n, struct err *e) MUST_USE;

#endif
