/*
 * stray: temporary files of processes that were killed, and how they are told from those at work.
 *
 * While PATH is written it is PATH.PID-HOST.tmp, HOST a number made of the host's name, and
 * locked by its process (lock.h).  One that is not locked is a stray: no PID is looked at, for it
 * may be another process's by now, or one of another host.
 */
#ifndef STRAY_H
#define STRAY_H

/* The temporary name of path for this process; the caller's. */
char *stray_name(const char *path);

/*
 * Removes the strays of path that are the user's own.  Those of other hosts, and of heed 0.5 and
 * before, which locked nothing, only when they were not written to for a day: not every file system
 * passes locks on.
 */
void strays_remove(const char *path);

#endif
