/*
 * io: a preloaded library (LD_PRELOAD) that makes system calls fail, to test how programs react.
 * The environment variable HEED_INJECT selects the failure:
 *
 *   read:3       The third read fails with EIO.  Also: write, fsync, close, rename, open, fstat.
 *   mmap:3       The third mmap fails with ENOMEM, as if there were no memory.
 *   cut:3        The file of the third mmap of a file is truncated to 0 bytes after that.
 *   full:3       The disk has room for three bytes: a write that needs more is short, and all
 *                further writes to regular files fail with ENOSPC.
 *   kill:read:3  The process is killed before the third read.  A write first writes half its bytes.
 *   short        Every read and write transfers only one byte.
 *   eintr        Every other read and write is interrupted before it transfers anything.
 *
 * For each injected failure, "injected" is written to standard error.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static int calls[9];

enum { FINE, FAIL, KILL };

/* Counts a call and decides whether it fails. */
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

static void
report(void)
{
	static const char word[] = "injected\n";

	syscall(SYS_write, STDERR_FILENO, word, sizeof(word) - 1);
}

/* Returns 1 if the call must fail; kills the process if that is requested. */
static int
fails(int number, const char *name)
{
	const int how = fate(number, name);

	if (how == FINE)
		return 0;
	report();
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

/* The number of bytes that fit on the disk, at most n; -1 and ENOSPC if there is no room. */
static ssize_t
room(int fd, size_t n)
{
	static size_t used;
	const char *what = getenv("HEED_INJECT");
	struct stat st;
	size_t left;

	if (!what || strncmp(what, "full:", 5) || syscall(SYS_fstat, fd, &st) ||
	    !S_ISREG(st.st_mode))
		return (ssize_t)n;
	left = (size_t)atol(what + 5) - used;
	if (n > left) {
		report();
		n = left;
	}
	used += n;
	errno = ENOSPC;
	return n ? (ssize_t)n : -1;
}

ssize_t
write(int fd, const void *p, size_t n)
{
	if (write_fails(fd, p, n) || interrupted())
		return -1;
	if (n) {
		const ssize_t fit = room(fd, n);

		if (fit < 0)
			return -1;
		n = (size_t)fit;
	}
	return syscall(SYS_write, fd, p, mode_is("short") && n ? 1 : n);
}

int
fsync(int fd)
{
	return fails(2, "fsync") ? -1 : (int)syscall(SYS_fsync, fd);
}

/* A failed close closes the descriptor, as on Linux. */
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
fstat(int fd, struct stat *st)
{
	return fails(8, "fstat") ? -1 : (int)syscall(SYS_fstat, fd, st);
}

void *
mmap(void *p, size_t n, int prot, int flags, int fd, off_t at)
{
	void *found;

	if (fails(6, "mmap")) {
		errno = ENOMEM;
		return MAP_FAILED;
	}
	found = (void *)syscall(SYS_mmap, p, n, prot, flags, fd, at);
	if (fd >= 0 && fate(7, "cut") == FAIL) {
		char name[64];

		snprintf(name, sizeof(name), "/proc/self/fd/%d", fd);
		if (!truncate(name, 0))
			report();
	}
	return found;
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
