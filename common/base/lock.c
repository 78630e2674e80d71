/* lock: see lock.h. */
#include "base/lock.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/temporary.h"

enum { OWNER = 128 };		/* bytes of "PID HOST" */

struct lock {
	int fd;			/* -1: the file system has no locks */
	char *name;
};

static int
lock(int fd, int action)
{
	int r;

	do
		r = flock(fd, LOCK_EX | (action & LOCK_WAIT ? 0 : LOCK_NB));
	while (r && errno == EINTR);
	return r;
}

/* Does the name still refer to the open file?  -1: unknown, an error. */
static int
lock_is_at(const char *name, int fd)
{
	struct stat a, b;

	if (fstat(fd, &a))
		return -1;
	if (lstat(name, &b))
		return errno == ENOENT ? 0 : -1;
	return a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

/* Closes a file that cannot be locked, and removes it if it is new; keeps errno. */
static int
give_up(int fd, const char *name, int flags)
{
	const int problem = errno;

	if (flags & O_EXCL)
		unlink(name);
	close(fd);
	errno = problem;
	return -1;
}

int
lock_open(const char *name, int flags, mode_t mode, int action)
{
	for (;;) {
		const int fd = open(name, flags | O_CLOEXEC | O_NOFOLLOW, mode);
		int at;

		if (fd < 0)
			return -1;
		if (lock(fd, action))
			return action & LOCK_WAIT ? fd : give_up(fd, name, flags);
		at = lock_is_at(name, fd);
		if (at > 0)
			return fd;
		if (at < 0)
			return give_up(fd, name, flags);
		close(fd);
	}
}

/* The process that holds the lock, from the lock file; only characters safe for a terminal. */
static void
read_owner(const char *name, char owner[OWNER])
{
	int fd = open(name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	ssize_t n = fd < 0 ? 0 : read(fd, owner, OWNER - 1);

	if (fd >= 0)
		close(fd);
	owner[n > 0 ? n : 0] = 0;
	for (n = 0; isalnum((unsigned char)owner[n]) || (owner[n] && strchr(" .-", owner[n])); n++)
		;
	owner[n] = 0;
}

/* Only for the message in other processes: the lock holds even if this fails. */
static void
write_owner(int fd)
{
	char owner[OWNER], host[64] = "";

	gethostname(host, sizeof(host) - 1);
	snprintf(owner, sizeof(owner), "%ld on %s\n", (long)getpid(), host);
	if (ftruncate(fd, 0) || pwrite(fd, owner, strlen(owner), 0) < 0)
		errno = 0;
}

static int
taken(const char *path, const char *name, struct err *e)
{
	char owner[OWNER];

	read_owner(name, owner);
	err_set(e, EXIT_SYSTEM, "%s is in use by %s%s, expected no other process", path,
		*owner ? "process " : "another process", owner);
	err_hint(e, "wait for it to end, or give another file; %s is locked while it runs", name);
	return -1;
}

static int
refused(const char *path, const char *name, struct err *e)
{
	switch (errno) {
	case EWOULDBLOCK:
		return taken(path, name, e);
	case ENOLCK:
	case EOPNOTSUPP:
	case ENOSYS:
		warn("%s: the file system has no locks; two processes could use the file at once",
		     path);
		return 0;
	}
	return err_system(e, "cannot lock %s", name);
}

struct lock *
lock_take(const char *path, struct err *e)
{
	struct lock *l = xcalloc(1, sizeof(*l));
	char *real = realpath(path, NULL);

	if (!real)
		real = xstrdup(path);
	l->name = xasprintf("%s.lock", real);
	l->fd = lock_open(l->name, O_RDWR | O_CREAT, 0666, 0);
	if (l->fd >= 0) {
		write_owner(l->fd);
		temporary_remember(l->name);
	} else if (refused(path, l->name, e)) {
		lock_release(l);
		l = NULL;
	}
	if (l)
		strays_remove(real);
	free(real);
	return l;
}

/* The file is removed while the lock is held, so that no lock of another process is removed. */
void
lock_release(struct lock *l)
{
	if (!l)
		return;
	if (l->fd >= 0) {
		unlink(l->name);
		temporary_forget(l->name);
		close(l->fd);
	}
	free(l->name);
	free(l);
}
