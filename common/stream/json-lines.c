/* json-lines: turns JSON lines into a stream; see json-lines.h. */
#include <inttypes.h>

#include "stream/header-parts.h"
#include "stream/input.h"
#include "stream/json-in.h"
#include "stream/json-lines.h"
#include "stream/msgpack-in.h"
#include "stream/record-parts.h"
#include "stream/stream.h"

struct json_lines {
	struct input *in;
	struct writer *w;
	struct header *header;
	struct record *rec;
	struct buf bytes;
	int64_t records;		/* of the current stream, if several follow each other */
	bool ended;
	const char *output;
	unsigned flags;
	bool partial;
};

static int
json_lines_read_header(struct json_lines *j, struct err *e)
{
	struct header *h = header_decode(j->bytes.data, j->bytes.n, e);
	int bad;

	if (!h)
		return -1;
	j->records = 0;
	j->ended = false;
	if (!j->header) {
		j->header = h;
		j->w = writer_open(j->output, NULL, h, NULL, j->flags, e);
		return j->w ? 0 : -1;
	}
	bad = header_may_follow(j->header, h, e);
	header_free(h);
	return bad;
}

/* ["heed-end", n], where n may be missing. */
static int
json_lines_read_end(struct json_lines *j, uint32_t n_parts, const uint8_t *p, struct err *e)
{
	enum mp_state state;
	struct mp count;

	j->ended = true;
	if (n_parts < 2 || j->partial)
		return 0;
	if (!mp_get(p, (const uint8_t *)j->bytes.data + j->bytes.n, &count, &state) ||
	    count.kind != MP_INT)
		return err_set(e, EXIT_INPUT, "malformed end record, expected [\"heed-end\",n]");
	if (count.i == j->records)
		return 0;
	err_set(e, EXIT_INPUT, "%" PRId64 " records, expected %" PRId64 " by the end record",
		j->records, count.i);
	err_hint(e, "--partial accepts any number");
	return -1;
}

/* Is this ["heed-note", name, value]?  p points to the parts after "heed-note". */
static bool
json_lines_is_note(const uint8_t *p, const uint8_t *end, uint32_t n_parts)
{
	enum mp_state state;
	struct mp name;

	return n_parts == 3 && mp_get(p, end, &name, &state) && name.kind == MP_STR;
}

static int
read_control(struct json_lines *j, struct err *e)
{
	const uint8_t *p = (const uint8_t *)j->bytes.data, *end = p + j->bytes.n;
	enum mp_state state = MP_FINE;
	struct mp array, name;

	p = mp_get(p, end, &array, &state);
	if (p)
		p = mp_get(p, end, &name, &state);
	if (p && mp_is(&name, "heed") && (!j->header || j->ended))
		return json_lines_read_header(j, e);
	if (!j->header || !p)
		return err_set(e, EXIT_INPUT, "expected a header line [\"heed\",1,kind,meta]");
	if (mp_is(&name, "heed-end") && !j->ended)
		return json_lines_read_end(j, array.n, p, e);
	if (mp_is(&name, "heed-note") && json_lines_is_note(p, end, array.n) && !j->ended)
		return writer_put_note(j->w, j->bytes.data, j->bytes.n, e);
	return err_set(e, EXIT_INPUT, "unexpected list, expected a record, a note or the end");
}

static int
json_lines_read_record(struct json_lines *j, struct err *e)
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
json_lines_read_line(struct json_lines *j, const char *line, size_t n, struct err *e)
{
	unsigned char first;

	buf_clear(&j->bytes);
	if (json_read(line, n, j->header, &j->bytes, e)) {
		if (!j->header)
			err_hint(e, "--json reads one value per line, as heed-show and jq -c write "
				 "them; --tsv reads tables");
		return -1;
	}
	first = (unsigned char)j->bytes.data[0];
	if ((first & 0xf0) == 0x90 || (first & 0xfe) == 0xdc)
		return read_control(j, e);
	return json_lines_read_record(j, e);
}

static int
json_lines_read_all(struct json_lines *j, struct err *e)
{
	const char *line;
	size_t n;
	int r;

	while ((r = input_line(j->in, &line, &n, e)) > 0) {
		struct err inner = { .hint = "" };

		if (!json_lines_read_line(j, line, n, &inner))
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
	if (j->ended || j->partial)
		return 0;
	err_set(e, EXIT_INPUT, "%s ends after line %" PRId64 ", expected an end record",
		input_name(j->in), input_line_number(j->in));
	err_hint(e, "check that the previous program succeeded; --partial accepts a missing end "
		 "record");
	return -1;
}

static int
json_lines_finish(struct json_lines *j, int bad, struct err *e)
{
	bad = writer_end(j->w, bad, e);
	input_close(j->in);
	header_free(j->header);
	record_free(j->rec);
	buf_release(&j->bytes);
	return bad;
}

int
json_lines_pack(const char *path, const char *output, unsigned flags, bool partial,
		struct err *e)
{
	struct json_lines j = { .output = output, .flags = flags, .partial = partial };

	j.in = input_open(path, 0, e);
	if (!j.in)
		return -1;
	j.rec = record_new();
	return json_lines_finish(&j, json_lines_read_all(&j, e), e);
}
