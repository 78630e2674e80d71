/* bundle-out: writing a bundle; see bundle.h and heed-model(5).  bundle-in.c reads it. */
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/mem.h"
#include "model-file/bundle.h"
#include "model-file/member.h"
#include "stream/archive.h"

#define PIECE ((size_t)4096)	/* elements converted at a time */

/* The destination of contents: a checksum, and the file unless it is NULL. */
struct sink {
	struct archive_out *file;
	uint32_t crc;
	uint64_t *digest;	/* receives the values of parameters; or NULL */
};

struct content;
typedef int give_content(const struct content *c, struct sink *sink, struct err *e);

/* A member, with its contents: bytes or a parameter. */
struct content {
	struct member member;
	give_content *give;
	const void *data;
	size_t n;
	char *own;		/* data, if bundle_out_finish() frees it; or NULL */
	const struct param *param;
	bool i8;		/* give the parameter as i8 */
	bundle_fill *fill;	/* of a parameter without values */
	void *arg;
};

struct bundle_out {
	const struct bundle_kind *kind;
	struct archive_out *file;
	struct record *map;
	struct content *content;
	size_t n, room;
	uint64_t *digest;	/* of bundle_out_digest(), or NULL */
	bool failed;		/* bundle_fill failed, with this error */
	struct err error;
};

static int
bundle_out_put(struct sink *sink, const void *p, size_t n, struct err *e)
{
	sink->crc = crc32_add(sink->crc, p, n);
	return sink->file ? archive_out_data(sink->file, p, n, e) : 0;
}

static int
give_bytes(const struct content *c, struct sink *sink, struct err *e)
{
	return bundle_out_put(sink, c->data, c->n, e);
}

/* Adds bytes to the digest, if one is wanted. */
static void
sink_digest(struct sink *sink, const void *p, size_t n)
{
	if (sink->digest)
		*sink->digest = hash_fnv1a(*sink->digest, p, n);
}

/* Writes n elements as float32, little-endian. */
static int
put_f32(struct sink *sink, const real *x, size_t n, struct err *e)
{
	unsigned char piece[F32_SIZE * PIECE];

	for (size_t k; n; x += k, n -= k) {
		k = n < PIECE ? n : PIECE;
		f32_put(x, k, piece);
		sink_digest(sink, piece, F32_SIZE * k);
		if (bundle_out_put(sink, piece, F32_SIZE * k, e))
			return -1;
	}
	return 0;
}

/* The digest is that of the values that a reader has. */
static void
digest_i8(struct sink *sink, const unsigned char *p, size_t n, real scale)
{
	unsigned char bytes[F32_SIZE];
	real x;

	for (size_t i = 0; sink->digest && i < n; i++) {
		i8_get(p + i, 1, scale, &x);
		f32_put(&x, 1, bytes);
		sink_digest(sink, bytes, F32_SIZE);
	}
}

static int
put_row_i8(struct sink *sink, const real *x, size_t n, struct err *e)
{
	const real scale = i8_scale(x, n);
	unsigned char piece[PIECE], bytes[F32_SIZE];

	f32_put(&scale, 1, bytes);
	if (bundle_out_put(sink, bytes, F32_SIZE, e))
		return -1;
	for (size_t k; n; x += k, n -= k) {
		k = n < PIECE ? n : PIECE;
		i8_put(x, k, scale, piece);
		digest_i8(sink, piece, k, scale);
		if (bundle_out_put(sink, piece, k, e))
			return -1;
	}
	return 0;
}

/* n elements of the parameter, which are whole rows. */
static int
give_rows(const struct content *c, struct sink *sink, const real *x, size_t n, struct err *e)
{
	const size_t columns = member_columns(c->param);

	if (!c->i8)
		return put_f32(sink, x, n, e);
	for (size_t i = 0; i < n; i += columns)
		if (put_row_i8(sink, x + i, columns, e))
			return -1;
	return 0;
}

static int
give_param(const struct content *c, struct sink *sink, struct err *e)
{
	return give_rows(c, sink, c->param->x, c->param->n, e);
}

/* Some rows at a time, at least one. */
static int
give_filled(const struct content *c, struct sink *sink, struct err *e)
{
	const size_t columns = member_columns(c->param),
		rows = columns < PIECE ? PIECE / columns : 1;
	real *x = xmalloc(rows * columns * sizeof(*x));
	int r = 0;

	for (size_t at = 0, n; !r && at < c->param->n; at += n) {
		n = c->param->n - at < rows * columns ? c->param->n - at : rows * columns;
		r = c->fill(c->arg, c->param, at, n, x, e) || give_rows(c, sink, x, n, e) ? -1 : 0;
	}
	free(x);
	return r;
}

static void
bundle_out_add(struct bundle_out *b, char *name, const char *type, size_t size,
	       const struct content *c)
{
	struct buf shape = { 0 };
	struct sink sum = { .digest = c->param ? b->digest : NULL };

	if (c->param)
		member_shape(c->param, &shape);
	else
		buf_add_char(&shape, '-');
	if (sum.digest)
		*sum.digest = param_digest(*sum.digest, c->param);
	if (!b->failed && c->give(c, &sum, &b->error)) {
		if (!c->fill)
			bug("bundle_out: a checksum failed");
		b->failed = true;
	}
	b->content = mem_grow(b->content, &b->room, b->n + 1, sizeof(*b->content));
	b->content[b->n] = *c;
	b->content[b->n++].member = (struct member){
		.name = name, .type = (char *)type, .shape = shape.data, .size = size,
		.crc = sum.crc
	};
}

struct bundle_out *
bundle_out_open(const char *path, const struct bundle_kind *kind, struct err *e)
{
	struct archive_out *file = archive_out_open(path, e);
	struct bundle_out *b;

	if (!file)
		return NULL;
	b = xcalloc(1, sizeof(*b));
	b->kind = kind;
	b->file = file;
	b->map = record_new();
	record_set_int(b->map, "format", kind->format);
	return b;
}

struct record *
bundle_out_map(struct bundle_out *b)
{
	return b->map;
}

void
bundle_out_text(struct bundle_out *b, const char *key, const char *text)
{
	record_set_str(b->map, key, text, strlen(text));
}

void
bundle_out_digest(struct bundle_out *b, uint64_t *h)
{
	b->digest = h;
}

void
bundle_out_settings(struct bundle_out *b, const char *key, const struct opt *table,
		    const void *state)
{
	struct buf text = { 0 };

	cli_settings_describe(table, state, &text);
	bundle_out_text(b, key, text.data);
	buf_release(&text);
}

void
bundle_out_bytes(struct bundle_out *b, const char *name, const char *type, const void *p,
		 size_t n)
{
	const struct content c = { .give = give_bytes, .data = n ? p : "", .n = n };

	bundle_out_add(b, xstrdup(name), type, n, &c);
}

void
bundle_out_vocab(struct bundle_out *b, const char *name, const struct vocab *v)
{
	struct buf text = { 0 };

	vocab_write(v, &text);
	bundle_out_bytes(b, name, "text", text.data, text.n);
	b->content[b->n - 1].own = text.data;
}

void
bundle_out_param(struct bundle_out *b, const struct param *p, bool i8, bundle_fill *fill, void *arg)
{
	const struct content c = {
		.give = fill ? give_filled : give_param, .param = p, .i8 = i8, .fill = fill,
		.arg = arg
	};
	const char *type = i8 ? "i8" : "f32";

	bundle_out_add(b, xasprintf(MEMBER_PARAM "/%s", p->name), type, member_param_size(p, type),
		       &c);
}

static void
set_table(struct bundle_out *b)
{
	struct buf *text = xcalloc(b->n + 1, sizeof(*text));
	struct str *row = xcalloc(b->n + 1, sizeof(*row));

	for (size_t i = 0; i < b->n; i++) {
		member_describe(&b->content[i].member, &text[i]);
		row[i] = (struct str){ text[i].data, text[i].n };
	}
	record_set_strs(b->map, "members", row, b->n);
	for (size_t i = 0; i < b->n; i++)
		buf_release(&text[i]);
	free(text);
	free(row);
}

static int
write_map(struct bundle_out *b, struct sink *sink, struct err *e)
{
	struct buf map = { 0 };
	int r;

	set_table(b);
	record_encode(b->map, &map);
	r = archive_out_begin(b->file, b->kind->map, map.n, e) ||
	    bundle_out_put(sink, map.data, map.n, e);
	buf_release(&map);
	return r ? -1 : 0;
}

static int
write_members(const struct bundle_out *b, struct sink *sink, struct err *e)
{
	const struct content *c = b->content;

	for (size_t i = 0; i < b->n; i++)
		if (archive_out_begin(b->file, c[i].member.name, c[i].member.size, e) ||
		    c[i].give(&c[i], sink, e))
			return -1;
	return 0;
}

static int
write_end(const struct bundle_out *b, uint32_t crc, struct err *e)
{
	struct buf end = { 0 };
	int r;

	member_end(crc, b->n + 1, &end);
	r = archive_out_member(b->file, MEMBER_END, end.data, end.n, e);
	buf_release(&end);
	return r;
}

static int
check_finite(const struct bundle_out *b, struct err *e)
{
	for (size_t i = 0; i < b->n; i++) {
		const struct param *p = b->content[i].param;

		if (p && !b->content[i].fill &&
		    member_finite(MEMBER_PARAM, p, p->x, EXIT_DIVERGED, e))
			return -1;
	}
	return 0;
}

static int
bundle_out_write_all(struct bundle_out *b, struct err *e)
{
	struct sink to = { .file = b->file };

	if (b->failed) {
		*e = b->error;
		return -1;
	}
	return check_finite(b, e) || write_map(b, &to, e) || write_members(b, &to, e) ||
	       write_end(b, to.crc, e) ? -1 : 0;
}

static void
bundle_out_release(struct bundle_out *b)
{
	for (size_t i = 0; i < b->n; i++) {
		free(b->content[i].member.name);
		free(b->content[i].member.shape);
		free(b->content[i].own);
	}
	free(b->content);
	record_free(b->map);
	free(b);
}

int
bundle_out_finish(struct bundle_out *b, struct err *e)
{
	int r = bundle_out_write_all(b, e);

	if (r)
		archive_out_abandon(b->file);
	else
		r = archive_out_finish(b->file, e);
	bundle_out_release(b);
	return r;
}
