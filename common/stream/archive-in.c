/* archive-in: reads members of archives; see archive.h. */
#include "stream/archive.h"

#include <archive.h>
#include <archive_entry.h>
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "stream/raw.h"

#define BLOCK 65536

struct archive_in {
	struct archive *outer;		/* the file itself */
	struct archive *inner;		/* a .deb's data.tar, or NULL */
	struct raw raw;
	bool is_deb;
	char *name;
	struct archive_entry *entry;	/* of the current member */
	bool begun;			/* the member was read from */
	char block[BLOCK], inner_block[BLOCK];
};

/* The archive whose members are returned. */
static struct archive *
now(const struct archive_in *a)
{
	return a->inner ? a->inner : a->outer;
}

static int
damaged(const struct archive_in *a, struct err *e)
{
	const char *why = archive_error_string(now(a));

	if (a->raw.error) {
		errno = a->raw.error;
		return err_system(e, "cannot read %s", a->name);
	}
	return err_set(e, EXIT_INPUT, "%s: not an archive, or damaged or truncated (%s)", a->name,
		       why ? why : "unknown reason");
}

static la_ssize_t
give_outer(struct archive *ar, void *arg, const void **block)
{
	struct archive_in *a = arg;
	ptrdiff_t n = raw_read(&a->raw, a->block, sizeof(a->block));

	if (n < 0)
		archive_set_error(ar, a->raw.error, "cannot read");
	*block = a->block;
	return n < 0 ? ARCHIVE_FATAL : n;
}

static la_ssize_t
give_inner(struct archive *ar, void *arg, const void **block)
{
	struct archive_in *a = arg;
	la_ssize_t n = archive_read_data(a->outer, a->inner_block, sizeof(a->inner_block));

	if (n < 0)
		archive_set_error(ar, EINVAL, "%s", archive_error_string(a->outer));
	*block = a->inner_block;
	return n < 0 ? ARCHIVE_FATAL : n;
}

static struct archive *
start(struct archive_in *a, archive_read_callback *give, struct err *e)
{
	struct archive *ar = archive_read_new();

	if (!ar)
		die_memory(BLOCK);
	/* Not all formats: some filters of libarchive run programs, and mtree opens other files. */
	archive_read_support_filter_gzip(ar);
	archive_read_support_filter_bzip2(ar);
	archive_read_support_filter_xz(ar);
	archive_read_support_filter_lzma(ar);
	archive_read_support_filter_zstd(ar);
	archive_read_support_format_tar(ar);
	archive_read_support_format_zip(ar);
	archive_read_support_format_ar(ar);
	archive_read_support_format_cpio(ar);
	archive_read_support_format_7zip(ar);
	if (give == give_inner)
		a->inner = ar;
	else
		a->outer = ar;
	if (archive_read_open(ar, a, NULL, give, NULL) == ARCHIVE_OK)
		return ar;
	damaged(a, e);
	return NULL;
}

static struct archive_in *
start_outer(struct archive_in *a, struct err *e)
{
	if (start(a, give_outer, e))
		return a;
	archive_in_close(a);
	return NULL;
}

struct archive_in *
archive_in_open(const char *path, struct err *e)
{
	struct archive_in *a = xcalloc(1, sizeof(*a));

	a->name = xstrdup(path && strcmp(path, "-") ? path : "standard input");
	if (raw_open(&a->raw, path)) {
		err_system(e, "cannot open %s", path);
		archive_in_close(a);
		return NULL;
	}
	return start_outer(a, e);
}

struct archive_in *
archive_in_memory(const char *name, const void *p, size_t n, struct err *e)
{
	struct archive_in *a = xcalloc(1, sizeof(*a));

	a->name = xstrdup(name);
	raw_memory(&a->raw, p, n);
	return start_outer(a, e);
}

void
archive_in_close(struct archive_in *a)
{
	if (!a)
		return;
	if (a->inner)
		archive_read_free(a->inner);
	if (a->outer)
		archive_read_free(a->outer);
	raw_close(&a->raw);
	free(a->name);
	free(a);
}

static const char *
without_dot(const char *name)
{
	while (name && name[0] == '.' && name[1] == '/')
		name += 2;
	return name;
}

/* Pax names are UTF-8 in every locale; other names are bytes. */
static const char *
entry_name(struct archive_entry *entry)
{
	const char *name = archive_entry_pathname_utf8(entry);

	return without_dot(name ? name : archive_entry_pathname(entry));
}

/* The target of a hard link, or NULL for a regular file. */
static const char *
entry_link(struct archive_entry *entry)
{
	const char *name = archive_entry_hardlink_utf8(entry);

	return without_dot(name ? name : archive_entry_hardlink(entry));
}

/* GNU ar does not write the file type into the mode. */
static bool
is_file(struct archive_entry *entry)
{
	return !archive_entry_filetype(entry) || archive_entry_filetype(entry) == AE_IFREG;
}

static bool
is_data_tar(const struct archive_in *a, const char *name)
{
	return a->is_deb && !a->inner && !strncmp(name, "data.tar", 8);
}

int
archive_in_next(struct archive_in *a, const char **name, int64_t *size, struct err *e)
{
	struct archive_entry *entry;
	int r;

	a->begun = false;
	for (;;) {
		r = archive_read_next_header(now(a), &entry);
		if (r == ARCHIVE_EOF && !a->raw.error)
			return 0;
		if ((r != ARCHIVE_OK && r != ARCHIVE_WARN) || a->raw.error)
			return damaged(a, e);
		*name = entry_name(entry);
		if (!*name || !is_file(entry))
			continue;
		if (!a->inner && !strcmp(*name, "debian-binary"))
			a->is_deb = true;
		if (!is_data_tar(a, *name))
			break;
		if (!start(a, give_inner, e))
			return -1;
	}
	a->entry = entry;
	*size = archive_entry_size_is_set(entry) ? archive_entry_size(entry) : -1;
	return 1;
}

/*
 * If a file has several names, a cpio archive of format newc or crc stores the data with the last
 * name, and libarchive reports all names but the first as links to the first.  Reads on to the
 * member with data and returns its name, or NULL.
 */
static const char *
cpio_target(struct archive_in *a, const char *first)
{
	struct archive_entry *entry;

	while (archive_read_next_header(now(a), &entry) == ARCHIVE_OK) {
		const char *to = entry_link(entry);

		if (to && !strcmp(to, first) && archive_entry_size(entry) > 0)
			return entry_name(entry);
	}
	return NULL;
}

static bool
is_cpio(struct archive *a)
{
	return archive_format(a) == ARCHIVE_FORMAT_CPIO_SVR4_NOCRC ||
	       archive_format(a) == ARCHIVE_FORMAT_CPIO_SVR4_CRC;
}

static int
is_link(const struct archive_in *a, const char *name, const char *to, struct err *e)
{
	if (!to)
		return err_set(e, EXIT_INPUT, "%s: member %s is one of several names of an empty "
			       "file, expected a file with data", a->name, name);
	err_set(e, EXIT_INPUT, "%s: member %s is a hard link to %s, expected a file", a->name, name,
		to);
	err_hint(e, "use %s, if it is in the archive", to);
	return -1;
}

/* A hard link has no data; without this check it would be read as an empty file. */
static int
check_link(struct archive_in *a, struct err *e)
{
	const char *to = entry_link(a->entry);
	const bool cpio = is_cpio(now(a)) && archive_entry_nlink(a->entry) > 1;
	char *name, *first;

	if (archive_entry_size(a->entry) > 0 || (!to && !cpio))
		return 0;
	name = xstrdup(entry_name(a->entry));
	first = xstrdup(to ? to : name);
	to = cpio ? cpio_target(a, first) : first;
	is_link(a, name, to, e);
	free(name);
	free(first);
	return -1;
}

ptrdiff_t
archive_in_read(struct archive_in *a, void *p, size_t n, struct err *e)
{
	la_ssize_t k;

	if (!a->begun) {
		a->begun = true;
		if (check_link(a, e))
			return -1;
	}
	k = archive_read_data(now(a), p, n);
	/* libarchive may take a failed read for the end of the file. */
	return k < 0 || a->raw.error ? damaged(a, e) : k;
}

char *
archive_in_all(struct archive_in *a, size_t limit, size_t *n, struct err *e)
{
	size_t room = 4096, have = 0;
	char *p = xmalloc(room);
	ptrdiff_t k;

	for (;;) {
		k = archive_in_read(a, p + have, room - have - 1, e);
		if (k <= 0)
			break;
		have += (size_t)k;
		if (have > limit) {
			k = err_set(e, EXIT_INPUT, "%s: member has more than %zu bytes", a->name,
				    limit);
			break;
		}
		if (have + 1 == room)
			p = xrealloc(p, room *= 2);
	}
	if (k < 0) {
		free(p);
		return NULL;
	}
	p[have] = 0;
	*n = have;
	return p;
}
