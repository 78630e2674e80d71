/* side: see side.h. */
#include <inttypes.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/utf8.h"
#include "stream/input.h"
#include "text/side.h"

struct side {
	struct input *in;		/* of text, or NULL; a reader owns its input */
	struct reader *reader;
	char *name;
	struct record *record;
	struct str line;
	int64_t n;
	bool over;
};

struct side *
side_open(const char *path, const struct field *needs, struct err *e)
{
	struct side *s;
	struct input *in = input_open(path, INPUT_UTF8, e);
	int stream;

	if (!in)
		return NULL;
	stream = stream_ahead(in, e);
	if (stream < 0) {
		input_close(in);
		return NULL;
	}
	s = xcalloc(1, sizeof(*s));
	s->name = xstrdup(input_name(in));
	if (!stream) {
		s->in = in;
		return s;
	}
	s->reader = reader_open_input(in, NULL, needs, e);
	if (!s->reader) {
		side_close(s);
		return NULL;
	}
	return s;
}

void
side_close(struct side *s)
{
	if (!s)
		return;
	reader_close(s->reader);
	input_close(s->in);
	free(s->name);
	free(s);
}

bool
side_is_empty(struct side *s)
{
	const char *p;
	struct err e;

	return s->in && !input_skip_mark(s->in, &e) && !input_ahead(s->in, 1, &p, &e);
}

bool
side_is_stream(const struct side *s)
{
	return s->reader;
}

const char *
side_name(const struct side *s)
{
	return s->name;
}

int64_t
side_count(const struct side *s)
{
	return s->n;
}

/* The unit of side_count() for messages. */
static const char *
side_unit(const struct side *s)
{
	if (s->reader)
		return s->n == 1 ? "record" : "records";
	return s->n == 1 ? "line" : "lines";
}

int
side_next(struct side *s, struct err *e)
{
	int r = 0;

	if (s->over)
		return 0;
	if (s->reader)
		r = reader_next(s->reader, &s->record, e);
	else
		r = input_line(s->in, &s->line.s, &s->line.n, e);
	s->n += r > 0;
	s->over = r <= 0;
	return r;
}

int
side_text(const struct side *s, const char *field, struct str *text, struct err *e)
{
	size_t ok;

	if (!s->reader) {
		*text = s->line;
		return 0;
	}
	if (record_str(s->record, field, text))
		return err_set(e, EXIT_INPUT, "%s: no %s, expected text", reader_where(s->reader),
			       field);
	ok = utf8_check(text->s, text->n);
	if (ok < text->n)
		return err_set(e, EXIT_INPUT, "%s: %s: byte %zu (0x%02x) is not UTF-8",
			       reader_where(s->reader), field, ok + 1,
			       (unsigned)(unsigned char)text->s[ok]);
	return 0;
}

/* Reads all sides to their ends, to report their lengths. */
static int
unequal(struct side *const *side, size_t n, struct err *e)
{
	const struct side *first = side[0], *other = NULL;

	for (size_t k = 0; k < n; k++) {
		int r;

		while ((r = side_next(side[k], e)) > 0)
			;
		if (r < 0)
			return -1;
		if (!other && side[k]->n != first->n)
			other = side[k];
	}
	if (!other)
		bug("unequal() of equal sides");
	return err_set(e, EXIT_INPUT, "%s has %" PRId64 " %s, %s has %" PRId64 ", expected the "
		       "same number", first->name, first->n, side_unit(first), other->name,
		       other->n);
}

int
sides_next(struct side *const *side, size_t n, struct err *e)
{
	size_t more = 0;

	for (size_t k = 0; k < n; k++) {
		const int r = side_next(side[k], e);

		if (r < 0)
			return -1;
		more += (size_t)r;
	}
	if (more > 0 && more < n)
		return unequal(side, n, e);
	return more > 0;
}
