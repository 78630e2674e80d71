/* heed-show: print a stream as JSON lines, or some of its fields as TSV.  See heed-show(1). */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/cli.h"
#include "base/mem.h"
#include "base/output.h"
#include "stream/header-parts.h"
#include "stream/json-out.h"
#include "stream/record-parts.h"
#include "stream/stream.h"

static const char *output, *fields;
static int64_t max_records = -1;	/* -1: all */
static bool force, only_header;

static const struct opt options[] = {
	{ .kind = OPT_STRING, .short_name = 'f', .long_name = "fields", .arg = "name,name",
	  .to = &fields, .help = "print only these fields, as tab-separated values" },
	{ .kind = OPT_FLAG, .short_name = 'H', .long_name = "header", .to = &only_header,
	  .help = "print only the header" },
	{ .kind = OPT_INT, .short_name = 'n', .long_name = "number", .arg = "n", .to = &max_records,
	  .min = 0, .max = 1e15, .help = "stop after n records (all)" },
	OPT_MAX_RECORD,
	OPT_OUTPUT(&output),
	{ .kind = OPT_FLAG, .long_name = "force", .to = &force,
	  .help = "read binary data from a terminal" },
	OPT_OLD_NAME("count", "--number"),
	{ .kind = OPT_END }
};

static const struct program program = {
	.name = "heed-show",
	.synopsis = "[-H] [-f name,name] [-n n] [-o file] [--max-record mib] [file]",
	.summary = "print a stream as JSON lines or tab-separated values",
	.example = "heed-show -f id,src train.heed | head",
	.options = options, .reads = "any", .writes = "-",
};

struct show {
	struct reader *in;
	struct output *out;
	struct buf line;
	struct field *wanted;		/* the fields of -f; ends with {0} */
	int n_wanted;
	bool whole;			/* the end of the stream was reached */
};

/* --- JSON --- */

static int
put_line(struct show *s, struct err *e)
{
	int bad;

	buf_add_char(&s->line, '\n');
	bad = output_write(s->out, s->line.data, s->line.n, e);
	buf_clear(&s->line);
	return bad;
}

static int
show_header(struct show *s, struct err *e)
{
	struct buf b = { 0 };

	header_encode(reader_header(s->in), &b);
	json_add_value(&s->line, NULL, b.data, b.n);
	buf_release(&b);
	return put_line(s, e);
}

static int
show_note(void *arg, const void *p, size_t n, struct err *e)
{
	struct show *s = arg;

	json_add_value(&s->line, NULL, p, n);
	return put_line(s, e);
}

static int
show_json(struct show *s, const struct record *rec, struct err *e)
{
	json_add_record(&s->line, rec);
	return put_line(s, e);
}

/* --- TSV --- */

static int
unfit(const struct show *s, const char *field, const char *what, struct err *e)
{
	err_set(e, EXIT_INPUT, "%s: %s contains %s, which does not fit a table",
		reader_where(s->in), field, what);
	err_hint(e, "print JSON instead, without -f");
	return -1;
}

/* Text is printed unchanged or not at all, so that -f src prints the lines that were packed. */
static int
add_text(struct show *s, const char *field, const char *p, size_t n, bool element, struct err *e)
{
	if (memchr(p, '\n', n))
		return unfit(s, field, "a line feed", e);
	if (s->n_wanted > 1 && memchr(p, '\t', n))
		return unfit(s, field, "a tab", e);
	if (element && (!n || memchr(p, ' ', n)))
		return unfit(s, field, "an element that is empty or has a space", e);
	buf_add(&s->line, p, n);
	return 0;
}

static int
add_strs(struct show *s, const char *field, const struct str *v, size_t n, struct err *e)
{
	for (size_t i = 0; i < n; i++) {
		if (i)
			buf_add_char(&s->line, ' ');
		if (add_text(s, field, v[i].s, v[i].n, true, e))
			return -1;
	}
	return 0;
}

static int
add_field(struct show *s, const struct record *rec, const struct field *f, struct err *e)
{
	const struct str *strs;
	const int32_t *ints;
	const void *p;
	struct type t;
	struct str text;
	size_t n;

	if (record_raw(rec, f->name, &p, &n))
		return 0;
	if (!record_str(rec, f->name, &text))
		return add_text(s, f->name, text.s, text.n, false, e);
	if (!record_strs(rec, f->name, &strs, &n) && n)
		return add_strs(s, f->name, strs, n, e);
	if (!record_ints(rec, f->name, &ints, &n)) {
		for (size_t i = 0; i < n; i++)
			buf_printf(&s->line, i ? " %" PRId32 : "%" PRId32, ints[i]);
		return 0;
	}
	record_raw(rec, f->name, &p, &n);
	type_parse(f->type ? f->type : "", &t);
	json_add_value(&s->line, &t, p, n);
	return 0;
}

static int
show_fields(struct show *s, const struct record *rec, struct err *e)
{
	for (int i = 0; i < s->n_wanted; i++) {
		if (i)
			buf_add_char(&s->line, '\t');
		if (add_field(s, rec, &s->wanted[i], e))
			return -1;
	}
	return put_line(s, e);
}

static void
want_fields(struct show *s, const char *list)
{
	const struct header *h = reader_header(s->in);
	size_t room = 0;

	while (list && *list) {
		size_t n = strcspn(list, ",");
		struct field *f;

		s->wanted = mem_grow(s->wanted, &room, (size_t)s->n_wanted + 2, sizeof(*s->wanted));
		f = &s->wanted[s->n_wanted++];
		memset(f, 0, 2 * sizeof(*f));
		f->name = xstrndup(list, n);
		f->type = header_type(h, f->name);
		list += n + (list[n] == ',');
	}
}

/* A field that the header does not declare is probably a typing error. */
static int
check_wanted(const struct show *s, struct err *e)
{
	struct field need[2] = { { 0 }, { 0 } };

	for (int i = 0; i < s->n_wanted; i++) {
		if (s->wanted[i].type)
			continue;
		need[0].name = s->wanted[i].name;
		need[0].type = "str";
		return header_check(reader_header(s->in), reader_name(s->in), need, e);
	}
	return 0;
}

/* --- */

static int
show_records(struct show *s, struct err *e)
{
	struct record *rec;
	int r;

	while (max_records < 0 || reader_count(s->in) < max_records) {
		r = reader_next(s->in, &rec, e);
		if (r <= 0) {
			s->whole = !r;
			return r;
		}
		if (s->n_wanted ? show_fields(s, rec, e) : show_json(s, rec, e))
			return -1;
		if (!reader_has_more(s->in) && output_flush(s->out, e))
			return -1;
	}
	return 0;
}

static int
show(struct show *s, struct err *e)
{
	if (check_wanted(s, e))
		return -1;
	if (!s->n_wanted) {
		reader_on_note(s->in, show_note, s);
		if (show_header(s, e))
			return -1;
	}
	if (only_header)
		return 0;
	if (show_records(s, e))
		return -1;
	if (s->n_wanted || !s->whole)
		return 0;
	return output_printf(s->out, e, "[\"heed-end\",%" PRId64 "]\n", reader_count(s->in));
}

int
main(int argc, char **argv)
{
	struct show s = { .n_wanted = 0 };
	char **path;
	int n = cli_begin(&program, argc, argv, &path);
	struct err e;

	if (n > 1)
		die_usage("%d files, expected at most one", n);
	s.in = reader_open(path[0], NULL, NULL, force ? STREAM_FORCE : 0, &e);
	if (!s.in)
		die(&e);
	want_fields(&s, fields);
	s.out = output_open(output, 0, &e);
	if (!s.out)
		die(&e);
	if (show(&s, &e)) {
		/* Prints the records before the damage, and reports the first error. */
		if (!output && output_flush(s.out, &(struct err){ .hint = "" }))
			warn("cannot print all records before the error");
		output_abandon(s.out);
		die(&e);
	}
	if (output_finish(s.out, &e))
		die(&e);
	reader_close(s.in);
	for (int i = 0; i < s.n_wanted; i++)
		free((char *)(uintptr_t)s.wanted[i].name);
	free(s.wanted);
	buf_release(&s.line);
	return cli_end(EXIT_OK);
}
