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
 * Locks `path` until lock_release(), for instance for a whole training.  The file that is locked is
 * PATH.lock, so that `path` need not exist and may be replaced; if `path` is a symbolic link, PATH
 * is its target.  lock_release() removes PATH.lock, and so does the end of the process, except by
 * SIGKILL and the like (temporary.h).  If another process holds the lock, returns NULL with
 * EXIT_SYSTEM and a message that names this process.  On a file system without locks, warns and
 * succeeds.  Also removes the temporary files that killed processes have left for `path`
 * (temporary.h).
 */
struct lock;

struct lock *lock_take(const char *path, struct err *e) MUST_USE;
void lock_release(struct lock *l);		/* l may be NULL */

/*
 * Opens the file `name` as open(2) does with `flags` and `mode`, but not a symbolic link, and locks
 * the file.  Returns its descriptor, or -1 with errno set.  On success, the file still exists under
 * its name, even if another process was about to remove it.  With `action` 0, does not wait: the
 * errno EWOULDBLOCK means that another process holds the lock.  With `action` LOCK_WAIT, waits for
 * the lock; if the file system has no locks, succeeds without one.  close(2) releases the lock.
 */
enum { LOCK_WAIT = 1 };
int lock_open(const char *name, int flags, mode_t mode, int action) MUST_USE;

#endif
