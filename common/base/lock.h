/*
 * lock: exclusive locks on files.
 *
 * Locks are advisory, by flock(2).  The system releases a lock when its process ends, however it
 * ends.  Other hosts see the lock if the file system forwards locks, as NFS does.
 */
#ifndef LOCK_H
#define LOCK_H

#include <sys/types.h>

#include "base/compiler.h"
#include "base/err.h"

/*
 * Locks path until lock_release(), for instance for a whole training.  The locked file is
 * PATH.lock, so that path need not exist and may be replaced; lock_release() removes it.  If
 * another process holds the lock, returns NULL and EXIT_SYSTEM with a message that names that
 * process.  On a file system without locks, warns and succeeds.  Also removes temporary files of
 * path from killed processes (temporary.h).
 */
struct lock;

struct lock *lock_take(const char *path, struct err *e) MUST_USE;
void lock_release(struct lock *l);		/* l may be NULL */

/*
 * Opens a file as open(2) does, and locks it.  The file is guaranteed to still exist under its name
 * on return, even if another process was about to remove it.  Returns -1 and sets errno on failure;
 * EWOULDBLOCK means that another process holds the lock.  With LOCK_WAIT, waits for the lock, and
 * succeeds without one on a file system that has no locks.
 */
enum { LOCK_WAIT = 1 };
int lock_open(const char *name, int flags, mode_t mode, int action) MUST_USE;

#endif
