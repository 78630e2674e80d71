/* filter: see filter.h. */
#include "stream/filter.h"

#include "stream/record-parts.h"

static struct writer *
filter_open_output(const struct filter *f, struct reader *reader, unsigned flags)
{
	const struct header *h = reader_header(reader);
	const struct field *adds = f->adds;
	struct writer *out = NULL;
	struct err e;

	if (f->choose)
		adds = f->choose(h, f->arg, &e);
	if (f->choose && !adds)
		err_wrap(&e, "%s", reader_name(reader));
	else
		out = writer_open(f->output, header_kind(h), h, adds, flags, &e);
	if (!out)
		die(&e);
	for (const char *const *name = f->drops; name && *name; name++)
		writer_drop_field(out, *name);
	if (f->begin)
		f->begin(out, h, f->arg);
	reader_notes_to(reader, out);
	return out;
}

static int
filter_one(const struct filter *f, struct reader *reader, struct writer *out, struct record *rec,
	   struct err *e)
{
	int keep = f->work(rec, f->arg, e);

	if (keep < 0) {
		err_wrap(e, "%s", reader_where(reader));
		if (f->failed)
			f->failed(f->arg, reader, e);
		return -1;
	}
	if (!keep)
		return 0;
	for (const char *const *name = f->drops; name && *name; name++)
		record_delete(rec, *name);
	if (!rec->whole && record_fits(rec, e))
		return err_wrap(e, "%s", reader_where(reader));
	return writer_put(out, rec, e);
}

/* Flushes the output before it waits for input, for interactive use. */
static int
filter_loop(const struct filter *f, struct reader *reader, struct writer *out, struct err *e)
{
	struct record *rec;
	int r;

	while ((r = reader_next(reader, &rec, e)) > 0) {
		if (filter_one(f, reader, out, rec, e))
			return -1;
		if (!reader_has_more(reader) && writer_flush(out, e))
			return -1;
	}
	return r;
}

static int
filter_end(const struct filter *f, struct reader *reader, struct err *e)
{
	if (!f->end || !f->end(f->arg, e))
		return 0;
	if (f->failed)
		f->failed(f->arg, reader, e);
	return -1;
}

int64_t
filter_run(const struct filter *f)
{
	unsigned flags = f->force ? STREAM_FORCE : 0;
	struct reader *in;
	struct writer *out;
	int64_t count;
	struct err e;
	int bad;

	in = f->opened ? reader_open_input(f->opened, f->kind, f->needs, &e) :
			 reader_open(f->input, f->kind, f->needs, flags, &e);
	if (!in)
		die(&e);
	out = filter_open_output(f, in, flags);
	bad = filter_loop(f, in, out, &e) || filter_end(f, in, &e);
	count = writer_count(out);
	if (writer_end(out, bad, &e))
		die(&e);
	reader_close(in);
	return count;
}
