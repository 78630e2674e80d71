/*
 * stray: finds and removes temporary files of killed processes.
 *
 * While PATH is being written it is named PATH.PID-HOST.tmp, where HOST is a hash of the host
 * name, and its process holds a lock on it (lock.h).  A temporary file without a lock is a stray.
 * The PID is not used to decide this: it may belong to a new process by now, or to one on another
 * host.
 */
#ifndef STRAY_H
#define STRAY_H

/* The temporary name of path for this process; the caller frees it. */
char *stray_name(const char *path);

/*
 * Removes the strays of path that belong to this user.  Files of another host are removed only if
 * they were not written to for a day, because not every file system forwards locks.
 */
void strays_remove(const char *path);

#endif
