/*
 * err: what went wrong, for a caller who can still do something about it.
 *
 * A function that can fail because of its input takes a struct err * last,
 * returns 0 or a pointer when all is well, and -1 or NULL when not.  It fills
 * err exactly once; callers on the way up may put words in front with
 * err_wrap() and a cure behind with err_hint().  Failed assertions and
 * exhausted memory do not come here: they end the program through bug() and
 * die_memory().
 */
#ifndef ERR_H
#define ERR_H

#include <stdbool.h>
#include <stddef.h>

#include "base/compiler.h"

enum exit_status {
	EXIT_OK       = 0,	/* done */
	EXIT_NO       = 1,	/* done, and the answer is no (checking tools) */
	EXIT_USAGE    = 2,	/* the command line makes no sense */
	EXIT_INPUT    = 3,	/* malformed, truncated or mismatched input */
	EXIT_SYSTEM   = 4,	/* files, memory, devices */
	EXIT_DIVERGED = 5	/* training diverged; the last good checkpoint is kept */
};

struct err {
	enum exit_status status;
	bool unknown;		/* see err_unknown() */
	char text[768];
	char hint[256];		/* printed on a line of its own; "" if no cure is known */
};

/* Both always return -1, so that "return err_set(...)" reads well. */
int  err_set(struct err *e, enum exit_status s, const char *fmt, ...) PRINTF_LIKE(3, 4);
int  err_wrap(struct err *e, const char *fmt, ...) PRINTF_LIKE(2, 3);	/* "words: text" */

/* EXIT_SYSTEM, with what strerror() says of errno behind the words. */
int  err_system(struct err *e, const char *fmt, ...) PRINTF_LIKE(2, 3);
void err_hint(struct err *e, const char *fmt, ...) PRINTF_LIKE(2, 3);
/*
 * Marks what err_set() has set: the reason is a name that this version does not know, of a
 * setting, one of its words or a variant, and that a later version may know.  Returns -1.
 */
int  err_unknown(struct err *e);

/* The name that stands in front of every message; set by cli_begin(). */
void err_program(const char *name);
const char *err_program_name(void);

/* Where many processes find the same, one says it: warn() and die() print nothing from now on. */
void err_silence(bool yes);

/* What is printed here is data in part: control characters come out escaped (escape.h). */
void warn(const char *fmt, ...) PRINTF_LIKE(1, 2);	/* "program: warning: ..." */
void err_print(const struct err *e);			/* "program: text" and the hint */
NORETURN void die(const struct err *e);			/* err_print() and exit(status) */
NORETURN void die_usage(const char *fmt, ...) PRINTF_LIKE(1, 2);
NORETURN void die_memory(size_t n);			/* exit 4 */
NORETURN void bug(const char *fmt, ...) PRINTF_LIKE(1, 2);	/* a broken assertion: abort() */

#endif
