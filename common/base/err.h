/*
 * err: errors that are returned to the caller.
 *
 * A function that can fail takes a struct err * as its last argument.  It returns 0 or a pointer on
 * success, and -1 or NULL on failure.  The function that fails fills err; its callers may prefix
 * the message with err_wrap() and add advice with err_hint().  Failed assertions and exhausted
 * memory are not returned: bug() and die_memory() end the program.
 */
#ifndef ERR_H
#define ERR_H

#include <stdbool.h>
#include <stddef.h>

#include "base/compiler.h"

enum exit_status {
	EXIT_OK       = 0,	/* success */
	EXIT_NO       = 1,	/* success, and the answer is no (checking tools) */
	EXIT_USAGE    = 2,	/* the command line is wrong */
	EXIT_INPUT    = 3,	/* malformed, truncated or mismatched input */
	EXIT_SYSTEM   = 4,	/* files, memory, devices */
	EXIT_DIVERGED = 5	/* training diverged; the last good checkpoint is kept */
};

struct err {
	enum exit_status status;
	bool unknown;		/* see err_unknown() */
	char text[768];		/* the message */
	char hint[256];		/* printed on its own line; "" if there is no advice */
};

/*
 * err_set() sets status and message, and no hint.  err_wrap() puts "fmt: " before the message.
 * Long messages are truncated.  Both functions always return -1, so that a caller can write "return
 * err_set(...)".
 */
int  err_set(struct err *e, enum exit_status s, const char *fmt, ...) PRINTF_LIKE(3, 4);
int  err_wrap(struct err *e, const char *fmt, ...) PRINTF_LIKE(2, 3);

/* Sets EXIT_SYSTEM and the message "fmt: strerror(errno)"; returns -1. */
int  err_system(struct err *e, const char *fmt, ...) PRINTF_LIKE(2, 3);
/* Replaces the hint of e, which another function has set. */
void err_hint(struct err *e, const char *fmt, ...) PRINTF_LIKE(2, 3);
/* Sets EXIT_USAGE, a message, and the hint that --help lists the options; returns -1. */
int  err_usage(struct err *e, const char *fmt, ...) PRINTF_LIKE(2, 3);
/*
 * Sets e->unknown, after err_set(): the error is an unknown name of a setting, of a value or of a
 * variant, which a later version of heed may know.  Returns -1.
 */
int  err_unknown(struct err *e);

/* The program name that starts every message.  cli_begin() sets it; `name` is not copied. */
void err_program(const char *name);
const char *err_program_name(void);

/*
 * Suppresses (`yes`) or restores the output of warn(), err_print() and die(): when several
 * processes detect the same problem, only one reports it.
 */
void err_silence(bool yes);

/*
 * Messages may contain input data, so all functions but bug() escape control characters (escape.h).
 */
void warn(const char *fmt, ...) PRINTF_LIKE(1, 2);	/* "program: warning: ..." */
void err_print(const struct err *e);			/* "program: text" and the hint */
NORETURN void die(const struct err *e);			/* err_print() and exit(status) */
NORETURN void die_usage(const char *fmt, ...) PRINTF_LIKE(1, 2);	/* err_usage() and die() */
NORETURN void die_memory(size_t n);			/* cannot allocate n bytes: exit 4 */
NORETURN void bug(const char *fmt, ...) PRINTF_LIKE(1, 2);	/* failed assertion: abort() */

#endif
