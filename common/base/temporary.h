/*
 * temporary: removes temporary files when a signal ends the process.
 *
 * A fatal signal first removes the registered files and then takes its default action.  SIGKILL
 * and fault signals such as SIGSEGV remove nothing.  Signals that are ignored or that have a
 * handler when the first file is registered are not changed.  Register a file before it is created,
 * or a signal between the two leaves it in place.
 */
#ifndef TEMPORARY_H
#define TEMPORARY_H

/* Registers and unregisters a file.  The caller owns path and keeps it until temporary_forget(). */
void temporary_remember(const char *path);
void temporary_forget(const char *path);

#endif
