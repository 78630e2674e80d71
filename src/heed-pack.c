/*
 * heed-pack: turn text, one sentence per line, or the JSON lines that heed-show
 * prints, into a stream.  See heed-pack(1).
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/cli.h"
#include "base/utf8.h"
#include "stream/header-parts.h"
#include "stream/input.h"
#include "stream/json-in.h"
#include "stream/msgpack-in.h"
#include "stream/record-parts.h"
#include "stream/stream.h"

#define REPLACEMENT "\xef\xbf\xbd"	/* U+FFFD */

enum invalid { INVALID_ERROR, INVALID_REPLACE, INVALID_SKIP };

static const char *const invalid_names[] = { "error", "replace", "skip", NULL };

static const char *output;
static int invalid;
static bool json, partial, force, quiet;

static const struct opt options[] = {
	{ .kind = OPT_CHOICE, .short_name = 'i', .long_name = "invalid", .arg = "action",
	  .to = &invalid, .choice = invalid_names,
	  .help = "handle lines with invalid UTF-8 or NUL bytes (error)" },
	{ .kind = OPT_FLAG, .short_name = 'j', .long_name = "json", .to = &json,
	  .help = "read JSON lines as heed-show prints them" },
	{ .kind = OPT_FLAG, .short_name = 'p', .long_name = "partial", .to = &partial,
	  .help = "accept JSON lines without a matching end line" },
	OPT_MAX_LINE,
	OPT_NO_PG,
	OPT_OUTPUT(&output),
	OPT_FORCE(&force),
	OPT_QUIET(&quiet),
	{ .kind = OPT_END }
};

static const struct program program = {
	.name = "heed-pack",
	.synopsis = "[-fq] [-i action] [-o file] [--no-pg] [source [target] | -j [-p] [file]]",
	.summary = "convert text or JSON lines to a stream",
	.example = "heed-pack train.tok.en train.tok.de > train.heed",
	.options = options, .reads = "-", .writes = "sentence",
};

/* --- text --- */

struct side {
	const char *field;
	struct input *in;
	const char *line;
	size_t n;
	struct buf fixed;		/* the line with its invalid bytes replaced */
	bool wrong;			/* the line is not valid */
};

static int64_t replaced, skipped;

/* Appends n bytes of UTF-8, with U+FFFD for each NUL byte. */
static void
replace_nul(const char *p, size_t n, struct buf *out)
{
	const char *nul;

	while ((nul = n ? memchr(p, 0, n) : NULL)) {
		buf_add(out, p, (size_t)(nul - p));
		buf_add_str(out, REPLACEMENT);
		n -= (size_t)(nul - p) + 1;
		p = nul + 1;
	}
	buf_add(out, p, n);
}

/* Replaces each byte that is NUL or not part of a well-formed sequence by U+FFFD. */
static void
replace_wrong(struct side *s)
{
	const char *p = s->line;
	size_t n = s->n, good;

	buf_clear(&s->fixed);
	while ((good = utf8_check(p, n)) < n) {
		replace_nul(p, good, &s->fixed);
		buf_add_str(&s->fixed, REPLACEMENT);
		p += good + 1;
		n -= good + 1;
	}
	replace_nul(p, n, &s->fixed);
	s->line = s->fixed.data;
	s->n = s->fixed.n;
}

static int
next_line(struct side *s, struct err *e)
{
	int r = input_line(s->in, &s->line, &s->n, e);

	if (r <= 0 || invalid == INVALID_ERROR)
		return r;
	s->wrong = utf8_text(s->line, s->n) < s->n;
	if (s->wrong && invalid == INVALID_REPLACE) {
		replace_wrong(s);
		replaced++;
	}
	return 1;
}

/* One file ended before the other: reads the longer one to its end, for the message. */
static int
different_lengths(struct side *side, int longer, struct err *e)
{
	struct side *s = &side[longer];
	int r;

	while ((r = input_line(s->in, &s->line, &s->n, e)) > 0)
		;
	if (r < 0)
		return -1;
	return err_set(e, EXIT_INPUT,
		       "%s has %" PRId64 " lines, %s has %" PRId64 ", expected the same number",
		       input_name(side[0].in), input_line_number(side[0].in),
		       input_name(side[1].in), input_line_number(side[1].in));
}

/* Reads one line of each side; 1, 0 at the end, -1 on error. */
static int
next_lines(struct side *side, int n, struct err *e)
{
	int first = next_line(&side[0], e), second;

	if (first < 0 || n == 1)
		return first;
	second = next_line(&side[1], e);
	if (second < 0)
		return -1;
	return first == second ? first : different_lengths(side, second, e);
}

static int
pack_lines(struct side *side, int n, struct writer *w, struct err *e)
{
	struct record *rec = record_new();
	int r, bad = 0;

	while (!bad && (r = next_lines(side, n, e)) != 0) {
		if (r < 0) {
			bad = -1;
			break;
		}
		if (invalid == INVALID_SKIP && (side[0].wrong || (n > 1 && side[1].wrong))) {
			skipped++;
			continue;
		}
		record_clear(rec);
		record_set_int(rec, "id", input_line_number(side[0].in));
		for (int i = 0; i < n; i++)
			record_set_str(rec, side[i].field, side[i].line, side[i].n);
		bad = writer_put(w, rec, e);
		if (!bad && !input_held(side[0].in))
			bad = writer_flush(w, e);
	}
	record_free(rec);
	return bad;
}

static void
pack_text(char **path, int n)
{
	static const struct field adds[] = {
		{ "id", "int", 0 }, { "src", "str", 0 }, { "tgt", "str", 0 }, { 0 }
	};
	struct side side[2] = { { .field = "src" }, { .field = "tgt" } };
	unsigned flags = invalid == INVALID_ERROR ? INPUT_UTF8 : 0;
	struct writer *w;
	struct err e;

	for (int i = 0; i < n; i++)
		if (!(side[i].in = input_open(path[i], flags, &e)))
			die(&e);
	w = writer_open(output, "sentence", NULL, adds, force ? STREAM_FORCE : 0, &e);
	if (!w)
		die(&e);
	if (n == 1)
		writer_drop_field(w, "tgt");
	if (pack_lines(side, n, w, &e)) {
		writer_abandon(w);
		die(&e);
	}
	if (writer_finish(w, &e))
		die(&e);
	for (int i = 0; i < n; i++) {
		input_close(side[i].in);
		buf_release(&side[i].fixed);
	}
	if (replaced && !quiet)
		warn("%" PRId64 " lines were not valid UTF-8: replaced bytes by U+FFFD", replaced);
	if (skipped && !quiet)
		warn("%" PRId64 " lines were not valid UTF-8: skipped them", skipped);
}

/* --- JSON --- */

struct json_lines {
	struct input *in;
	struct writer *w;
	struct header *header;
	struct record *rec;
	struct buf bytes;
	int64_t records;		/* of the current stream, if several follow each other */
	bool ended;
};

static int
json_header(struct json_lines *j, struct err *e)
{
	struct header *h = header_decode(j->bytes.data, j->bytes.n, e);

	if (!h)
		return -1;
	j->records = 0;
	j->ended = false;
	if (!j->header) {
		j->header = h;
		j->w = writer_open(output, NULL, h, NULL, force ? STREAM_FORCE : 0, e);
		return j->w ? 0 : -1;
	}
	if (header_may_follow(j->header, h, e)) {
		header_free(h);
		return -1;
	}
	header_free(h);
	return 0;
}

/* ["heed-end", n], where n may be missing. */
static int
json_end(struct json_lines *j, uint32_t n_parts, const uint8_t *p, struct err *e)
{
	enum mp_state state;
	struct mp count;

	j->ended = true;
	if (n_parts < 2 || partial)
		return 0;
	if (!mp_get(p, (const uint8_t *)j->bytes.data + j->bytes.n, &count, &state) ||
	    count.kind != MP_INT)
		return err_set(e, EXIT_INPUT, "malformed end line, expected [\"heed-end\",n]");
	if (count.i == j->records)
		return 0;
	err_set(e, EXIT_INPUT, "%" PRId64 " records, expected %" PRId64 " by the end line",
		j->records, count.i);
	err_hint(e, "--partial accepts any number");
	return -1;
}

static int
json_control(struct json_lines *j, struct err *e)
{
	const uint8_t *p = (const uint8_t *)j->bytes.data, *end = p + j->bytes.n;
	enum mp_state state = MP_FINE;
	struct mp array, name;

	p = mp_get(p, end, &array, &state);
	if (p)
		p = mp_get(p, end, &name, &state);
	if (p && mp_is(&name, "heed") && (!j->header || j->ended))
		return json_header(j, e);
	if (!j->header || !p)
		return err_set(e, EXIT_INPUT, "expected a header line [\"heed\",1,kind,meta]");
	if (mp_is(&name, "heed-end") && !j->ended)
		return json_end(j, array.n, p, e);
	if (mp_is(&name, "heed-note") && array.n == 3 && !j->ended)
		return writer_put_note(j->w, j->bytes.data, j->bytes.n, e);
	return err_set(e, EXIT_INPUT, "unexpected list, expected a record, a note or the end");
}

static int
json_record(struct json_lines *j, struct err *e)
{
	size_t used;
	int r;

	if (!j->header || j->ended)
		return err_set(e, EXIT_INPUT, "expected a header line [\"heed\",1,kind,meta]");
	r = record_parse(j->rec, j->header, (const uint8_t *)j->bytes.data, j->bytes.n, &used, e);
	if (r < 0)
		return -1;
	if (!r || used != j->bytes.n)
		return err_set(e, EXIT_INPUT, "expected one complete record");
	j->records++;
	return writer_put(j->w, j->rec, e);
}

static int
json_line(struct json_lines *j, const char *line, size_t n, struct err *e)
{
	unsigned char first;

	buf_clear(&j->bytes);
	if (json_read(line, n, j->header, &j->bytes, e))
		return -1;
	first = (unsigned char)j->bytes.data[0];
	if ((first & 0xf0) == 0x90 || (first & 0xfe) == 0xdc)
		return json_control(j, e);
	return json_record(j, e);
}

static int
json_all(struct json_lines *j, struct err *e)
{
	const char *line;
	size_t n;
	int r;

	while ((r = input_line(j->in, &line, &n, e)) > 0) {
		struct err inner = { .hint = "" };

		if (!json_line(j, line, n, &inner))
			continue;
		*e = inner;
		return inner.status == EXIT_INPUT
			   ? err_wrap(e, "%s: line %" PRId64, input_name(j->in),
				      input_line_number(j->in))
			   : -1;
	}
	if (r < 0)
		return -1;
	if (!j->header)
		return err_set(e, EXIT_INPUT, "%s is empty, expected JSON lines",
			       input_name(j->in));
	if (j->ended || partial)
		return 0;
	err_set(e, EXIT_INPUT, "%s ends after line %" PRId64 ", expected an end line",
		input_name(j->in), input_line_number(j->in));
	err_hint(e, "check that the previous program succeeded; --partial accepts a missing end");
	return -1;
}

static void
pack_json(const char *path)
{
	struct json_lines j = { .rec = record_new() };
	struct err e;

	j.in = input_open(path, 0, &e);
	if (!j.in)
		die(&e);
	if (json_all(&j, &e)) {
		writer_abandon(j.w);
		die(&e);
	}
	if (writer_finish(j.w, &e))
		die(&e);
	input_close(j.in);
	header_free(j.header);
	record_free(j.rec);
	buf_release(&j.bytes);
}

int
main(int argc, char **argv)
{
	static char dash[] = "-", *standard_input[] = { dash, NULL };
	char **path;
	int n = cli_begin(&program, argc, argv, &path);

	if (n > (json ? 1 : 2))
		die_usage("%d files, expected at most %d", n, json ? 1 : 2);
	if (!n)
		path = standard_input;
	if (json)
		pack_json(path[0]);
	else
		pack_text(path, n ? n : 1);
	return cli_end(EXIT_OK);
}
