/* archive-out: writes reproducible tar and zip files, and zstd; see archive.h. */
#include "stream/archive.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/output.h"
#include "stream/libarchive.h"

enum form { TAR, ZIP, ZSTD };

#define ENDLESS SIZE_MAX	/* `left` of a member whose size is unknown */

struct archive_out {
	enum form form;
	struct archive *tar;
	struct output *out;
	struct err failure;	/* an error of the output, until libarchive returns */
	size_t left;		/* missing bytes of the current member */
	bool abandoned;		/* discards all further output */
};

static la_ssize_t
archive_out_take(struct archive *tar, void *arg, const void *p, size_t n)
{
	struct archive_out *a = arg;

	if (a->abandoned || !output_write(a->out, p, n, &a->failure))
		return (la_ssize_t)n;
	libarchive()->archive_set_error(tar, EIO, "cannot write");
	return -1;
}

static int
archive_out_failed(const struct archive_out *a, struct err *e)
{
	const char *why = libarchive()->archive_error_string(a->tar);

	if (a->failure.text[0]) {
		*e = a->failure;
		return -1;
	}
	return err_set(e, EXIT_SYSTEM, "cannot %s: %s",
		       a->form == ZSTD ? "compress" : "write an archive",
		       why ? why : "unknown reason");
}

static int
set_format(struct archive *file, enum form form)
{
	if (form == ZSTD)
		return libarchive()->archive_write_set_format_raw(file) != ARCHIVE_OK ||
		       libarchive()->archive_write_add_filter_zstd(file) != ARCHIVE_OK ||
		       libarchive()->archive_write_set_options(
			       file, "zstd:compression-level=19") != ARCHIVE_OK ||
		       libarchive()->archive_write_set_bytes_per_block(file, 0) != ARCHIVE_OK;
	if (form == ZIP) {
		libarchive()->archive_write_set_format_zip(file);
		libarchive()->archive_write_zip_set_compression_store(file);
	} else {
		libarchive()->archive_write_set_format_pax_restricted(file);
	}
	libarchive()->archive_write_set_bytes_in_last_block(file, 1);
	return 0;
}

static struct archive_out *
open_archive(const char *path, unsigned flags, enum form form, struct err *e)
{
	struct archive_out *a = xcalloc(1, sizeof(*a));

	a->form = form;
	a->out = output_open(path, flags | OUTPUT_BINARY, e);
	if (!a->out) {
		free(a);
		return NULL;
	}
	a->tar = libarchive()->archive_write_new();
	if (!a->tar)
		die_memory(sizeof(*a));
	if (set_format(a->tar, form) ||
	    libarchive()->archive_write_open(a->tar, a, NULL, archive_out_take, NULL) !=
	    ARCHIVE_OK) {
		archive_out_failed(a, e);
		archive_out_abandon(a);
		return NULL;
	}
	return a;
}

struct archive_out *
archive_out_open(const char *path, struct err *e)
{
	return open_archive(path, 0, TAR, e);
}

struct archive_out *
archive_out_zip(const char *path, unsigned flags, struct err *e)
{
	return open_archive(path, flags, ZIP, e);
}

/* Has one member: the raw format writes its data, but no name. */
struct archive_out *
archive_out_zstd(const char *path, unsigned flags, struct err *e)
{
	struct archive_out *a = open_archive(path, flags, ZSTD, e);

	if (a && archive_out_begin(a, "", 0, e)) {
		archive_out_abandon(a);
		return NULL;
	}
	if (a)
		a->left = ENDLESS;
	return a;
}

int
archive_out_begin(struct archive_out *a, const char *name, size_t n, struct err *e)
{
	struct archive_entry *entry;
	int r;

	if (a->left)
		bug("%zu bytes are missing in an archive member", a->left);
	entry = libarchive()->archive_entry_new();
	if (!entry)
		die_memory(BUFSIZ);
	libarchive()->archive_entry_copy_pathname(entry, name);
	libarchive()->archive_entry_set_filetype(entry, AE_IFREG);
	libarchive()->archive_entry_set_perm(entry, 0644);
	libarchive()->archive_entry_set_size(entry, (la_int64_t)n);
	libarchive()->archive_entry_set_mtime(entry, 0, 0);
	r = libarchive()->archive_write_header(a->tar, entry);
	libarchive()->archive_entry_free(entry);
	a->left = n;
	/* A name that the locale cannot represent is a warning, and is written as bytes. */
	return r == ARCHIVE_OK || r == ARCHIVE_WARN ? 0 : archive_out_failed(a, e);
}

int
archive_out_data(struct archive_out *a, const void *p, size_t n, struct err *e)
{
	if (n > a->left)
		bug("%zu bytes too many in an archive member", n - a->left);
	a->left -= a->left == ENDLESS ? 0 : n;
	if (n && libarchive()->archive_write_data(a->tar, p, n) != (la_ssize_t)n)
		return archive_out_failed(a, e);
	return 0;
}

int
archive_out_member(struct archive_out *a, const char *name, const void *p, size_t n, struct err *e)
{
	if (archive_out_begin(a, name, n, e))
		return -1;
	return archive_out_data(a, p, n, e);
}

int
archive_out_finish(struct archive_out *a, struct err *e)
{
	struct output *out = a->out;

	if (a->left && a->left != ENDLESS)
		bug("%zu bytes are missing in an archive member", a->left);
	if (libarchive()->archive_write_close(a->tar) != ARCHIVE_OK) {
		archive_out_failed(a, e);
		archive_out_abandon(a);
		return -1;
	}
	libarchive()->archive_write_free(a->tar);
	free(a);
	return output_finish(out, e);
}

void
archive_out_abandon(struct archive_out *a)
{
	if (!a)
		return;
	/* libarchive 3.6 leaks memory if writing fails, so the output is discarded instead. */
	a->abandoned = true;
	libarchive()->archive_write_free(a->tar);
	output_abandon(a->out);
	free(a);
}
