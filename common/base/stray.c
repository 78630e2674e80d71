/* stray: see stray.h. */
#include "base/stray.h"

#include <dirent.h>
#include <fcntl.h>
#include <inttypes.h>
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
