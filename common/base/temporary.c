/* temporary: see temporary.h. */
#include "base/temporary.h"

#include <dirent.h>
#include <fcntl.h>
#include <inttypes.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/hash.h"
#include "base/lock.h"
#include "base/mem.h"
#include "base/output.h"

/* Files beyond this number are not registered: a signal leaves them in place. */
enum { MAX_FILES = 256 };

static _Atomic(const char *) remembered[MAX_FILES];

/* Catchable signals that end a process from outside or when it exceeds a limit. */
static const int fatal[] = {
	SIGINT, SIGHUP, SIGTERM, SIGPIPE, SIGQUIT, SIGXFSZ, SIGXCPU, SIGALRM, SIGUSR1, SIGUSR2
};

void
temporary_remove(void)
{
	for (int i = 0; i < MAX_FILES; i++) {
		const char *path = atomic_load(&remembered[i]);

		if (path)
			unlink(path);
	}
}

/* Async-signal-safe: calls only unlink(), signal() and raise(). */
static void
temporary_end(int number)
{
	temporary_remove();
	signal(number, SIG_DFL);
	raise(number);
}

static void
catch_fatal(void)
{
	struct sigaction a, before;

	memset(&a, 0, sizeof(a));
	sigemptyset(&a.sa_mask);
	a.sa_handler = temporary_end;
	for (size_t i = 0; i < sizeof(fatal) / sizeof(*fatal); i++)
		if (!sigaction(fatal[i], NULL, &before) && before.sa_handler == SIG_DFL)
			sigaction(fatal[i], &a, NULL);
	atexit(temporary_remove);
}

void
temporary_remember(const char *path)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	pthread_once(&once, catch_fatal);
	for (int i = 0; i < MAX_FILES; i++) {
		const char *none = NULL;

		if (atomic_compare_exchange_strong(&remembered[i], &none, path))
			return;
	}
}

void
temporary_forget(const char *path)
{
	for (int i = 0; i < MAX_FILES; i++) {
		const char *p = path;

		if (atomic_compare_exchange_strong(&remembered[i], &p, NULL))
			return;
	}
}

/* --- files of killed processes --- */

#define HOST_DIGITS 8

enum { DAY = 86400 };

static uint32_t
host(void)
{
	char name[256] = "";

	gethostname(name, sizeof(name) - 1);
	return crc32_add(0, name, strlen(name));
}

char *
stray_name(const char *path)
{
	return xasprintf("%s.%ld-%0*" PRIx32 ".tmp", path, (long)getpid(), HOST_DIGITS, host());
}

/* Is s, which follows PATH in a file name, ".PID-HOST.tmp"?  *here: of this host. */
static bool
is_temporary(const char *s, bool *here)
{
	char own[HOST_DIGITS + 2];
	size_t digits;

	if (*s++ != '.' || !(digits = strspn(s, "0123456789")))
		return false;
	s += digits;
	snprintf(own, sizeof(own), "-%0*" PRIx32, HOST_DIGITS, host());
	*here = !strncmp(s, own, HOST_DIGITS + 1);
	return *s == '-' && strspn(s + 1, "0123456789abcdef") == HOST_DIGITS &&
	       !strcmp(s + 1 + HOST_DIGITS, ".tmp");
}

/* The file is locked first, so that no process that has just opened it loses it. */
static void
remove_stray(const char *name, bool here)
{
	struct stat s;
	int fd;

	if (lstat(name, &s) || !S_ISREG(s.st_mode) || s.st_uid != geteuid() ||
	    (!here && time(NULL) - s.st_mtime < DAY))
		return;
	fd = lock_open(name, O_WRONLY | O_NONBLOCK, 0, 0);
	if (fd < 0)
		return;
	unlink(name);
	close(fd);
}

void
strays_remove(const char *path)
{
	const char *base = path_name(path);
	char *folder = path_folder(path);
	const size_t n = strlen(base);
	DIR *d = opendir(folder);
	struct dirent *entry;

	while (d && (entry = readdir(d))) {
		char *name;
		bool here;

		if (strncmp(entry->d_name, base, n) || !is_temporary(entry->d_name + n, &here))
			continue;
		name = xasprintf("%s%s", folder, entry->d_name);
		remove_stray(name, here);
		free(name);
	}
	if (d)
		closedir(d);
	free(folder);
}
