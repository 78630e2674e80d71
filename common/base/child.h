/*
 * child: runs another program and waits for its end.
 *
 * If this process gets signal INT, HUP, TERM or USR1 in the meantime, the program gets TERM; while
 * child_run() stores a stream, only once the program has closed this stream.  After the program has
 * ended, the signal acts on this process as usual.  So no program is left running, and temporary
 * files and locks are removed (temporary.h).  Ignored signals remain ignored.
 */
#ifndef CHILD_H
#define CHILD_H

#include "base/buf.h"
#include "base/compiler.h"
#include "base/err.h"

/* Which stream of the program child_run() stores: standard output, or standard error. */
enum child_text { CHILD_OUTPUT, CHILD_MESSAGES };

/*
 * Runs the program `argv[0]`, which is looked up in PATH.  `argv` ends with NULL.  The program gets
 * no standard input.  Unless `text` is NULL, its contents are replaced by what the program writes
 * to the stream `kind`, up to 1 MiB; the rest is dropped.  A stream that is not stored is that of
 * this process.  Returns the exit status of the program, or 128 + n if signal n ended the program,
 * as in shells.  Returns -1 with EXIT_SYSTEM if the program cannot be run.
 */
int child_run(char *const *argv, struct buf *text, enum child_text kind, struct err *e) MUST_USE;

#endif
