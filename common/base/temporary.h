/*
 * temporary: removes temporary files if the process ends before they are complete, and the
 * temporary files that killed processes have left.
 *
 * exit() removes the registered files, and a fatal signal removes them and then takes its default
 * action.  SIGKILL and fault signals such as SIGSEGV remove nothing.  Signals that are ignored or
 * that have a handler when the first file is registered are not changed.  Register a file before
 * you create it; otherwise, a signal between the two calls leaves the file in place.
 */
#ifndef TEMPORARY_H
#define TEMPORARY_H

/*
 * Register a file, and unregister it.  `path` is not copied, and must live until temporary_forget()
 * with the same pointer.  At most 256 files can be registered at a time; further ones are not
 * removed.
 */
void temporary_remember(const char *path);
void temporary_forget(const char *path);

/* Removes all registered files; for signal handlers that end the process. */
void temporary_remove(void);

/*
 * The following functions find and remove the temporary files of killed processes.
 *
 * While PATH is being written it is named PATH.PID-HOST.tmp, where HOST is a hash of the host
 * name, and its process holds a lock on it (lock.h).  A temporary file without a lock is a stray.
 * The PID is not used to decide this: it may belong to a new process by now, or to one on another
 * host.
 */

/* Returns the temporary name of `path` for this process.  The caller frees it. */
char *stray_name(const char *path);

/*
 * Removes the strays of `path` that belong to this user.  Strays of another host are removed only
 * if they were not written to for a day, because not every file system forwards locks.
 */
void strays_remove(const char *path);

#endif
