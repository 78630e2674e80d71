/* source: see source.h. */
#include "stream/source.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "stream/archive.h"
#include "stream/input.h"
#include "stream/raw.h"
#include "stream/unpack.h"

struct source {
	struct raw raw;			/* the file, if it is not a member of an archive */
	struct unpack *unpack;		/* decompresses it; or NULL */
	struct archive_in *archive;	/* the archive, if it is a member of one */
	char *name, *member;
	bool ended;			/* the archive has been read to its end */
};

static bool
source_is_stdin(const char *path)
{
	return !path || !strcmp(path, "-");
}

static int
source_open_member(struct source *s, const char *archive, const char *member, struct err *e)
{
	const char *name;
	int64_t size;
	int r;

	s->archive = archive_in_open(archive, e);
	if (!s->archive)
		return -1;
	while ((r = archive_in_next(s->archive, &name, &size, e)) > 0)
		if (!strcmp(name, member)) {
			s->member = xstrdup(member);
			return 0;
		}
	return r < 0 ? -1 : err_set(e, EXIT_INPUT, "%s has no member %s", archive, member);
}

/* Opens "ARCHIVE:MEMBER", split at the first colon that comes after the name of a file. */
static int
open_in_archive(struct source *s, const char *path, struct err *e)
{
	const char *colon = path;
	struct stat st;
	int r = 1;

	while (r > 0 && (colon = strchr(colon, ':'))) {
		char *archive = xstrndup(path, (size_t)(colon++ - path));

		if (!stat(archive, &st) && S_ISREG(st.st_mode))
			r = source_open_member(s, archive, colon, e);
		free(archive);
	}
	return r;
}

static int
open_path(struct source *s, const char *path, unsigned flags, struct err *e)
{
	int r, error;

	if (raw_open(&s->raw, path)) {
		error = errno;
		r = error == ENOENT || error == ENOTDIR ? open_in_archive(s, path, e) : 1;
		errno = error;
		return r > 0 ? err_system(e, "cannot open %s", path) : r;
	}
	if ((flags & INPUT_BINARY) && !(flags & INPUT_FORCE) && isatty(s->raw.fd)) {
		err_set(e, EXIT_USAGE, "%s is a terminal, expected binary data", s->name);
		err_hint(e, "give a file, or use a pipe");
		return -1;
	}
	return unpack_open(&s->unpack, &s->raw, s->name, e);
}

struct source *
source_open(const char *path, unsigned flags, struct err *e)
{
	struct source *s = xcalloc(1, sizeof(*s));

	s->raw.fd = -1;
	s->name = xstrdup(source_is_stdin(path) ? "standard input" : path);
	if (open_path(s, path, flags, e)) {
		source_close(s);
		return NULL;
	}
	return s;
}

struct source *
source_memory(const char *name, const void *p, size_t n, struct err *e)
{
	struct source *s = xcalloc(1, sizeof(*s));

	s->name = xstrdup(name);
	raw_memory(&s->raw, p, n);
	if (unpack_open(&s->unpack, &s->raw, s->name, e)) {
		source_close(s);
		return NULL;
	}
	return s;
}

void
source_close(struct source *s)
{
	if (!s)
		return;
	unpack_close(s->unpack);
	archive_in_close(s->archive);
	raw_close(&s->raw);
	free(s->member);
	free(s->name);
	free(s);
}

/* Programs differ in which one of several members of the same name they take. */
static int
check_rest(struct source *s, struct err *e)
{
	const char *name;
	int64_t size;
	int r = 0;

	while (!s->ended && (r = archive_in_next(s->archive, &name, &size, e)) > 0) {
		if (strcmp(name, s->member))
			continue;
		err_set(e, EXIT_INPUT, "%s: the archive has several members of this name", s->name);
		err_hint(e, "tar extracts the last one");
		return -1;
	}
	s->ended = true;
	return r;
}

ptrdiff_t
source_read(struct source *s, void *p, size_t n, struct err *e)
{
	ptrdiff_t k;

	if (s->archive) {
		k = s->ended ? 0 : archive_in_read(s->archive, p, n, e);
		return k ? k : check_rest(s, e);
	}
	return unpack_read(s->unpack, &s->raw, s->name, p, n, e);
}

const char *
source_name(const struct source *s)
{
	return s->name;
}

int
source_plain_file(const struct source *s)
{
	struct stat st;

	if (s->archive || s->unpack || s->raw.fd < 0 || fstat(s->raw.fd, &st) ||
	    !S_ISREG(st.st_mode))
		return -1;
	return lseek(s->raw.fd, 0, SEEK_CUR) == (off_t)s->raw.head_n ? s->raw.fd : -1;
}

const char *
source_plain_memory(const struct source *s, size_t *n)
{
	if (s->archive || s->unpack || s->raw.fd >= 0 || !s->raw.p)
		return NULL;
	*n = s->raw.n + s->raw.head_n;
	return s->raw.p - s->raw.head_n;
}
