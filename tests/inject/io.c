/*
 * io: preloaded (LD_PRELOAD), makes system calls fail, so that tests see what
 * programs do then.  The variable HEED_INJECT says what:
 *
 *   read:3     the third read fails with EIO; also write fsync close rename open
 *   kill:read:3  the process is killed before the third read; a write does half of its bytes first
 *   short      every read and write does one byte only
 *   eintr      every other read and write is interrupted before it does anything
 *
 * Whenever a call was made to fail, "injected" is written to standard error.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static int calls[8];

enum { FINE, FAIL, KILL };

/* Counts a call: what is to become of it. */
static int
fate(int number, const char *name)
{
	const char *what = getenv("HEED_INJECT");
	size_t n = strlen(name);
	int how = FAIL;

	calls[number]++;
	if (what && !strncmp(what, "kill:", 5)) {
		what += 5;
		how = KILL;
	}
	if (!what || strncmp(what, name, n) || what[n] != ':' ||
	    atoi(what + n + 1) != calls[number])
		return FINE;
	return how;
}

/* 1 if the call is to fail; does not return if the process is to die. */
static int
fails(int number, const char *name)
{
	static const char word[] = "injected\n";
	const int how = fate(number, name);

	if (how == FINE)
		return 0;
	syscall(SYS_write, STDERR_FILENO, word, sizeof(word) - 1);
	if (how == KILL)
		kill(getpid(), SIGKILL);
	errno = EIO;
	return 1;
}

/* The same for a write. */
static int
write_fails(int fd, const void *p, size_t n)
{
	if (fate(1, "write") == KILL)
		syscall(SYS_write, fd, p, n / 2);
	calls[1]--;
	return fails(1, "write");
}

static int
mode_is(const char *name)
{
	const char *what = getenv("HEED_INJECT");

	return what && !strcmp(what, name);
}

static int
interrupted(void)
{
	static unsigned turn;

	if (!mode_is("eintr") || turn++ % 2)
		return 0;
	errno = EINTR;
	return 1;
}

ssize_t
read(int fd, void *p, size_t n)
{
	if (fails(0, "read") || interrupted())
		return -1;
	return syscall(SYS_read, fd, p, mode_is("short") && n ? 1 : n);
}

ssize_t
write(int fd, const void *p, size_t n)
{
	if (write_fails(fd, p, n) || interrupted())
		return -1;
	return syscall(SYS_write, fd, p, mode_is("short") && n ? 1 : n);
}

int
fsync(int fd)
{
	return fails(2, "fsync") ? -1 : (int)syscall(SYS_fsync, fd);
}

/* A failing close closes all the same, as on Linux. */
int
close(int fd)
{
	int r = (int)syscall(SYS_close, fd);

	return fails(3, "close") ? -1 : r;
}

int
rename(const char *from, const char *to)
{
	return fails(4, "rename") ? -1
				  : (int)syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0);
}

int
open(const char *path, int flags, ...)
{
	int mode = 0;
	va_list ap;

	if (flags & O_CREAT) {
		va_start(ap, flags);
		mode = va_arg(ap, int);
		va_end(ap);
	}
	return fails(5, "open") ? -1 : (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
}
