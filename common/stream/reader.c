/*
 * reader: strict reader of streams; see stream.h and heed-stream(5).  A record points into the
 * input's buffer, so its bytes are consumed only when the next record is requested.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/cli.h"
#include "base/hash.h"
#include "base/mem.h"
#include "base/progress.h"
#include "stream/header-parts.h"
#include "stream/input.h"
#include "stream/msgpack-in.h"
#include "stream/record-parts.h"

int64_t stream_max_record = 64;

struct reader {
	struct input *in;
	struct header *header;
	struct record *rec;
	size_t max_record;
	size_t held;			/* bytes of the current record, not yet consumed */
	uint64_t at;			/* bytes consumed */
	int64_t count;			/* records of all parts: streams joined by cat */
	int64_t part_count;		/* records of this part */
	uint32_t crc;			/* of this part */
	bool ended;			/* after an end record */
	reader_note *note;
	void *note_arg;
	char *where;
};

const char *
reader_where(const struct reader *r)
{
	struct reader *self = (struct reader *)(uintptr_t)r;	/* only a cache */
	struct str s;
	int64_t id;

	free(self->where);
	if (!record_int(r->rec, "id", &id))
		self->where = xasprintf("%s: record %" PRId64 " (id %" PRId64 ")",
					input_name(r->in), r->count, id);
	else if (!record_str(r->rec, "id", &s) && s.n < 100)
		self->where = xasprintf("%s: record %" PRId64 " (id %.*s)", input_name(r->in),
					r->count, (int)s.n, s.s);
	else
		self->where = xasprintf("%s: record %" PRId64, input_name(r->in), r->count);
	return self->where;
}

const char *
reader_name(const struct reader *r)
{
	return input_name(r->in);
}

enum { LOOK = 512, QUOTE = 20 };	/* bytes to identify a file; bytes to quote in a message */

/* The number of text bytes at the start of p. */
static size_t
text_at(const char *p, size_t n)
{
	size_t i = 0;

	while (i < n && ((unsigned char)p[i] >= ' ' || p[i] == '\t' || p[i] == '\r' ||
			 p[i] == '\n') && p[i] != 127)
		i++;
	return i;
}

/* Identifies a file that is not a stream by its first bytes. */
static void
hint_at(const char *p, size_t n, struct err *e)
{
	if (n && (*p == '{' || *p == '['))
		err_hint(e, "heed-pack --json turns JSON lines into a stream");
	else if (input_is_tar(p, n))
		err_hint(e, "this is a tar file, such as a model; give models with -m");
	else if (n && text_at(p, n < 64 ? n : 64) == (n < 64 ? n : 64))
		err_hint(e, "heed-pack turns text into a stream");
}

static int
no_stream(struct reader *r, struct err *e)
{
	const char *p;
	const ptrdiff_t have = input_ahead(r->in, LOOK, &p, e);
	size_t n;

	if (have < 0)
		return -1;
	if (!r->header) {
		err_set(e, EXIT_INPUT, "%s is not a heed stream", input_name(r->in));
		hint_at(p, (size_t)have, e);
		return -1;
	}
	for (n = 0; n < QUOTE && (ptrdiff_t)n < have && p[n] >= ' ' && p[n] < 127; n++)
		;
	if (!n)
		return err_set(e, EXIT_INPUT, "%s: unexpected byte 0x%02x after the end of the "
			       "stream", input_name(r->in), (unsigned)(unsigned char)*p);
	return err_set(e, EXIT_INPUT, "%s: unexpected '%.*s' after the end of the stream",
		       input_name(r->in), (int)n, p);
}

static void
hint_truncated(struct err *e)
{
	err_hint(e, "the file is truncated, or the program that wrote it failed");
}

static int
reader_cut(const struct reader *r, struct err *e)
{
	err_set(e, EXIT_INPUT, "%s ends inside record %" PRId64, input_name(r->in), r->count + 1);
	hint_truncated(e);
	return -1;
}

enum object { RECORD, NOTE };	/* NOTE: or a header or end record */

static int
too_large(const struct reader *r, enum object object, struct err *e)
{
	if (object == NOTE)
		return err_set(e, EXIT_INPUT, "%s: the header or note after record %" PRId64
			       " has more than %zu bytes", input_name(r->in), r->count,
			       HEADER_BYTES);
	err_set(e, EXIT_INPUT, "%s: record %" PRId64 " has more than %zu bytes", input_name(r->in),
		r->count + 1, r->max_record);
	cli_hint_limit(&stream_max_record, e);
	return -1;
}

/*
 * Waits for the complete next object, stores its address in *p and its size in *n, and checks its
 * limit.  It is parsed as it arrives, so that no byte is parsed twice if the pipe is slow.
 */
static int
whole_object(struct reader *r, enum object object, const char **p, size_t *n, struct err *e)
{
	const size_t limit = object == NOTE ? HEADER_BYTES : r->max_record;
	struct mp_walk w = { 0 };
	enum mp_state state = MP_SHORT;
	ptrdiff_t have;

	w.want = 1;
	while (state == MP_SHORT) {
		if (w.want > limit)
			return too_large(r, object, e);
		have = input_ahead(r->in, w.want, p, e);
		if (have < 0)
			return -1;
		if ((size_t)have < w.want)
			return reader_cut(r, e);
		state = mp_walk(&w, (const uint8_t *)*p, (size_t)have);
	}
	if (state != MP_FINE)
		return err_set(e, EXIT_INPUT, "%s: record %" PRId64 ": %s", input_name(r->in),
			       r->count + 1, mp_problem(state));
	*n = w.at;
	return w.at > limit ? too_large(r, object, e) : 0;
}

static void
reader_take(struct reader *r, size_t n)
{
	input_skip(r->in, n);
	r->at += n;
}

static int
reader_read_header(struct reader *r, struct err *e)
{
	struct header *h;
	const char *p;
	ptrdiff_t have;
	size_t n;

	have = input_ahead(r->in, 1, &p, e);
	if (have < 0)
		return -1;
	if (!have)
		return err_set(e, EXIT_INPUT, "%s is empty, expected a heed stream",
			       input_name(r->in));
	if (((unsigned char)*p & 0xf0) != 0x90)
		return no_stream(r, e);
	if (whole_object(r, NOTE, &p, &n, e))
		return -1;
	h = header_decode(p, n, e);
	if (!h)
		return err_wrap(e, "%s", input_name(r->in));
	r->crc = crc32_add(0, p, n);
	r->part_count = 0;
	r->ended = false;
	reader_take(r, n);
	if (!r->header) {
		r->header = h;
		return 0;
	}
	have = header_may_follow(r->header, h, e);
	header_free(h);
	return have ? err_wrap(e, "%s", input_name(r->in)) : 0;
}

static int
check_kind(const struct reader *r, const char *kind, const struct field *needs, struct err *e)
{
	if (kind && strcmp(kind, r->header->kind))
		return err_set(e, EXIT_INPUT, "%s is a stream of kind %s, expected kind %s",
			       input_name(r->in), r->header->kind, kind);
	return header_check(r->header, input_name(r->in), needs, e);
}

/* An array of four whose first element is the str "heed".  Text never starts with 0x94. */
static const char magic[] = "\x94\xa4heed";

bool
stream_begins(const void *p, size_t n)
{
	return n >= sizeof(magic) - 1 && !memcmp(p, magic, sizeof(magic) - 1);
}

int
stream_ahead(struct input *input, struct err *e)
{
	const char *p;
	const ptrdiff_t n = input_ahead(input, sizeof(magic) - 1, &p, e);

	return n < 0 ? -1 : stream_begins(p, (size_t)n);
}

struct reader *
reader_open_input(struct input *input, const char *kind, const struct field *needs, struct err *e)
{
	struct reader *r = xcalloc(1, sizeof(*r));

	r->in = input;
	r->rec = record_new();
	r->max_record = (size_t)stream_max_record << 20;
	if (!reader_read_header(r, e) && !check_kind(r, kind, needs, e))
		return r;
	reader_close(r);
	return NULL;
}

struct reader *
reader_open(const char *path, const char *kind, const struct field *needs, unsigned flags,
	    struct err *e)
{
	struct input *in =
	    input_open(path, INPUT_BINARY | (flags & STREAM_FORCE ? INPUT_FORCE : 0), e);

	return in ? reader_open_input(in, kind, needs, e) : NULL;
}

struct reader *
reader_memory(const char *name, const void *p, size_t n, const char *kind,
	      const struct field *needs, struct err *e)
{
	struct input *in = input_memory(name, p, n, 0, e);

	return in ? reader_open_input(in, kind, needs, e) : NULL;
}

void
reader_close(struct reader *r)
{
	if (!r)
		return;
	input_close(r->in);
	header_free(r->header);
	record_free(r->rec);
	free(r->where);
	free(r);
}

/* Reads the record at p, of which `have` bytes, usually all, have arrived. */
static int
reader_read_record(struct reader *r, const char *p, size_t have, struct err *e)
{
	size_t used = 0;
	int got = record_parse(r->rec, r->header, (const uint8_t *)p, have, &used, e);

	if (!got) {
		if (whole_object(r, RECORD, &p, &have, e))
			return -1;
		got = record_parse(r->rec, r->header, (const uint8_t *)p, have, &used, e);
	}
	if (got > 0 && used > r->max_record)
		return too_large(r, RECORD, e);
	r->count++;
	if (got <= 0)
		return err_wrap(e, "%s", reader_where(r));
	r->part_count++;
	r->held = used;
	r->crc = crc32_add(r->crc, p, used);
	return 1;
}

static int
check_end(struct reader *r, const uint8_t *p, const uint8_t *end, struct err *e)
{
	enum mp_state state;
	struct mp count, crc;

	p = mp_get(p, end, &count, &state);
	if (p)
		p = mp_get(p, end, &crc, &state);
	if (p != end || count.kind != MP_INT || crc.kind != MP_INT)
		return err_set(e, EXIT_INPUT, "%s: malformed end record", input_name(r->in));
	if (count.i != r->part_count)
		return err_set(e, EXIT_INPUT,
			       "%s has %" PRId64 " records, expected %" PRId64 " by its end record",
			       input_name(r->in), r->part_count, count.i);
	if (crc.huge || crc.i != (int64_t)r->crc)
		return err_set(e, EXIT_INPUT,
			       "%s: checksum %08" PRIx32 ", expected %08" PRIx64
			       "; the stream is damaged",
			       input_name(r->in), r->crc, (uint64_t)crc.i);
	r->ended = true;
	return 0;
}

/* Is this ["heed-note", name, value]? */
static bool
is_note(const uint8_t *p, const uint8_t *end, uint32_t n_parts)
{
	enum mp_state state;
	struct mp name;

	return n_parts == 3 && mp_get(p, end, &name, &state) && name.kind == MP_STR;
}

static int
reader_read_control(struct reader *r, struct err *e)
{
	const uint8_t *at, *end;
	enum mp_state state;
	struct mp m, name;
	const char *p;
	size_t n;
	int bad;

	if (whole_object(r, NOTE, &p, &n, e))
		return -1;
	end = (const uint8_t *)p + n;
	at = mp_get((const uint8_t *)p, end, &m, &state);
	at = mp_get(at, end, &name, &state);
	if (at && mp_is(&name, "heed-end") && m.n == 3) {
		bad = check_end(r, at, end, e);
	} else if (at && mp_is(&name, "heed-note") && is_note(at, end, m.n)) {
		r->crc = crc32_add(r->crc, p, n);
		bad = r->note ? r->note(r->note_arg, p, n, e) : 0;
	} else {
		bad = err_set(e, EXIT_INPUT, "%s: unexpected array after %" PRId64
			      " records, expected a note or the end",
			      input_name(r->in), r->count);
	}
	reader_take(r, n);
	return bad;
}

static int
reader_at_end(const struct reader *r, struct err *e)
{
	if (r->ended)
		return 0;
	err_set(e, EXIT_INPUT, "%s ends after %" PRId64 " records without an end record",
		input_name(r->in), r->count);
	hint_truncated(e);
	return -1;
}

int
reader_next(struct reader *r, struct record **rec, struct err *e)
{
	const char *p;
	ptrdiff_t have;
	int bad = 0;

	reader_take(r, r->held);
	r->held = 0;
	*rec = r->rec;
	while (!bad) {
		have = input_ahead(r->in, 1, &p, e);
		if (have <= 0)
			return have < 0 ? -1 : reader_at_end(r, e);
		if (r->ended)
			bad = reader_read_header(r, e);
		else if (((unsigned char)*p & 0xf0) == 0x90 || ((unsigned char)*p & 0xfe) == 0xdc)
			bad = reader_read_control(r, e);
		else
			return reader_read_record(r, p, (size_t)have, e);
	}
	return -1;
}

const struct header *
reader_header(const struct reader *r)
{
	return r->header;
}

void
reader_max_record(struct reader *r, size_t bytes)
{
	r->max_record = bytes;
}

int64_t
reader_count(const struct reader *r)
{
	return r->count;
}

uint64_t
reader_offset(const struct reader *r)
{
	return r->at;
}

bool
reader_has_more(const struct reader *r)
{
	return input_held(r->in) > r->held;
}

void
reader_on_note(struct reader *r, reader_note *note, void *arg)
{
	r->note = note;
	r->note_arg = arg;
}

static int
pass_note(void *w, const void *p, size_t n, struct err *e)
{
	return writer_put_note(w, p, n, e);
}

void
reader_notes_to(struct reader *r, struct writer *w)
{
	reader_on_note(r, pass_note, w);
}

int64_t
reader_count_file(const char *path, const char *kind)
{
	struct reader *in;
	struct record *rec;
	struct err e;
	struct stat file;
	int64_t n;

	/* Bytes of a pipe would be missing afterwards. */
	if (!progress_is_drawn() || !path || stat(path, &file) || !S_ISREG(file.st_mode))
		return 0;
	in = reader_open(path, kind, NULL, 0, &e);
	if (!in)
		return 0;
	while (reader_next(in, &rec, &e) > 0)
		;
	n = reader_count(in);
	reader_close(in);
	return n;
}
