/* file: see file.h. */
#include "exchange/file.h"

#include <dirent.h>
#include <fnmatch.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mapped.h"
#include "base/mem.h"
#include "base/regular.h"

int
file_map(struct file_map *m, const char *path, struct err *e)
{
	const int fd = regular_open(path, e);
	struct stat st;

	*m = (struct file_map){ NULL, 0 };
	if (fd < 0)
		return -1;
	if (fstat(fd, &st)) {
		err_system(e, "cannot read %s", path);
		close(fd);
		return -1;
	}
	m->n = (size_t)st.st_size;
	if (m->n)
		m->p = mapped_open(fd, m->n, path, e);
	close(fd);
	return m->p || !m->n ? 0 : -1;
}

void
file_unmap(struct file_map *m)
{
	if (m->p)
		mapped_close(m->p, m->n);
	*m = (struct file_map){ NULL, 0 };
}

/* Whole pages only: others may be in use. */
void
file_map_forget(const void *p, size_t n)
{
	const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
	const uintptr_t from = ((uintptr_t)p + page - 1) / page * page;
	const uintptr_t to = ((uintptr_t)p + n) / page * page;

	if (to > from)
		madvise((void *)from, to - from, MADV_DONTNEED);
}

char *
file_text(const char *path, size_t max, size_t *n, struct err *e)
{
	struct file_map m;
	char *text;

	if (file_map(&m, path, e))
		return NULL;
	if (m.n > max) {
		err_set(e, EXIT_INPUT, "%s has %zu bytes, expected at most %zu", path, m.n, max);
		file_unmap(&m);
		return NULL;
	}
	*n = m.n;
	text = xstrndup(m.p ? (const char *)m.p : "", m.n);
	file_unmap(&m);
	return text;
}

bool
file_ends(const char *path, const char *with)
{
	const size_t n = strlen(path), k = strlen(with);

	return n >= k && !strcmp(path + n - k, with);
}

bool
file_exists(const char *path)
{
	struct stat st;

	return !lstat(path, &st);
}

int
file_expect(const char *path, struct err *e)
{
	if (file_exists(path))
		return 0;
	return err_set(e, EXIT_INPUT, "%s is missing, expected it in the folder of the model",
		       path);
}

bool
file_is_folder(const char *path)
{
	struct stat st;

	return !stat(path, &st) && S_ISDIR(st.st_mode);
}

char *
file_folder(const char *path)
{
	const char *slash = strrchr(path, '/');

	if (!slash)
		return xstrdup(".");
	return xstrndup(path, slash == path ? 1 : (size_t)(slash - path));
}

char *
file_in(const char *folder, const char *name)
{
	return xasprintf("%s/%s", folder, name);
}

char *
file_named(const char *folder, struct str name)
{
	char *plain = xstrndup(name.s, name.n), *path = NULL;

	if (*plain && strlen(plain) == name.n && !strchr(plain, '/') && strcmp(plain, ".") &&
	    strcmp(plain, ".."))
		path = file_in(folder, plain);
	free(plain);
	return path;
}

struct str
file_last(struct str path)
{
	size_t at = path.n;

	while (at && path.s[at - 1] != '/')
		at--;
	return (struct str){ path.s + at, path.n - at };
}

static int
by_name(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

char **
file_names(const char *folder, const char *pattern, size_t *n)
{
	DIR *d = opendir(folder);
	char **name = xcalloc(1, sizeof(*name));
	size_t room = 1;

	*n = 0;
	for (struct dirent *entry; d && (entry = readdir(d));) {
		if (fnmatch(pattern, entry->d_name, FNM_PERIOD))
			continue;
		name = mem_grow(name, &room, *n + 2, sizeof(*name));
		name[(*n)++] = xstrdup(entry->d_name);
		name[*n] = NULL;
	}
	if (d)
		closedir(d);
	qsort(name, *n, sizeof(*name), by_name);
	return name;
}

void
file_names_free(char **name)
{
	for (char **s = name; s && *s; s++)
		free(*s);
	free(name);
}
