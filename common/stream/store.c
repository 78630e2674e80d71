/* store: see store.h. */
#include "stream/store.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mapped.h"
#include "base/mem.h"
#include "stream/input.h"
#include "stream/record-parts.h"

#define SPOOL_BLOCK ((size_t)1 << 16)

struct store {
	struct reader *reader;		/* reads from the map; kept for its header */
	const uint8_t *map;
	size_t size;
	int fd;				/* the mapped file; -1: nobody else can change it */
	uint64_t *at;			/* the offset of each record */
	size_t n, room;
};

/* Opens an unlinked temporary file, which disappears when it is closed. */
static int
unnamed_file(struct err *e)
{
	const char *folder = getenv("TMPDIR");
	char *name = xasprintf("%s/heed-spool-XXXXXX", folder && *folder ? folder : "/tmp");
	int fd = mkstemp(name);

	if (fd < 0)
		err_system(e, "cannot create temporary file %s", name);
	else
		unlink(name);
	free(name);
	return fd;
}

static int
store_write_all(int fd, const char *p, size_t n, struct err *e)
{
	while (n) {
		ssize_t k = write(fd, p, n);

		if (k < 0 && errno == EINTR)
			continue;
		if (k < 0)
			return err_system(e, "cannot write a temporary file");
		p += k;
		n -= (size_t)k;
	}
	return 0;
}

static int
spool(struct input *input, struct err *e)
{
	char *block = xmalloc(SPOOL_BLOCK);
	int fd = unnamed_file(e);
	ptrdiff_t k = fd < 0 ? -1 : 1;

	while (k > 0) {
		k = input_read(input, block, SPOOL_BLOCK, e);
		if (k > 0 && store_write_all(fd, block, (size_t)k, e))
			k = -1;
	}
	free(block);
	if (k < 0 && fd >= 0)
		close(fd);
	return k < 0 ? -1 : fd;
}

static int
map(struct store *s, int fd, const char *name, struct err *e)
{
	struct stat st;

	if (fstat(fd, &st))
		return err_system(e, "cannot stat %s", name);
	s->size = (size_t)st.st_size;
	if (s->size)
		s->map = mapped_open(fd, s->size, name, e);
	return s->size && !s->map ? -1 : 0;
}

static int
map_input(struct store *s, struct input *input, struct err *e)
{
	int plain = input_plain_file(input), fd, bad;

	if (plain >= 0) {
		s->fd = fcntl(plain, F_DUPFD_CLOEXEC, 0);
		return s->fd < 0 ? err_system(e, "cannot open %s", input_name(input)) :
				   map(s, s->fd, input_name(input), e);
	}
	fd = spool(input, e);
	if (fd < 0)
		return -1;
	bad = map(s, fd, input_name(input), e);
	close(fd);
	return bad;
}

/* Reading the map beyond the end of a file that was truncated would kill the process. */
static int
store_check_size(const struct store *s, struct err *e)
{
	struct stat st;

	if (s->fd < 0)
		return 0;
	if (fstat(s->fd, &st))
		return err_system(e, "cannot stat %s", reader_name(s->reader));
	if ((size_t)st.st_size == s->size)
		return 0;
	err_set(e, EXIT_INPUT, "%s has %" PRId64 " bytes, expected %zu as when it was opened",
		reader_name(s->reader), (int64_t)st.st_size, s->size);
	err_hint(e, "write a file that is in use with -o, which replaces it when it is complete");
	return -1;
}

static int
index_records(struct store *s, store_each *each, void *arg, struct err *e)
{
	struct record *rec;
	int r;

	while (!(r = store_check_size(s, e)) &&
	       (r = reader_next(s->reader, &rec, e)) > 0) {
		s->at = mem_grow(s->at, &s->room, s->n + 1, sizeof(*s->at));
		s->at[s->n++] = reader_offset(s->reader);
		if (each && each(rec, (int64_t)s->n - 1, arg, e))
			return err_wrap(e, "%s", reader_where(s->reader));
	}
	return r;
}

static int
store_fill(struct store *s, struct input *input, const char *kind, const struct field *needs,
	   store_each *each, void *arg, struct err *e)
{
	struct input *mapped;

	if (map_input(s, input, e))
		return -1;
	mapped = input_memory(input_name(input), s->map, s->size, 0, e);
	s->reader = mapped ? reader_open_input(mapped, kind, needs, e) : NULL;
	return s->reader ? index_records(s, each, arg, e) : -1;
}

struct store *
store_open(const char *path, const char *kind, const struct field *needs, unsigned flags,
	   store_each *each, void *arg, struct err *e)
{
	struct input *in =
	    input_open(path, INPUT_BINARY | (flags & STREAM_FORCE ? INPUT_FORCE : 0), e);
	struct store *s;
	int bad;

	if (!in)
		return NULL;
	s = xcalloc(1, sizeof(*s));
	s->fd = -1;
	bad = store_fill(s, in, kind, needs, each, arg, e);
	input_close(in);
	if (!bad)
		return s;
	store_close(s);
	return NULL;
}

void
store_close(struct store *s)
{
	if (!s)
		return;
	reader_close(s->reader);
	if (s->map)
		mapped_close((void *)(uintptr_t)s->map, s->size);
	if (s->fd >= 0)
		close(s->fd);
	free(s->at);
	free(s);
}

const struct header *
store_header(const struct store *s)
{
	return reader_header(s->reader);
}

int64_t
store_count(const struct store *s)
{
	return (int64_t)s->n;
}

int
store_record(const struct store *s, int64_t i, struct record *rec, struct err *e)
{
	size_t used;

	if (i < 0 || i >= (int64_t)s->n)
		bug("record %lld of %zu", (long long)i, s->n);
	if (store_check_size(s, e))
		return -1;
	if (record_parse(rec, store_header(s), s->map + s->at[i], s->size - s->at[i], &used, e) > 0)
		return 0;
	return err_set(e, EXIT_INPUT, "%s: record %" PRId64 " is damaged: the file has changed "
		       "since it was opened", reader_name(s->reader), i + 1);
}
