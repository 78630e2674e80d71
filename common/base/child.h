/*
 * child: runs another program and waits for its end.
 *
 * Signals INT, HUP, TERM and USR1 that arrive in the meantime are passed on to the program as TERM.
 * When it has ended, they act on this process as usual, so that no program is left running and
 * temporary files and locks are removed (temporary.h).
 */
#ifndef CHILD_H
#define CHILD_H

#include "base/buf.h"
#include "base/compiler.h"
#include "base/err.h"

/* What child_run() stores in its text, of at most 1 MiB; the rest is dropped. */
enum child_text { CHILD_OUTPUT, CHILD_MESSAGES };

/*
 * Runs `argv[0]`, which is looked up in PATH, with the arguments `argv`, up to a NULL, and without
 * standard input.  Unless `text` is NULL, it gets the standard output (CHILD_OUTPUT) or the
 * standard error (CHILD_MESSAGES) of the program.  Returns the exit status, 128 + n if signal n
 * ended the program, as in shells, or -1 and EXIT_SYSTEM if it cannot be run.
 */
int child_run(char *const *argv, struct buf *text, enum child_text kind, struct err *e) MUST_USE;

#endif
