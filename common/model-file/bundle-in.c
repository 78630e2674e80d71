/* bundle-in: reading a bundle; see bundle.h and heed-model(5). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/hash.h"
#include "base/mapped.h"
#include "base/mem.h"
#include "base/regular.h"
#include "model-file/bundle-parts.h"
#include "model-file/tar-check.h"
#include "stream/archive.h"

/* Limits in bytes: the data structures made from map and vocabulary take several times that. */
#define MAX_MAP    ((size_t)4 << 20)
#define MAX_VOCAB  ((size_t)32 << 20)

#define ANY_KIND "heed-"	/* the first member's name in every bundle starts with it */

const struct record *
bundle_in_map(const struct bundle_in *b)
{
	return b->map;
}

char *
bundle_in_text(const struct bundle_in *b, const char *key, struct err *e)
{
	struct str s;

	if (record_str(b->map, key, &s) || memchr(s.s, 0, s.n)) {
		err_set(e, EXIT_INPUT, "%s has no key %s with a text", b->kind->map, key);
		return NULL;
	}
	return xstrndup(s.s, s.n);
}

int
bundle_in_settings(struct bundle_in *b, const char *key, const struct opt *table,
		   void *state, struct err *e)
{
	char *text = bundle_in_text(b, key, e);
	int r;

	if (!text)
		return -1;
	r = cli_settings(table, state, text, e);
	if (r) {
		err_wrap(e, "%s", key);
		bundle_in_fault(b, e->unknown ? BUNDLE_NEWER : BUNDLE_DAMAGED, e);
	}
	free(text);
	return r;
}

int
bundle_in_fault(struct bundle_in *b, enum bundle_fault fault, struct err *e)
{
	b->fault = fault;
	e->status = EXIT_INPUT;
	return -1;
}

const char *
bundle_in_next(const struct bundle_in *b)
{
	return b->at < b->n ? b->member[b->at].name : NULL;
}

bool
bundle_in_is(const struct bundle_in *b, const char *name)
{
	const char *next = bundle_in_next(b);

	return next && !strcmp(next, name);
}

/* Frees the memory of the file before the next header, and steps over it and `size` bytes. */
static void
bundle_in_step(struct bundle_in *b, size_t size)
{
	if (b->mapped)
		mapped_done(b->mapped, b->done, b->header);
	b->done = b->header;
	b->header += tar_size(size);
}

/* Starts the next member of the archive, and checks its name, and its size unless that is -1. */
static int
next_member(struct bundle_in *b, const char *expected, int64_t size, struct err *e)
{
	const char *name;
	int64_t found;
	int r = archive_in_next(b->in, &name, &found, e);

	if (r < 0)
		return -1;
	if (!r) {
		b->fault = BUNDLE_TRUNCATED;
		return err_set(e, EXIT_INPUT, "no member %s", expected);
	}
	if (!b->map_bytes && strcmp(name, expected) &&
	    !strncmp(name, ANY_KIND, strlen(ANY_KIND))) {
		b->fault = BUNDLE_CONTENT;
		return err_set(e, EXIT_INPUT, "this is a %s, expected %s", name, b->kind->what);
	}
	if (strcmp(name, expected))
		return err_set(e, EXIT_INPUT, "found member %s, expected %s", name, expected);
	if (size >= 0 && found != size)
		return err_set(e, EXIT_INPUT, "%s has %lld bytes, expected %lld", name,
			       (long long)found, (long long)size);
	b->crc = crc32_join(b->crc, b->crc_member, b->counted);
	b->crc_member = 0;
	b->counted = 0;
	bundle_in_step(b, (size_t)found);
	return 0;
}

const struct member *
bundle_in_begin(struct bundle_in *b, struct err *e)
{
	const struct member *m = &b->member[b->at++];

	return next_member(b, m->name, (int64_t)m->size, e) ? NULL : m;
}

static void
bundle_in_count(struct bundle_in *b, const void *p, size_t n)
{
	b->crc_member = crc32_add(b->crc_member, p, n);
	b->counted += n;
}

int
bundle_in_check_sum(const struct bundle_in *b, const struct member *m, struct err *e)
{
	if (b->crc_member == m->crc)
		return 0;
	return err_set(e, EXIT_INPUT, "%s has crc %08lx, expected %08lx", m->name,
		       (unsigned long)b->crc_member, (unsigned long)m->crc);
}

int
bundle_in_take(struct bundle_in *b, unsigned char *p, size_t n, struct err *e)
{
	for (ptrdiff_t k; n; p += k, n -= (size_t)k) {
		k = archive_in_read(b->in, p, n, e);
		if (k < 0)
			return -1;
		if (!k) {
			b->fault = BUNDLE_TRUNCATED;
			return err_set(e, EXIT_INPUT, "member %s is incomplete",
				       b->member[b->at - 1].name);
		}
		bundle_in_count(b, p, (size_t)k);
	}
	return 0;
}

static char *
read_bytes(struct bundle_in *b, size_t *n, struct err *e)
{
	const struct member *m = bundle_in_begin(b, e);
	char *p = m ? archive_in_all(b->in, m->size, n, e) : NULL;

	if (!p)
		return NULL;
	bundle_in_count(b, p, *n);
	if (*n == m->size && !bundle_in_check_sum(b, m, e))
		return p;
	if (*n != m->size)
		err_set(e, EXIT_INPUT, "%s has %zu bytes, expected %zu", m->name, *n, m->size);
	free(p);
	return NULL;
}

/* Checks that the next member has this name and at most max bytes. */
static int
bundle_in_expect(const struct bundle_in *b, const char *name, size_t max, struct err *e)
{
	if (!bundle_in_is(b, name))
		return err_set(e, EXIT_INPUT, "found %s in the table, expected %s",
			       b->at < b->n ? b->member[b->at].name : "no more members", name);
	if (b->member[b->at].size > max)
		return err_set(e, EXIT_INPUT, "%s has %zu bytes, expected at most %zu", name,
			       b->member[b->at].size, max);
	return 0;
}

char *
bundle_in_bytes(struct bundle_in *b, const char *name, size_t *n, struct err *e)
{
	return bundle_in_expect(b, name, SIZE_MAX, e) ? NULL : read_bytes(b, n, e);
}

int
bundle_in_vocab(struct bundle_in *b, const char *name, struct vocab *v, struct err *e)
{
	char *text;
	size_t n;
	int r;

	vocab_init(v);
	if (bundle_in_expect(b, name, MAX_VOCAB, e))
		return -1;
	text = read_bytes(b, &n, e);
	if (!text)
		return -1;
	r = vocab_read(v, text, n, e);
	free(text);
	if (r) {
		vocab_init(v);
		err_wrap(e, "%s", name);
		e->status = EXIT_INPUT;
	}
	return r;
}

static int
skip_member(struct bundle_in *b, struct err *e)
{
	const struct member *m = bundle_in_begin(b, e);
	unsigned char piece[BUNDLE_PIECE];

	if (!m)
		return -1;
	for (size_t left = m->size, k; left; left -= k) {
		k = left < BUNDLE_PIECE ? left : BUNDLE_PIECE;
		if (bundle_in_take(b, piece, k, e))
			return -1;
	}
	return bundle_in_check_sum(b, m, e);
}

static int
read_map(struct bundle_in *b, struct err *e)
{
	int64_t format;
	size_t n;

	if (next_member(b, b->kind->map, -1, e))
		return -1;
	b->map_bytes = archive_in_all(b->in, MAX_MAP, &n, e);
	if (!b->map_bytes)
		return -1;
	bundle_in_count(b, b->map_bytes, n);
	b->map = record_new();
	if (record_decode(b->map, b->map_bytes, n, e))
		return err_wrap(e, "%s", b->kind->map);
	if (record_int(b->map, "format", &format))
		return err_set(e, EXIT_INPUT, "%s has no key format with a number", b->kind->map);
	if (format == b->kind->format)
		return 0;
	err_set(e, EXIT_INPUT, "model format %lld, this program reads %d", (long long)format,
		b->kind->format);
	return bundle_in_fault(b, format > b->kind->format ? BUNDLE_NEWER : BUNDLE_OLDER, e);
}

static int
read_table(struct bundle_in *b, struct err *e)
{
	const struct str *row;
	size_t n, total = 0;

	if (record_strs(b->map, "members", &row, &n))
		return err_set(e, EXIT_INPUT, "%s has no table of members", b->kind->map);
	b->member = xcalloc(n + 1, sizeof(*b->member));
	for (; b->n < n; b->n++) {
		struct member *m = &b->member[b->n];

		if (member_parse(m, row[b->n].s, row[b->n].n, e))
			return err_wrap(e, "member %zu", b->n + 1);
		if (m->size > b->size - total) {
			err_set(e, EXIT_INPUT, "%s has %zu bytes in the table, more than the file",
				m->name, m->size);
			b->n++;
			return -1;
		}
		total += m->size;
	}
	return 0;
}

static int
bundle_in_read_end(struct bundle_in *b, struct err *e)
{
	struct buf expected = { 0 };
	const char *name;
	int64_t size;
	size_t n;
	char *p = NULL;
	int r = -1;

	member_end(crc32_join(b->crc, b->crc_member, b->counted), b->n + 1, &expected);
	if (!next_member(b, MEMBER_END, -1, e))
		p = archive_in_all(b->in, 2 * expected.n, &n, e);
	if (p && (n != expected.n || memcmp(p, expected.data, n)))
		err_set(e, EXIT_INPUT, "the contents of end are wrong, expected %.*s",
			(int)expected.n - 1, expected.data);
	else if (p)
		r = archive_in_next(b->in, &name, &size, e);
	if (r > 0)
		r = err_set(e, EXIT_INPUT, "found member %s after end", name);
	free(p);
	buf_release(&expected);
	return r;
}

static int
read_rest(struct bundle_in *b, struct err *e)
{
	while (bundle_in_next(b))
		if (skip_member(b, e))
			return -1;
	return bundle_in_read_end(b, e);
}

void
bundle_in_drop(struct bundle_in *b)
{
	archive_in_close(b->in);
	record_free(b->map);
	free(b->map_bytes);
	for (size_t i = 0; i < b->n; i++)
		member_release(&b->member[i]);
	free(b->member);
	if (b->mapped)
		mapped_close(b->mapped, b->size);
	free(b->name);
	free(b);
}

int
bundle_in_close(struct bundle_in *b, int r, struct err *e)
{
	if (!r)
		r = read_rest(b, e);
	else
		bundle_in_doubt_version(b, e);
	if (r)
		bundle_in_name_fault(b, e);
	bundle_in_drop(b);
	return r;
}

/* Does the file start like a bundle, as far as its n bytes go? */
static bool
begins_like_bundle(const void *p, size_t n)
{
	const size_t name = strlen(ANY_KIND);

	return !memcmp(p, ANY_KIND, n < name ? n : name);
}

static int
not_a_bundle(const struct bundle_kind *kind, bool stream, struct err *e)
{
	err_set(e, EXIT_INPUT, "this is %s, expected %s",
		stream ? "a heed stream" : "no file of heed", kind->what);
	if (kind->hint && !stream)
		err_hint(e, "%s", kind->hint);
	return -1;
}

static int
bundle_in_start(struct bundle_in *b, const void *p, struct err *e)
{
	bool truncated;

	b->bytes = p;
	if (!begins_like_bundle(p, b->size)) {
		b->fault = BUNDLE_CONTENT;
		return not_a_bundle(b->kind, stream_begins(p, b->size), e);
	}
	if (tar_check(p, b->size, &truncated, e)) {
		b->fault = truncated ? BUNDLE_TRUNCATED : BUNDLE_DAMAGED;
		return -1;
	}
	b->in = archive_in_memory(b->name, p, b->size, e);
	return b->in && !read_map(b, e) && !read_table(b, e) ? 0 : -1;
}

struct bundle_in *
bundle_in_memory(const char *name, const void *p, size_t n, const struct bundle_kind *kind,
		 struct err *e)
{
	struct bundle_in *b = xcalloc(1, sizeof(*b));
	int r;

	b->kind = kind;
	b->name = xstrdup(name);
	b->size = n;
	r = bundle_in_start(b, p, e);
	return r && bundle_in_close(b, r, e) ? NULL : b;
}

/* Maps the file into memory. */
static void *
map_file(const char *path, const struct bundle_kind *kind, size_t *n, struct err *e)
{
	const int fd = regular_open(path, e);
	struct stat st;
	void *p = NULL;

	if (fd < 0) {
		if (kind->hint && !stat(path, &st) && S_ISDIR(st.st_mode))
			err_hint(e, "%s", kind->hint);
		return NULL;
	}
	if (fstat(fd, &st))
		err_system(e, "cannot read %s", path);
	else if (!st.st_size) {
		err_set(e, EXIT_INPUT, "%s: not a model: file is empty", path);
	} else {
		*n = (size_t)st.st_size;
		p = mapped_open(fd, *n, path, e);
	}
	close(fd);
	return p;
}

bool
bundle_is(const char *path, const struct bundle_kind *kind)
{
	size_t n = strlen(kind->map) + 1, got = 0;
	char *name = xcalloc(1, n);
	struct err unused;
	const int fd = regular_open(path, &unused);
	FILE *f = fd < 0 ? NULL : fdopen(fd, "rb");

	if (f) {
		got = fread(name, 1, n, f);
		fclose(f);
	} else if (fd >= 0) {
		close(fd);
	}
	got = got == n && !memcmp(name, kind->map, n);
	free(name);
	return got;
}

struct bundle_in *
bundle_in_open(const char *path, const struct bundle_kind *kind, struct err *e)
{
	struct bundle_in *b;
	size_t n;
	void *p = map_file(path, kind, &n, e);

	if (!p)
		return NULL;
	b = bundle_in_memory(path, p, n, kind, e);
	if (b)
		b->mapped = p;
	else
		mapped_close(p, n);
	return b;
}
