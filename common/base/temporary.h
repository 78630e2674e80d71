/*
 * temporary: removes temporary files when the process ends before they are complete.
 *
 * exit() removes the registered files, and a fatal signal removes them and then takes its default
 * action.  SIGKILL and fault signals such as SIGSEGV remove nothing.  Signals that are ignored or
 * that have a handler when the first file is registered are not changed.  Register a file before it
 * is created, or a signal between the two leaves it in place.
 */
#ifndef TEMPORARY_H
#define TEMPORARY_H

/* Registers and unregisters a file.  The caller owns path and keeps it until temporary_forget(). */
void temporary_remember(const char *path);
void temporary_forget(const char *path);

/* Removes all registered files; for signal handlers that end the process. */
void temporary_remove(void);

#endif
