/* archive-in: reads members of archives; see archive.h. */
#include "stream/archive.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/mem.h"
#include "stream/libarchive.h"
#include "stream/raw.h"
#include "stream/unpack.h"

#define BLOCK 65536

/* An archive whose data may be compressed. */
struct layer {
	struct archive_in *of;
	struct raw raw;
	struct unpack *unpack;		/* or NULL */
	struct archive *archive;	/* or NULL */
	char block[BLOCK];
};

struct archive_in {
	struct layer outer;		/* the file itself */
	struct layer inner;		/* a .deb's data.tar, if its archive is not NULL */
	bool is_deb;
	char *name;
	struct archive_entry *entry;	/* of the current member */
	bool begun;			/* the member was read from */
	bool failed;			/* the data of a layer could not be read: error */
	struct err error;
};

/* The archive whose members are returned. */
static struct archive *
now(const struct archive_in *a)
{
	return a->inner.archive ? a->inner.archive : a->outer.archive;
}

static int
archive_in_damaged(const struct archive_in *a, struct err *e)
{
	const char *why = libarchive()->archive_error_string(now(a));

	if (a->failed) {
		*e = a->error;
		return -1;
	}
	return err_set(e, EXIT_INPUT, "%s: not an archive, or damaged or truncated (%s)", a->name,
		       why ? why : "unknown reason");
}

/* Keeps the first error, which is the cause of all others. */
static ptrdiff_t
read_layer(struct layer *l, struct err *e)
{
	const ptrdiff_t n = unpack_read(l->unpack, &l->raw, l->of->name, l->block,
					sizeof(l->block), e);

	if (n < 0 && !l->of->failed) {
		l->of->failed = true;
		l->of->error = *e;
	}
	return n;
}

static la_ssize_t
archive_in_give(struct archive *ar, void *arg, const void **block)
{
	struct layer *l = arg;
	struct err e;
	const ptrdiff_t n = read_layer(l, &e);

	if (n < 0)
		libarchive()->archive_set_error(ar, EIO, "%s", e.text);
	*block = l->block;
	return n < 0 ? ARCHIVE_FATAL : n;
}

/* Reads the data of the inner archive: a raw_reader. */
static ptrdiff_t
read_inner(void *arg, void *p, size_t n, int *error)
{
	struct archive_in *a = arg;
	const la_ssize_t k = libarchive()->archive_read_data(a->outer.archive, p, n);

	if (k >= 0)
		return k;
	if (!a->failed) {
		err_set(&a->error, EXIT_INPUT, "%s: damaged or truncated (%s)", a->name,
			libarchive()->archive_error_string(a->outer.archive));
		a->failed = true;
	}
	*error = EIO;
	return -1;
}

/* Starts the layer, whose raw is set. */
static int
archive_in_start(struct archive_in *a, struct layer *l, struct err *e)
{
	l->of = a;
	if (unpack_open(&l->unpack, &l->raw, a->name, e))
		return a->failed ? archive_in_damaged(a, e) : -1;
	l->archive = libarchive()->archive_read_new();
	if (!l->archive)
		die_memory(BLOCK);
	/*
	 * Other compression was removed by unpack, which checks it.  Not all formats: some filters
	 * of libarchive run programs, and mtree opens other files.
	 */
	libarchive()->archive_read_support_filter_lzma(l->archive);
	libarchive()->archive_read_support_format_tar(l->archive);
	libarchive()->archive_read_support_format_zip(l->archive);
	libarchive()->archive_read_support_format_ar(l->archive);
	libarchive()->archive_read_support_format_cpio(l->archive);
	libarchive()->archive_read_support_format_7zip(l->archive);
	if (libarchive()->archive_read_open(l->archive, l, NULL, archive_in_give, NULL) ==
	    ARCHIVE_OK)
		return 0;
	return archive_in_damaged(a, e);
}

static struct archive_in *
start_outer(struct archive_in *a, struct err *e)
{
	if (!archive_in_start(a, &a->outer, e))
		return a;
	archive_in_close(a);
	return NULL;
}

struct archive_in *
archive_in_open(const char *path, struct err *e)
{
	struct archive_in *a = xcalloc(1, sizeof(*a));

	a->name = xstrdup(path && strcmp(path, "-") ? path : "standard input");
	if (raw_open(&a->outer.raw, path)) {
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
	raw_memory(&a->outer.raw, p, n);
	return start_outer(a, e);
}

static void
stop(struct layer *l)
{
	if (l->archive)
		libarchive()->archive_read_free(l->archive);
	unpack_close(l->unpack);
}

void
archive_in_close(struct archive_in *a)
{
	if (!a)
		return;
	stop(&a->inner);
	stop(&a->outer);
	raw_close(&a->outer.raw);
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
	const char *name = libarchive()->archive_entry_pathname_utf8(entry);

	return without_dot(name ? name : libarchive()->archive_entry_pathname(entry));
}

/* The target of a hard link, or NULL for a regular file. */
static const char *
entry_link(struct archive_entry *entry)
{
	const char *name = libarchive()->archive_entry_hardlink_utf8(entry);

	return without_dot(name ? name : libarchive()->archive_entry_hardlink(entry));
}

/* GNU ar does not write the file type into the mode. */
static bool
is_file(struct archive_entry *entry)
{
	const unsigned type = libarchive()->archive_entry_filetype(entry);

	return !type || type == AE_IFREG;
}

static bool
is_data_tar(const struct archive_in *a, const char *name)
{
	return a->is_deb && !a->inner.archive && !strncmp(name, "data.tar", 8);
}

/* Reads the compressed data after the end of the archive, because the checksum is last. */
static int
archive_in_finish(struct layer *l, struct err *e)
{
	ptrdiff_t n = l->unpack ? 1 : 0;

	while (n > 0)
		n = read_layer(l, e);
	return n < 0 ? archive_in_damaged(l->of, e) : 0;
}

int
archive_in_next(struct archive_in *a, const char **name, int64_t *size, struct err *e)
{
	struct archive_entry *entry;
	int r;

	a->begun = false;
	for (;;) {
		r = libarchive()->archive_read_next_header(now(a), &entry);
		if (r == ARCHIVE_EOF && !a->failed)
			return archive_in_finish(&a->inner, e) || archive_in_finish(&a->outer, e)
			       ? -1 : 0;
		if ((r != ARCHIVE_OK && r != ARCHIVE_WARN) || a->failed)
			return archive_in_damaged(a, e);
		*name = entry_name(entry);
		if (!*name || !is_file(entry))
			continue;
		if (!a->inner.archive && !strcmp(*name, "debian-binary"))
			a->is_deb = true;
		if (!is_data_tar(a, *name))
			break;
		raw_function(&a->inner.raw, read_inner, a);
		if (archive_in_start(a, &a->inner, e))
			return -1;
	}
	a->entry = entry;
	*size = libarchive()->archive_entry_size_is_set(entry)
		? libarchive()->archive_entry_size(entry) : -1;
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

	while (libarchive()->archive_read_next_header(now(a), &entry) == ARCHIVE_OK) {
		const char *to = entry_link(entry);

		if (to && !strcmp(to, first) && libarchive()->archive_entry_size(entry) > 0)
			return entry_name(entry);
	}
	return NULL;
}

static bool
is_cpio(struct archive *a)
{
	return libarchive()->archive_format(a) == ARCHIVE_FORMAT_CPIO_SVR4_NOCRC ||
	       libarchive()->archive_format(a) == ARCHIVE_FORMAT_CPIO_SVR4_CRC;
}

static int
is_link(const struct archive_in *a, const char *name, const char *target, struct err *e)
{
	if (!target)
		return err_set(e, EXIT_INPUT, "%s: member %s is one of several names of an empty "
			       "file, expected a file with data", a->name, name);
	err_set(e, EXIT_INPUT, "%s: member %s is a hard link to %s, expected a file", a->name, name,
		target);
	err_hint(e, "use %s, if it is in the archive", target);
	return -1;
}

/* A hard link has no data; without this check it would be read as an empty file. */
static int
check_link(struct archive_in *a, struct err *e)
{
	const char *to = entry_link(a->entry);
	const bool cpio = is_cpio(now(a)) && libarchive()->archive_entry_nlink(a->entry) > 1;
	char *name, *first;

	if (libarchive()->archive_entry_size(a->entry) > 0 || (!to && !cpio))
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
	k = libarchive()->archive_read_data(now(a), p, n);
	/* libarchive may take a failed read for the end of the file. */
	return k < 0 || a->failed ? archive_in_damaged(a, e) : k;
}

char *
archive_in_all(struct archive_in *a, size_t limit, size_t *n, struct err *e)
{
	struct buf b = { 0 };
	ptrdiff_t k;

	do {
		const size_t room = 4096 + b.n;

		k = archive_in_read(a, buf_room(&b, room), room, e);
		b.n += k > 0 ? (size_t)k : 0;
		if (b.n > limit)
			k = err_set(e, EXIT_INPUT, "%s: member has more than %zu bytes", a->name,
				    limit);
	} while (k > 0);
	if (k < 0) {
		buf_release(&b);
		return NULL;
	}
	b.data[b.n] = 0;
	*n = b.n;
	return b.data;
}
