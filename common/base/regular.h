/*
 * regular: files that the user has not named, but that a program finds in a folder.
 *
 * Such a folder may come from a stranger, and may contain a FIFO, which would let a program wait
 * forever, or a device.  These functions never wait, and accept only regular files and symbolic
 * links to them.
 */
#ifndef REGULAR_H
#define REGULAR_H

#include "base/compiler.h"
#include "base/err.h"

/*
 * Opens a file for reading; returns its descriptor.  Fails with EXIT_SYSTEM if it cannot be opened,
 * and EXIT_INPUT if it is not a regular file.
 */
int regular_open(const char *path, struct err *e) MUST_USE;

/*
 * Returns 0 if regular_open() accepts the file, and otherwise -1 with its error, for callers that
 * open the file by other means.
 */
int regular_check(const char *path, struct err *e) MUST_USE;

#endif
