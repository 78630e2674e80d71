/*
 * unpack: see unpack.h.
 *
 * libarchive 3.6 ignores the length and the checksum after gzip data, so they are checked here.  In
 * a file of several gzip members, as bgzip and cat make them, the boundaries are unknown, and only
 * libarchive's own checks apply.  It also ignores data after bzip2 data, which it does not take.
 */
#include "stream/unpack.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/mem.h"
#include "base/num.h"
#include "stream/libarchive.h"

#define BLOCK 65536
#define MEMBER 10		/* bytes of the header of a gzip member without optional fields */
#define TAIL (MEMBER - 1)
#define TRAILER 8		/* bytes of CRC-32 and length */
#define PADDING 8		/* of which all may be zeros */

/* Compares the trailer of a gzip file with the decompressed data. */
struct gzip_check {
	bool on, several;		/* is gzip, has several members */
	unsigned char tail[TAIL];	/* the last bytes */
	size_t tail_n;
	/* The last bytes, of zeros at the end at most PADDING: in these are CRC-32 and length. */
	unsigned char end[TRAILER + PADDING];
	size_t end_n;
	uint32_t crc;
	uint64_t in, out;
};

struct unpack {
	struct archive *a;
	struct raw *raw;
	const char *name;
	struct gzip_check gzip;
	bool bzip2, empty;
	int64_t given, zeros;		/* bytes of the file so far; those at its end that are 0 */
	char block[BLOCK];
};

static const struct { const char *bytes; size_t n; } magic[] = {
	{ "\x1f\x8b\x08", 3 },			/* gzip */
	{ "\xfd" "7zXZ\0", 6 },			/* xz */
	{ "\x28\xb5\x2f\xfd", 4 },		/* zstd */
	{ "BZh1\x31\x41\x59\x26\x53\x59", 10 },	/* bzip2: any digit, then a block ... */
	{ "BZh1\x17\x72\x45\x38\x50\x90", 10 },	/* ... or the end of an empty file */
};

enum unpack_verdict { UNPACK_NO, UNPACK_YES, UNPACK_UNSURE };

/*
 * Is a file compressed that begins with the n bytes at p?  UNPACK_UNSURE means that more bytes are
 * needed to decide.
 */
static enum unpack_verdict
unpack_is(const char *p, size_t n)
{
	enum unpack_verdict v = UNPACK_NO;
	char head[RAW_AHEAD] = { 0 };

	if (n > sizeof(head))
		n = sizeof(head);
	memcpy(head, p, n);
	if (n > 3 && head[0] == 'B' && head[3] >= '1' && head[3] <= '9')
		head[3] = '1';
	for (size_t i = 0; i < sizeof(magic) / sizeof(*magic); i++) {
		if (n >= magic[i].n && !memcmp(head, magic[i].bytes, magic[i].n))
			return UNPACK_YES;
		if (n < magic[i].n && !memcmp(head, magic[i].bytes, n))
			v = UNPACK_UNSURE;
	}
	return v;
}

/*
 * Is this the header of a gzip member, by the values that RFC 1952 defines, and the systems that
 * zlib writes besides (19: macOS)?  Random bytes look like one once in some 150 GB; they have only
 * the first three bytes of one once in 16 MiB.
 */
static bool
is_member(const unsigned char *p)
{
	const unsigned flags = p[3], level = p[8], system = p[9];

	return !memcmp(p, "\x1f\x8b\x08", 3) && !(flags & 0xe0) &&
	       (level == 0 || level == 2 || level == 4) && (system <= 19 || system == 255);
}

/* Does another member begin in these n bytes, which the file has after the first `at` bytes? */
static bool
has_member(const unsigned char *p, size_t n, uint64_t at)
{
	const unsigned char *s = at ? p : p + 1, *end = p + n;

	for (; end - s >= MEMBER; s++) {
		s = memchr(s, 0x1f, (size_t)(end - s) - (MEMBER - 1));
		if (!s)
			return false;
		if (is_member(s))
			return true;
	}
	return false;
}

/* Appends the n bytes at p to the last bytes, in tail, which has room for `room`. */
static void
keep_last(unsigned char *tail, size_t *last_n, size_t room, const unsigned char *p, size_t n)
{
	const size_t add = n < room ? n : room, keep = *last_n < room - add ? *last_n : room - add;

	memmove(tail, tail + *last_n - keep, keep);
	memcpy(tail + keep, p + n - add, add);
	*last_n = keep + add;
}

static size_t
zeros_at_end(const unsigned char *p, size_t n)
{
	size_t zeros = 0;

	while (zeros < n && !p[n - zeros - 1])
		zeros++;
	return zeros;
}

/* gzip(1) ignores zeros after the end, which tapes and dd(1) add. */
static void
gzip_keep_end(struct gzip_check *g, const unsigned char *p, size_t n)
{
	const size_t zeros = zeros_at_end(p, n);
	const size_t before = zeros < n ? 0 : zeros_at_end(g->end, g->end_n);
	const size_t room = before < PADDING ? PADDING - before : 0;

	keep_last(g->end, &g->end_n, sizeof(g->end), p, zeros > room ? n - zeros + room : n);
}

static void
gzip_saw_input(struct gzip_check *g, const unsigned char *p, size_t n)
{
	unsigned char seam[2 * TAIL];
	const size_t first = n < TAIL ? n : TAIL;

	if (!g->in && n >= 2)
		g->on = p[0] == 0x1f && p[1] == 0x8b;
	if (!g->on)
		return;
	memcpy(seam, g->tail, g->tail_n);
	memcpy(seam + g->tail_n, p, first);
	g->several = g->several || has_member(seam, g->tail_n + first, g->in - g->tail_n) ||
		     has_member(p, n, g->in);
	keep_last(g->tail, &g->tail_n, TAIL, p, n);
	gzip_keep_end(g, p, n);
	g->in += n;
}

/* Are CRC-32 and length at p, and only zeros after them? */
static bool
is_trailer(const struct gzip_check *g, const unsigned char *p)
{
	const size_t after = (size_t)(g->end + g->end_n - p) - TRAILER;

	return little_endian(p, 4) == g->crc && little_endian(p + 4, 4) == (uint32_t)g->out &&
	       zeros_at_end(p + TRAILER, after) == after;
}

static bool
gzip_is_whole(const struct gzip_check *g)
{
	if (!g->on)
		return true;
	if (g->end_n < TRAILER)
		return false;
	for (size_t i = g->end_n - TRAILER + 1; i-- > 0;)
		if (is_trailer(g, g->end + i))
			return true;
	return g->several && little_endian(g->end + g->end_n - 4, 4) != (uint32_t)g->out;
}

static void
saw_input(struct unpack *u, const unsigned char *p, size_t n)
{
	const size_t zeros = zeros_at_end(p, n);

	gzip_saw_input(&u->gzip, p, n);
	if (!u->given && n > 1)
		u->bzip2 = p[0] == 'B' && p[1] == 'Z';
	u->zeros = (int64_t)zeros + (zeros == n ? u->zeros : 0);
	u->given += (int64_t)n;
}

static la_ssize_t
give_compressed(struct archive *a, void *arg, const void **block)
{
	struct unpack *u = arg;
	ptrdiff_t n = raw_read(u->raw, u->block, sizeof(u->block));

	if (n < 0) {
		libarchive()->archive_set_error(a, u->raw->error, "cannot read");
		return ARCHIVE_FATAL;
	}
	saw_input(u, (unsigned char *)u->block, (size_t)n);
	*block = u->block;
	return n;
}

static int
unpack_damaged(struct unpack *u, struct err *e)
{
	const char *why = libarchive()->archive_error_string(u->a);

	if (u->raw->error) {
		errno = u->raw->error;
		return err_system(e, "cannot read %s", u->name);
	}
	return err_set(e, EXIT_INPUT, "%s: damaged or truncated compressed data (%s)", u->name,
		       why ? why : "unknown reason");
}

static int
unpack_begin(struct unpack *u, struct err *e)
{
	struct archive_entry *entry;
	int r;

	libarchive()->archive_read_support_filter_gzip(u->a);
	libarchive()->archive_read_support_filter_xz(u->a);
	libarchive()->archive_read_support_filter_zstd(u->a);
	libarchive()->archive_read_support_filter_bzip2(u->a);
	libarchive()->archive_read_support_format_raw(u->a);
	libarchive()->archive_read_support_format_empty(u->a);
	r = libarchive()->archive_read_open(u->a, u, NULL, give_compressed, NULL);
	if (r != ARCHIVE_OK)
		return unpack_damaged(u, e);
	r = libarchive()->archive_read_next_header(u->a, &entry);
	u->empty = r == ARCHIVE_EOF;
	return !u->raw->error && (r == ARCHIVE_OK || r == ARCHIVE_EOF) ? 0 : unpack_damaged(u, e);
}

/* Reads as few bytes as possible, so as not to wait for an interactive user. */
static int
is_compressed(struct raw *r, const char *name, struct err *e)
{
	enum unpack_verdict v = UNPACK_UNSURE;
	ptrdiff_t k = 1;

	while (v == UNPACK_UNSURE && k > 0) {
		k = raw_ahead(r);
		v = unpack_is(r->head, r->head_n);
	}
	if (k < 0) {
		errno = r->error;
		return err_system(e, "cannot read %s", name);
	}
	return v == UNPACK_YES;
}

int
unpack_open(struct unpack **u, struct raw *r, const char *name, struct err *e)
{
	const int yes = is_compressed(r, name, e);

	*u = NULL;
	if (yes <= 0)
		return yes;
	*u = xcalloc(1, sizeof(**u));
	(*u)->raw = r;
	(*u)->name = name;
	(*u)->a = libarchive()->archive_read_new();
	if (!(*u)->a)
		die_memory(sizeof(**u));
	if (!unpack_begin(*u, e))
		return 0;
	unpack_close(*u);
	*u = NULL;
	return -1;
}

/*
 * Reads the file to its end, because libarchive takes no more of it after data that is not
 * compressed.  After gzip data, libarchive may have left zeros, and nothing else.
 */
static bool
unpack_is_whole(struct unpack *u)
{
	unsigned char rest[4096];
	ptrdiff_t n;

	while ((n = raw_read(u->raw, rest, sizeof(rest))) > 0)
		saw_input(u, rest, (size_t)n);
	if (n < 0)
		return false;
	if (!u->gzip.on && !u->bzip2)
		return true;
	return libarchive()->archive_filter_bytes(u->a, -1) + (u->bzip2 ? 0 : u->zeros) >=
	       u->given && gzip_is_whole(&u->gzip);
}

static ptrdiff_t
read_packed(struct unpack *u, void *p, size_t n, struct err *e)
{
	la_ssize_t k = u->empty ? 0 : libarchive()->archive_read_data(u->a, p, n);

	if (k < 0 || u->raw->error)	/* libarchive may take a failed read for the end */
		return unpack_damaged(u, e);
	if (k > 0 && u->gzip.on) {
		u->gzip.crc = crc32_add(u->gzip.crc, p, (size_t)k);
		u->gzip.out += (size_t)k;
	}
	if (k || unpack_is_whole(u))
		return k;
	return u->raw->error ? unpack_damaged(u, e) :
	       err_set(e, EXIT_INPUT, "%s: damaged compressed data (wrong checksum, or data after "
		       "its end)", u->name);
}

ptrdiff_t
unpack_read(struct unpack *u, struct raw *r, const char *name, void *p, size_t n, struct err *e)
{
	ptrdiff_t k;

	if (u)
		return read_packed(u, p, n, e);
	k = raw_read(r, p, n);
	if (k >= 0)
		return k;
	errno = r->error;
	return err_system(e, "cannot read %s", name);
}

void
unpack_close(struct unpack *u)
{
	if (!u)
		return;
	libarchive()->archive_read_free(u->a);
	free(u);
}
