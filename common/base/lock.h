/*
 * lock: files that one process has at a time.
 *
 * Locks are advisory, flock(2): they are gone when their process is, however it ends, and are seen
 * from other hosts wherever the file system passes them on, as NFS does.
 */
#ifndef LOCK_H
#define LOCK_H

#include <sys/types.h>

#include "base/compiler.h"
#include "base/err.h"

/*
 * For the whole life of a training, say: while the lock on path is held nobody else gets it.
 * What is locked is PATH.lock, so that path need not exist and may be replaced; lock_release()
 * removes it. NULL and EXIT_SYSTEM, with the process that has it, if another one does.  A file
 * system without locks costs a warning.  What processes that were killed left of path (stray.h)
 * is removed.
 */
struct lock;

struct lock *lock_take(const char *path, struct err *e) MUST_USE;
void lock_release(struct lock *l);		/* NULL is fine */

/*
 * Opens a file like open(2) and locks it.  When it returns the file is still under its name,
 * whoever else was about to remove it.  -1 and errno, EWOULDBLOCK if another process has it; with
 * LOCK_WAIT it waits, and a file system without locks is fine.
 */
enum { LOCK_WAIT = 1 };
int lock_open(const char *name, int flags, mode_t mode, int how) MUST_USE;

#endif
