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
#include "stream/input.h"
#include "stream/json-lines.h"
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
	  .help = "choose what to do with lines with invalid UTF-8 or NUL bytes (error)" },
	{ .kind = OPT_FLAG, .short_name = 'j', .long_name = "json", .to = &json,
	  .help = "read JSON lines as heed-show prints them" },
	{ .kind = OPT_FLAG, .long_name = "partial", .to = &partial,
	  .help = "accept JSON lines without an end record or with a wrong number of records" },
	OPT_MAX_LINE,
	OPT_NO_PG,
	OPT_OUTPUT(&output),
	OPT_FORCE(&force),
	OPT_QUIET(&quiet),
	OPT_OLD_LETTER('p', "--partial"),
	{ .kind = OPT_END }
};

static const struct program program = {
	.name = "heed-pack",
	.synopsis = "[-q] [-i action] [-o file] [--max-line mib] [--no-pg] "
		    "[source [target] | -j [--partial] [file]]",
	.summary = "convert text or JSON lines to a stream",
	.example = "heed-pack train.tok.en train.tok.de > train.heed",
	.options = options, .reads = "-", .writes = "sentence",
};

/* --- text --- */

struct pack_side {
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
replace_wrong(struct pack_side *s)
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
next_line(struct pack_side *s, struct err *e)
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
different_lengths(struct pack_side *side, int longer, struct err *e)
{
	struct pack_side *s = &side[longer];
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
next_lines(struct pack_side *side, int n, struct err *e)
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
pack_lines(struct pack_side *side, int n, struct writer *w, struct err *e)
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
	struct pack_side side[2] = { { .field = "src" }, { .field = "tgt" } };
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

static void
pack_json(const char *path)
{
	struct err e;

	if (json_lines_pack(path, output, force ? STREAM_FORCE : 0, partial, &e))
		die(&e);
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
