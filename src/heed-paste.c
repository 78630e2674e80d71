/* heed-paste: join streams, or a stream and lines of text, record by record.  See heed-paste(1). */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/cli.h"
#include "base/mem.h"
#include "stream/stream.h"
#include "stream/text-field.h"
#include "trees/dependents.h"

static const char *output;
static struct opt_list texts;
static bool force, mixed, replace;

static const struct opt options[] = {
	OPT_ROW_LIST(0, "text", "field=file", &texts,
		     "add the lines of file as this field; may be repeated"),
	OPT_ROW_FLAG(0, "replace", &replace,
		     "use the last value if several inputs have the same field"),
	OPT_ROW_FLAG(0, "mixed", &mixed, "do not warn if measures have different settings"),
	OPT_MAX_LINE, OPT_MAX_RECORD, OPT_OUTPUT(&output), OPT_FORCE(&force), OPT_NO_PG,
	OPT_OLD_LETTER('r', "--replace"),
	{ .kind = OPT_END }
};

static const struct program program = {
	.name = "heed-paste",
	.synopsis = "[-o file] [--max-line mib] [--max-record mib] [--mixed] [--no-pg] "
		    "[--replace] [--text field=file] [file ...]",
	.summary = "join streams record by record",
	.example = "heed-paste --text hyp=out.de test.heed > hyp.heed",
	.options = options,
};

struct paste {
	struct reader **in;
	struct record **rec;
	unsigned *moved;		/* of writer_join_origins() */
	struct text_field *text;
	int n_in, n_text;
	struct writer *out;
};

static int
open_each(struct paste *p, char **path, struct err *e)
{
	size_t times = !*path;

	for (int i = 0; i < p->n_text; i++)
		times += !strcmp(texts.v[i] + strcspn(texts.v[i], "="), "=-");
	if (input_stdin_once(times, path, *path ? p->n_in : 0, e))
		return -1;
	for (int i = 0; i < p->n_in; i++) {
		const char *kind = i ? header_kind(reader_header(p->in[0])) : NULL;

		p->in[i] = reader_open(path[i], kind, NULL, force ? STREAM_FORCE : 0, e);
		if (!p->in[i])
			return -1;
	}
	for (int i = 0; i < p->n_text; i++)
		if (text_field_open(&p->text[i], header_kind(reader_header(p->in[0])),
				    texts.v[i], e))
			return -1;
	return 0;
}

/* The first input that has the field, which the output already has. */
static const char *
owner(const struct paste *p, const char *field)
{
	int i = 0;

	while (i < p->n_in && !header_type(reader_header(p->in[i]), field))
		i++;
	if (i < p->n_in)
		return reader_name(p->in[i]);
	for (i = 0; strcmp(p->text[i].name, field);)
		i++;
	return input_name(p->text[i].in);
}

static int
paste_add_fields(struct paste *p, int input, struct err *e)
{
	const struct header *h = reader_header(p->in[input]);

	if (writer_join_origins(p->out, h, mixed ? NULL : reader_name(p->in[input]), replace,
				&p->moved[input], e))
		return err_wrap(e, "%s", reader_name(p->in[input]));
	for (int i = 0; i < header_n_fields(h); i++) {
		const char *type, *name = header_field(h, i, &type),
				  *had = header_type(writer_header(p->out), name);

		if (had && strcmp(had, type))
			return err_set(e, EXIT_INPUT, "%s: field %s is of type %s, expected %s as "
				       "in %s", reader_name(p->in[input]), name, type, had,
				       owner(p, name));
		writer_add_field(p->out, name, type);
	}
	writer_add_provenance(p->out, h);
	return 0;
}

static int
has_already(const char *path, const char *field, struct err *e)
{
	err_set(e, EXIT_INPUT, "%s already has a field %s", path, field);
	if (strcmp(field, "id"))
		err_hint(e, "--replace overwrites it");
	return -1;
}

static bool
replaces(const char *field)
{
	return replace && strcmp(field, "id");
}

static bool
is_text(const char *name, const void *arg)
{
	const struct paste *p = arg;

	for (int i = 0; i < p->n_text; i++)
		if (!strcmp(p->text[i].name, name))
			return true;
	return false;
}

static int
add_texts(struct paste *p, struct err *e)
{
	for (int i = 0; i < p->n_text; i++) {
		const char *name = p->text[i].name;

		if (header_type(writer_header(p->out), name) && !replaces(name))
			return has_already(owner(p, name), name, e);
		if (replace)
			dependents_drop(p->out, name, is_text, p);
		/* With it, the keys go that tell where the replaced values came from. */
		writer_drop_field(p->out, name);
		writer_add_field(p->out, name, p->text[i].type);
	}
	return 0;
}

static int
open_output(struct paste *p, struct err *e)
{
	p->out =
	    writer_open(output, NULL, reader_header(p->in[0]), NULL, force ? STREAM_FORCE : 0, e);
	if (!p->out)
		return -1;
	for (int i = 1; i < p->n_in; i++)
		if (paste_add_fields(p, i, e))
			return -1;
	reader_notes_to(p->in[0], p->out);
	return add_texts(p, e);
}

/* --- joining --- */

static int
paste_differ(const struct paste *p, int input, const char *name, struct err *e)
{
	char *where = xstrdup(reader_where(p->in[0]));

	err_set(e, EXIT_INPUT, "%s and %s differ in %s", where, reader_where(p->in[input]), name);
	if (strcmp(name, "id"))
		err_hint(e, "--replace uses the last value");
	free(where);
	return -1;
}

static int
paste_join(struct paste *p, struct record *rec, int input, struct err *e)
{
	char *name;
	int bad = dependents_join(rec, p->rec[input], replace, p->moved[input], &name, e);

	if (bad)
		bad = name ? paste_differ(p, input, name, e)
			   : err_wrap(e, "%s", reader_where(p->in[input]));
	free(name);
	return bad;
}

static int
ended_early(const struct paste *p, const char *shorter, int64_t n, struct err *e)
{
	return err_set(e, EXIT_INPUT, "%s ends after %" PRId64 " records or lines, expected as "
		       "many as in %s", shorter, n, reader_name(p->in[0]));
}

static int
join_line(struct paste *p, struct record *rec, const struct text_field *t, struct err *e)
{
	/* A field that no header declares. */
	if (record_has(rec, t->name) && !replaces(t->name))
		return has_already(reader_where(p->in[0]), t->name, e);
	if (replace && record_has(rec, t->name) && dependents_check(rec, t->name, is_text, p, e))
		return err_wrap(e, "%s", reader_where(p->in[0]));
	if (replace)
		dependents_delete(rec, t->name, is_text, p);
	return text_field_set(t, rec, e);
}

/* Adds the fields of the other streams and the lines of text to a record of the first stream. */
static int
join_all(struct paste *p, struct record *rec, struct err *e)
{
	for (int i = 1; i < p->n_in; i++) {
		const int r = reader_next(p->in[i], &p->rec[i], e);

		if (!r)
			return ended_early(p, reader_name(p->in[i]), reader_count(p->in[i]), e);
		if (r < 0 || paste_join(p, rec, i, e))
			return -1;
	}
	for (int i = 0; i < p->n_text; i++) {
		struct text_field *t = &p->text[i];
		const int r = text_field_next(t, e);

		if (!r)
			return ended_early(p, input_name(t->in), input_line_number(t->in), e);
		if (r < 0 || join_line(p, rec, t, e))
			return -1;
	}
	return 0;
}

/* more: whether an input has one more record or line than the first stream, or -1. */
static int
check_ended(const struct paste *p, int more, const char *name, struct err *e)
{
	return more <= 0 ? more
		: err_set(e, EXIT_INPUT, "%s has more than %" PRId64 " records or lines, expected "
			  "as many as in %s", name, reader_count(p->in[0]), reader_name(p->in[0]));
}

/* At the end of the first stream: checks that the others have ended, too. */
static int
all_ended(struct paste *p, struct err *e)
{
	for (int i = 1; i < p->n_in; i++)
		if (check_ended(p, reader_next(p->in[i], &p->rec[i], e), reader_name(p->in[i]), e))
			return -1;
	for (int i = 0; i < p->n_text; i++)
		if (check_ended(p, text_field_next(&p->text[i], e), input_name(p->text[i].in), e))
			return -1;
	return 0;
}

static int
paste(struct paste *p, struct err *e)
{
	int r;

	while ((r = reader_next(p->in[0], &p->rec[0], e)) > 0) {
		if (join_all(p, p->rec[0], e))
			return -1;
		if (writer_put_checked(p->out, p->rec[0], e))
			return e->status != EXIT_INPUT ? -1
				: err_wrap(e, "%s", reader_where(p->in[0]));
	}
	return r < 0 ? -1 : all_ended(p, e);
}

static void
paste_release(struct paste *p)
{
	for (int i = 0; i < p->n_in; i++)
		reader_close(p->in[i]);
	for (int i = 0; i < p->n_text; i++)
		text_field_close(&p->text[i]);
	free(p->in);
	free(p->rec);
	free(p->moved);
	free(p->text);
}

int
main(int argc, char **argv)
{
	char **path;
	const int n = cli_begin(&program, argc, argv, &path);
	struct paste p = { .n_in = n ? n : 1, .n_text = (int)texts.n };
	struct err e = { .hint = "" };

	p.in = xcalloc((size_t)p.n_in, sizeof(*p.in));
	p.rec = xcalloc((size_t)p.n_in, sizeof(*p.rec));
	p.moved = xcalloc((size_t)p.n_in, sizeof(*p.moved));
	p.text = xcalloc((size_t)p.n_text + 1, sizeof(*p.text));
	if (open_each(&p, path, &e) || open_output(&p, &e) ||
	    writer_end(p.out, paste(&p, &e), &e))
		die(&e);
	paste_release(&p);
	return cli_end(EXIT_OK);
}
