/* compress: libarchive's zstd filter on top of base/output; see compress.h. */
#include "stream/compress.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/output.h"
#include "stream/libarchive.h"

struct compress {
	struct archive *raw;
	struct output *out;
	struct err failure;	/* an error of the output, until libarchive returns */
	bool abandoned;		/* discards all further output */
};

static la_ssize_t
compress_take(struct archive *raw, void *arg, const void *p, size_t n)
{
	struct compress *c = arg;

	if (c->abandoned || !output_write(c->out, p, n, &c->failure))
		return (la_ssize_t)n;
	libarchive()->archive_set_error(raw, EIO, "cannot write");
	return -1;
}

static int
compress_failed(const struct compress *c, struct err *e)
{
	const char *why = libarchive()->archive_error_string(c->raw);

	if (c->failure.text[0]) {
		*e = c->failure;
		return -1;
	}
	return err_set(e, EXIT_SYSTEM, "cannot compress: %s", why ? why : "unknown reason");
}

/* Adds one member without a name: the raw format writes only its data. */
static int
compress_begin(struct compress *c)
{
	struct archive_entry *entry = libarchive()->archive_entry_new();
	int r;

	if (!entry)
		die_memory(sizeof(*c));
	libarchive()->archive_entry_set_filetype(entry, AE_IFREG);
	r = libarchive()->archive_write_set_format_raw(c->raw) != ARCHIVE_OK ||
	    libarchive()->archive_write_add_filter_zstd(c->raw) != ARCHIVE_OK ||
	    libarchive()->archive_write_set_options(c->raw, "zstd:compression-level=19") !=
		    ARCHIVE_OK ||
	    libarchive()->archive_write_set_bytes_per_block(c->raw, 0) != ARCHIVE_OK ||
	    libarchive()->archive_write_open(c->raw, c, NULL, compress_take, NULL) != ARCHIVE_OK ||
	    libarchive()->archive_write_header(c->raw, entry) != ARCHIVE_OK;
	libarchive()->archive_entry_free(entry);
	return r;
}

struct compress *
compress_open(const char *path, unsigned flags, struct err *e)
{
	struct compress *c = xcalloc(1, sizeof(*c));

	c->out = output_open(path, flags, e);
	if (!c->out) {
		free(c);
		return NULL;
	}
	c->raw = libarchive()->archive_write_new();
	if (!c->raw)
		die_memory(sizeof(*c));
	if (compress_begin(c)) {
		compress_failed(c, e);
		compress_abandon(c);
		return NULL;
	}
	return c;
}

int
compress_write(struct compress *c, const void *p, size_t n, struct err *e)
{
	return n && libarchive()->archive_write_data(c->raw, p, n) != (la_ssize_t)n
	       ? compress_failed(c, e) : 0;
}

int
compress_finish(struct compress *c, struct err *e)
{
	struct output *out = c->out;

	if (libarchive()->archive_write_close(c->raw) != ARCHIVE_OK) {
		compress_failed(c, e);
		compress_abandon(c);
		return -1;
	}
	libarchive()->archive_write_free(c->raw);
	free(c);
	return output_finish(out, e);
}

void
compress_abandon(struct compress *c)
{
	if (!c)
		return;
	/* libarchive 3.6 leaks memory if writing fails, so the output is discarded instead. */
	c->abandoned = true;
	libarchive()->archive_write_free(c->raw);
	output_abandon(c->out);
	free(c);
}
