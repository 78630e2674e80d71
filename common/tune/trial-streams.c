/* trial-streams: see trial-streams.h. */
#include "tune/trial-streams.h"

#include <math.h>
#include <string.h>

#include "base/hash.h"
#include "base/num.h"
#include "stream/json-out.h"
#include "stream/stream.h"

struct sum {
	uint32_t crc;
	uint64_t length;
	struct buf line;
};

/* Adds the line and its end, and clears it. */
static void
trial_streams_add_line(struct sum *s)
{
	buf_add_char(&s->line, '\n');
	s->crc = cksum_add(s->crc, s->line.data, s->line.n);
	s->length += s->line.n;
	buf_clear(&s->line);
}

static int
add_note(void *arg, const void *p, size_t n, struct err *e)
{
	struct sum *s = arg;

	(void)e;
	json_add_value(&s->line, NULL, p, n);
	trial_streams_add_line(s);
	return 0;
}

int
stream_cksum(const char *path, struct buf *out, struct err *e)
{
	struct reader *in = reader_open(path, NULL, NULL, 0, e);
	struct sum s = { .crc = 0 };
	struct record *rec;
	int more = -1;

	if (in)
		reader_on_note(in, add_note, &s);
	while (in && (more = reader_next(in, &rec, e)) > 0) {
		json_add_record(&s.line, rec);
		trial_streams_add_line(&s);
	}
	if (!more) {
		buf_printf(&s.line, "[\"heed-end\",%lld]", (long long)reader_count(in));
		trial_streams_add_line(&s);
		buf_printf(out, "%u-%llu", cksum_end(s.crc, s.length),
			   (unsigned long long)s.length);
	}
	buf_release(&s.line);
	reader_close(in);
	return more;
}

int
log_best(const char *path, const char *field, bool highest, struct buf *score, int64_t *engine,
	 struct err *e)
{
	struct reader *in = reader_open(path, "step", NULL, 0, e);
	const char *number = in ? header_meta(reader_header(in), "engine") : NULL;
	struct record *row;
	struct err unknown;
	double best = 0, v;
	const void *p;
	size_t n;
	int more = -1;

	buf_clear(score);
	if (!number || num_int(number, strlen(number), 1, INT32_MAX, engine, &unknown))
		*engine = 0;
	while (in && (more = reader_next(in, &row, e)) > 0) {
		if (record_float(row, field, &v) || record_raw(row, field, &p, &n) ||
		    !isfinite(v) || (score->n && (highest ? v <= best : v >= best)))
			continue;
		best = v;
		buf_clear(score);
		json_add_value(score, NULL, p, n);
	}
	reader_close(in);
	return more;
}
