/*
 * gettext: reads the message catalogs of GNU gettext, compiled (.mo) or as text (.po).
 *
 * The formats are those of the manual of gettext, "The Format of GNU MO Files" and "The Format of
 * PO Files".  All text is UTF-8: a catalog whose header names another charset is an error.
 */
#ifndef HEED_GETTEXT_H
#define HEED_GETTEXT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "stream/input.h"
#include "stream/stream.h"

enum { MESSAGE_FORMS = 16 };		/* a message with more plural forms is an error */

/* A string that the catalog lacks has s NULL.  The bytes are valid until message_take() returns. */
struct message {
	struct str context;		/* msgctxt */
	struct str original, plural;	/* msgid, msgid_plural */
	struct str form[MESSAGE_FORMS];	/* [forms] msgstr; each is UTF-8 without NUL bytes */
	int forms;			/* 1 or more */
	bool fuzzy;			/* in .po: marked as possibly not fitting the original */
};

/*
 * A function that is called for each message, except the header of the catalog.  If it returns -1,
 * the reader stops and returns its error.
 */
typedef int message_take(void *arg, const struct message *m, struct err *e);

/*
 * Reads a compiled catalog of n bytes, in either byte order.  Every offset is checked, and strings
 * may not overlap, so that time and memory are bounded by n.  In catalogs of minor revision 1,
 * system-dependent strings are left out.
 */
int mo_read(const char *p, size_t n, message_take *take, void *arg, struct err *e) MUST_USE;

/*
 * Reads a catalog in text form.  Obsolete messages are left out.  An entry of more than
 * input_max_line MiB is an error.
 */
int po_read(struct input *input, message_take *take, void *arg, struct err *e) MUST_USE;

/* For the readers: checks the charset that the header of a catalog names. */
int gettext_check_header(const char *s, size_t n, struct err *e) MUST_USE;

#endif
