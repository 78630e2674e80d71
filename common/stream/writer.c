/*
 * writer: writes a stream; see stream.h.  The header is written with the first object, so that it
 * can be changed until then.
 */
#include <stdlib.h>
#include <string.h>

#include "base/cli.h"
#include "base/hash.h"
#include "base/mem.h"
#include "base/output.h"
#include "stream/archive.h"
#include "stream/header-parts.h"
#include "stream/msgpack-in.h"
#include "stream/msgpack-out.h"
#include "stream/origin.h"
#include "stream/record-parts.h"
#include "stream/signature.h"

struct writer {
	struct output *out;		/* one of out and packed is NULL */
	struct archive_out *packed;
	struct header *header;
	struct buf scratch;
	struct record *joined;		/* of writer_put_checked(), or NULL */
	int64_t count;
	uint32_t crc;
	bool begun, no_pg;
};

struct writer *
writer_open(const char *path, const char *kind, const struct header *input,
	    const struct field *adds, unsigned flags, struct err *e)
{
	const unsigned how = OUTPUT_BINARY | (flags & STREAM_FORCE ? OUTPUT_FORCE : 0);
	struct writer *w = xcalloc(1, sizeof(*w));

	if (flags & STREAM_ZSTD)
		w->packed = archive_out_zstd(path, how, e);
	else
		w->out = output_open(path, how, e);
	if (!w->out && !w->packed) {
		free(w);
		return NULL;
	}
	w->no_pg = flags & STREAM_NO_PG || cli_no_pg;
	w->header = input ? header_copy(input) : header_new(kind);
	if (kind && strcmp(kind, w->header->kind)) {
		free(w->header->kind);
		w->header->kind = xstrdup(kind);
	}
	header_need_meta(w->header, "fields");
	for (; adds && adds->name; adds++)
		header_add_field(w->header, adds->name, adds->type);
	return w;
}

static struct header *
open_header(struct writer *w, const char *output)
{
	if (w->begun)
		bug("%s after a stream's first object", output);
	return w->header;
}

void
writer_drop_field(struct writer *w, const char *name)
{
	header_drop_field(open_header(w, "a field dropped"), name);
}

void
writer_drop_fields(struct writer *w, field_choice *chosen, const void *arg)
{
	header_drop_fields(open_header(w, "fields dropped"), chosen, arg);
}

void
writer_add_field(struct writer *w, const char *name, const char *type)
{
	header_add_field(open_header(w, "a field added"), name, type);
}

void
writer_set_meta(struct writer *w, const char *key, const char *value)
{
	header_set_meta(open_header(w, "a key set"), key, value);
}

/* Joins the signature of other. */
static void
join_signatures(struct header *joined, const struct header *other, const char *name)
{
	const char *had = header_meta(joined, HEADER_SIGNATURE);
	char *all = had ? xstrdup(had) : NULL;	/* header_meta() keeps only one text */

	signature_take(&all, header_meta(other, HEADER_SIGNATURE), name);
	header_set_meta(joined, HEADER_SIGNATURE, all);
	free(all);
}

int
writer_join_origins(struct writer *w, const struct header *other, const char *name, bool replace,
		    unsigned *moved, struct err *e)
{
	struct header *h = open_header(w, "keys joined");

	join_signatures(h, other, name);
	return origins_join(h, other, replace, moved, e);
}

void
writer_add_provenance(struct writer *w, const struct header *other)
{
	header_add_provenance(open_header(w, "provenance added"), other);
}

static int
put_bytes(struct writer *w, const void *p, size_t n, struct err *e)
{
	return w->packed ? archive_out_data(w->packed, p, n, e) : output_write(w->out, p, n, e);
}

static int
writer_put_summed(struct writer *w, const void *p, size_t n, struct err *e)
{
	w->crc = crc32_add(w->crc, p, n);
	return put_bytes(w, p, n, e);
}

static int
writer_begin(struct writer *w, struct err *e)
{
	if (w->begun)
		return 0;
	w->begun = true;
	if (!w->no_pg)
		header_add_program(w->header);
	buf_clear(&w->scratch);
	header_encode(w->header, &w->scratch);
	if (header_check_size(w->header, w->scratch.n, e))
		return -1;
	return writer_put_summed(w, w->scratch.data, w->scratch.n, e);
}

const struct header *
writer_header(const struct writer *w)
{
	return w->header;
}

/* Is the cell a list of more elements than heed-stream(5) allows?  Only long ones are parsed. */
static bool
is_too_long(const struct writer *w, const struct cell *c)
{
	enum mp_state state;
	struct mp list;
	int i;

	if (c->value_n <= TYPE_LIST_MAX)
		return false;
	i = header_find(w->header, c->name, c->name_n);
	return i >= 0 && (w->header->field[i].parsed.base == TYPE_STRS ||
			  w->header->field[i].parsed.base == TYPE_INTS) &&
	       mp_get(c->value, c->value + c->value_n, &list, &state) && list.n > TYPE_LIST_MAX;
}

/* Readers would refuse a record beyond these limits. */
static int
check_limits(const struct writer *w, const struct record *rec, struct err *e)
{
	const struct cell *nan = record_nan(rec);
	const long long number = (long long)w->count + 1;

	if (nan)
		return err_set(e, EXIT_INPUT, "output record %lld: %.*s is nan, expected a number",
			       number, (int)nan->name_n, nan->name);
	if (rec->n > RECORD_FIELDS)
		return err_set(e, EXIT_INPUT, "output record %lld has %zu fields, expected at most "
			       "%d", number, rec->n, RECORD_FIELDS);
	for (size_t i = 0; i < rec->n; i++)
		if (is_too_long(w, &rec->cell[i]))
			return err_set(e, EXIT_INPUT, "output record %lld: %.*s has more than %zu "
				       "elements", number, (int)rec->cell[i].name_n,
				       rec->cell[i].name, TYPE_LIST_MAX);
	return 0;
}

int
writer_put(struct writer *w, const struct record *rec, struct err *e)
{
	if ((!rec->whole && check_limits(w, rec, e)) || writer_begin(w, e))
		return -1;
	w->count++;
	if (rec->whole)
		return writer_put_summed(w, rec->whole, rec->whole_n, e);
	buf_clear(&w->scratch);
	record_encode(rec, &w->scratch);
	return writer_put_summed(w, w->scratch.data, w->scratch.n, e);
}

int
writer_put_fitting(struct writer *w, const struct record *rec, struct err *e)
{
	if (!rec->whole && record_fits(rec, e))
		return err_wrap(e, "output record %lld", (long long)w->count + 1);
	return writer_put(w, rec, e);
}

int
writer_put_checked(struct writer *w, const struct record *rec, struct err *e)
{
	size_t used;

	if (rec->whole)
		return writer_put(w, rec, e);
	if (record_fits(rec, e) || writer_begin(w, e))
		return -1;
	buf_clear(&w->scratch);
	record_encode(rec, &w->scratch);
	if (!w->joined)
		w->joined = record_new();
	if (record_parse(w->joined, w->header, (const uint8_t *)w->scratch.data, w->scratch.n,
			 &used, e) < 0)
		return -1;
	return writer_put(w, w->joined, e);
}

int
writer_put_note(struct writer *w, const void *p, size_t n, struct err *e)
{
	if (n > HEADER_BYTES)
		return err_set(e, EXIT_INPUT, "output note after record %lld has %zu bytes, "
			       "expected at most %zu", (long long)w->count, n, HEADER_BYTES);
	return writer_begin(w, e) ? -1 : writer_put_summed(w, p, n, e);
}

int
writer_note(struct writer *w, const char *name, const char *value, struct err *e)
{
	if (writer_begin(w, e))	/* uses scratch, too */
		return -1;
	buf_clear(&w->scratch);
	mp_put_array(&w->scratch, 3);
	mp_put_text(&w->scratch, "heed-note");
	mp_put_text(&w->scratch, name);
	mp_put_text(&w->scratch, value);
	return writer_put_note(w, w->scratch.data, w->scratch.n, e);
}

int
writer_flush(struct writer *w, struct err *e)
{
	if (writer_begin(w, e))
		return -1;
	return w->packed ? 0 : output_flush(w->out, e);
}

int64_t
writer_count(const struct writer *w)
{
	return w->count;
}

static void
writer_release(struct writer *w)
{
	header_free(w->header);
	buf_release(&w->scratch);
	record_free(w->joined);
	free(w);
}

static int
put_end(struct writer *w, struct err *e)
{
	if (writer_begin(w, e))
		return -1;
	buf_clear(&w->scratch);
	mp_put_array(&w->scratch, 3);
	mp_put_text(&w->scratch, "heed-end");
	mp_put_int(&w->scratch, w->count);
	mp_put_uint(&w->scratch, w->crc);
	return put_bytes(w, w->scratch.data, w->scratch.n, e);
}

static void
writer_abandon_output(struct writer *w)
{
	if (w->packed)
		archive_out_abandon(w->packed);
	else
		output_abandon(w->out);
}

int
writer_finish(struct writer *w, struct err *e)
{
	int bad = put_end(w, e);

	if (bad)
		writer_abandon_output(w);
	else
		bad = w->packed ? archive_out_finish(w->packed, e) : output_finish(w->out, e);
	writer_release(w);
	return bad;
}

void
writer_abandon(struct writer *w)
{
	if (!w)
		return;
	writer_abandon_output(w);
	writer_release(w);
}

int
writer_end(struct writer *w, int bad, struct err *e)
{
	if (!bad)
		return writer_finish(w, e);
	writer_abandon(w);
	return -1;
}
