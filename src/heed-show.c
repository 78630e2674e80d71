/*
 * heed-show: print a stream as JSON lines, or some of its fields as TSV, JSON or NumPy arrays.  See
 * heed-show(1).
 */
#include <inttypes.h>
#include <string.h>

#include "base/buf.h"
#include "base/cli.h"
#include "base/output.h"
#include "exchange/name-map.h"
#include "exchange/records-out.h"
#include "stream/header-parts.h"
#include "stream/json-out.h"
#include "stream/stream.h"

static const char *output, *fields;
static struct opt_list maps;
static int64_t max_records = -1;	/* -1: all */
static bool force, header, escape, npy, npz;

static const struct opt options[] = {
	OPT_ROW_TEXT('f', "fields", "name,name", &fields,
		     "print only these fields, as tab-separated values"),
	OPT_ROW_FLAG('H', "header", &header,
		     "print only the header of the stream; with fields, a line with their names"),
	{ .kind = OPT_FLAG, .long_name = "escape", .to = &escape,
	  .help = "in tab-separated values, write tabs, line ends and \\ as \\t, \\n, \\r, \\\\" },
	OPT_ROW_LIST(0, "map", "key=field,...", &maps,
		     "print these fields as JSON objects with these keys"),
	OPT_ROW_FLAG(0, "npy", &npy, "write the values of one field as a NumPy array"),
	OPT_ROW_FLAG(0, "npz", &npz, "write fields as a file of NumPy arrays"),
	{ .kind = OPT_INT, .short_name = 'n', .long_name = "number", .arg = "n", .to = &max_records,
	  .min = 0, .max = 1e15, .help = "stop after n records (all)" },
	OPT_MAX_RECORD,
	OPT_OUTPUT(&output),
	OPT_ROW_FLAG(0, "force", &force, "read binary data from a terminal, or write it to one"),
	OPT_NEEDS("escape npy npz", "--fields or --map"),
	OPT_OLD_NAME("count", "--number"),
	{ .kind = OPT_END }
};

static const struct program program = {
	.name = "heed-show",
	.synopsis = "[-H] [-f name,name] [--escape | --npy | --npz] [--map key=field,...] [-n n] "
		    "[-o file] [--max-record mib] [file]",
	.summary = "print a stream as JSON lines or tab-separated values, or write NumPy arrays",
	.example = "heed-show -f id,src train.heed | head",
	.options = options,
};

struct show {
	struct reader *in;
	struct output *out;		/* NULL with arrays */
	struct arrays_out *arrays;
	struct buf line;
	struct name_map wanted;		/* the fields of -f and --map */
	bool objects;			/* these fields as JSON, not TSV */
	bool whole;			/* the end of the stream was reached */
};

/* --- lines --- */

static int
show_put_line(struct show *s, struct err *e)
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
	return show_put_line(s, e);
}

static int
show_note(void *arg, const void *p, size_t n, struct err *e)
{
	struct show *s = arg;

	json_add_value(&s->line, NULL, p, n);
	return show_put_line(s, e);
}

static int
show_record(struct show *s, const struct record *rec, struct err *e)
{
	if (s->arrays)
		return arrays_out_add(s->arrays, rec, s->in, e);
	if (!s->wanted.n)
		json_add_record(&s->line, rec);
	else if (s->objects)
		object_line(&s->line, &s->wanted, rec);
	else if (table_line(&s->line, &s->wanted, rec, s->in, escape, e))
		return -1;
	return show_put_line(s, e);
}

/* --- selected fields --- */

static void
want_fields(struct show *s)
{
	struct err e;

	name_map_fields(&s->wanted, fields);
	for (size_t i = 0; i < maps.n; i++)
		if (name_map_add(&s->wanted, maps.v[i], &e))
			die(&e);
	s->objects = maps.n && !header && !escape && !npy && !npz;
	if (s->objects && name_map_objects(&s->wanted, &e))
		die(&e);
}

/* An array has a single name. */
static int
check_twice(const struct show *s, struct err *e)
{
	for (size_t i = 0; i < s->wanted.n; i++)
		for (size_t j = 0; j < i; j++)
			if (!strcmp(s->wanted.pair[i].key, s->wanted.pair[j].key))
				return err_set(e, EXIT_USAGE, "field %s is given twice",
					       s->wanted.pair[i].field);
	return 0;
}

static int
show_open_output(struct show *s, struct err *e)
{
	if (name_map_types(&s->wanted, reader_header(s->in), reader_name(s->in), e))
		return -1;
	if (npy || npz) {
		s->arrays = check_twice(s, e) ? NULL
			    : arrays_out_open(output, &s->wanted, npz, force ? OUTPUT_FORCE : 0, e);
		return s->arrays ? 0 : -1;
	}
	s->out = output_open(output, 0, e);
	return s->out ? 0 : -1;
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
		if (show_record(s, rec, e))
			return -1;
		if (s->out && !reader_has_more(s->in) && output_flush(s->out, e))
			return -1;
	}
	return 0;
}

static int
show_lines(struct show *s, struct err *e)
{
	if (!s->wanted.n) {
		reader_on_note(s->in, show_note, s);
		if (show_header(s, e))
			return -1;
		if (header)
			return 0;
	} else if (header && (table_header(&s->line, &s->wanted, e) || show_put_line(s, e))) {
		return -1;
	}
	if (show_records(s, e))
		return -1;
	if (s->wanted.n || !s->whole)
		return 0;
	return output_printf(s->out, e, "[\"heed-end\",%" PRId64 "]\n", reader_count(s->in));
}

/* Prints the records before the damage, and reports the first error. */
static void
show_abandon(struct show *s)
{
	const bool printed = !output || !strcmp(output, "-");

	if (s->out && printed && output_flush(s->out, &(struct err){ .hint = "" }))
		warn("cannot print all records before the error");
	output_abandon(s->out);
	arrays_out_abandon(s->arrays);
}

static int
show(struct show *s, struct err *e)
{
	if (show_open_output(s, e))
		return -1;
	if (s->arrays ? show_records(s, e) : show_lines(s, e)) {
		show_abandon(s);
		return -1;
	}
	return s->arrays ? arrays_out_finish(s->arrays, e) : output_finish(s->out, e);
}

static void
show_check_options(void)
{
	if (fields && !*fields)
		die_usage("--fields is empty, expected names of fields");
	if (fields && maps.n)
		die_usage("--fields and --map, expected one of them");
	if (npy + npz + header + escape > 1 && (npy || npz))
		die_usage("--npy, --npz, --header and --escape, expected one of them");
}

int
main(int argc, char **argv)
{
	struct show s = { .objects = false };
	const char *path = cli_begin_one(&program, argc, argv);
	struct err e;

	show_check_options();
	want_fields(&s);
	if (npy && s.wanted.n > 1)
		die_usage("%zu fields, expected one with --npy; --npz writes several", s.wanted.n);
	s.in = reader_open(path, NULL, NULL, force ? STREAM_FORCE : 0, &e);
	if (!s.in || show(&s, &e))
		die(&e);
	reader_close(s.in);
	name_map_release(&s.wanted);
	buf_release(&s.line);
	return cli_end(EXIT_OK);
}
