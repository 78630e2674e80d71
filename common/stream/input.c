/*
 * input: see input.h.  One buffer on top of a source.  It grows only when it is full of bytes
 * that have arrived, so that sizes claimed inside the data cannot make it grow.
 */
#include "stream/input.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/utf8.h"
#include "stream/source.h"
#include "stream/stream.h"

int64_t input_max_line = 16;

#define ROOM       ((size_t)256 << 10)
#define LOOK_AHEAD ((size_t)64 << 10)

struct input {
	struct source *source;
	const char *data;		/* the bytes from at to end are unread */
	size_t at, end;
	char *own;			/* the same as data, unless the caller owns that */
	size_t room;			/* size of own, without the byte for a final NUL */
	bool over;			/* the source has no more bytes */
	bool utf8;
	bool begun;			/* the byte order mark was looked for */
	const char *unit;		/* name of the current unit, or NULL; see input_unit() */
	int64_t unit_line;		/* its first line */
	size_t taken;			/* bytes of its lines so far */
	char *line;			/* a copy of a line in the caller's memory */
	size_t line_room;
	int64_t number;
};

static struct input *
input_new(struct source *s, unsigned flags)
{
	struct input *in;

	if (!s)
		return NULL;
	in = xcalloc(1, sizeof(*in));
	in->source = s;
	in->utf8 = flags & INPUT_UTF8;
	in->data = source_plain_memory(s, &in->end);
	in->over = in->data;
	return in;
}

struct input *
input_open(const char *path, unsigned flags, struct err *e)
{
	return input_new(source_open(path, flags, e), flags);
}

struct input *
input_memory(const char *name, const void *p, size_t n, unsigned flags, struct err *e)
{
	return input_new(source_memory(name, p, n, e), flags);
}

void
input_close(struct input *in)
{
	if (!in)
		return;
	source_close(in->source);
	free(in->own);
	free(in->line);
	free(in);
}

static void
make_room(struct input *in)
{
	if (in->at && (in->at == in->end || in->at >= in->room / 2)) {
		memmove(in->own, in->own + in->at, in->end - in->at);
		in->end -= in->at;
		in->at = 0;
	}
	if (in->end < in->room)
		return;
	in->room = in->room ? 2 * in->room : ROOM;
	in->own = xrealloc(in->own, in->room + 1);
	in->data = in->own;
}

/* Reads once more and appends the bytes: 1, 0 at the end, -1 on error. */
static int
input_more(struct input *in, struct err *e)
{
	ptrdiff_t k;

	if (in->over)
		return 0;
	make_room(in);
	k = source_read(in->source, in->own + in->end, in->room - in->end, e);
	if (k < 0)
		return -1;
	in->over = !k;
	in->end += (size_t)k;
	return k > 0;
}

ptrdiff_t
input_ahead(struct input *in, size_t n, const char **p, struct err *e)
{
	int r = 1;

	while (in->end - in->at < n && (r = input_more(in, e)) > 0)
		;
	*p = in->data ? in->data + in->at : "";
	return r < 0 ? -1 : (ptrdiff_t)(in->end - in->at);
}

void
input_skip(struct input *in, size_t n)
{
	in->at += n;
}

size_t
input_held(const struct input *in)
{
	return in->end - in->at;
}

/* Reads one byte before three, so as not to wait for bytes that are not needed. */
int
input_skip_mark(struct input *in, struct err *e)
{
	const char *p;
	ptrdiff_t n;

	if (in->begun)
		return 0;
	n = input_ahead(in, 1, &p, e);
	if (n > 0 && *p == '\xef')
		n = input_ahead(in, 3, &p, e);
	if (n < 0)
		return -1;
	in->begun = true;
	if (n >= 3 && !memcmp(p, "\xef\xbb\xbf", 3))
		input_skip(in, 3);
	return 0;
}

/* Doubles the distance each time, so as not to wait for bytes that are not needed. */
int
input_first(struct input *in, struct err *e)
{
	ptrdiff_t i = 0;

	if (input_skip_mark(in, e))
		return -1;
	for (size_t want = 1; want <= LOOK_AHEAD; want *= 2) {
		const char *p;
		ptrdiff_t n = input_ahead(in, want, &p, e);

		if (n < 0)
			return -1;
		while (i < n && strchr(" \t\r\n", p[i]) && p[i])
			i++;
		if (i < n)
			return (unsigned char)p[i];
		if ((size_t)n < want)
			return 0;
	}
	return 0;
}

ptrdiff_t
input_read(struct input *in, void *p, size_t n, struct err *e)
{
	size_t done = 0, k;
	int r = 1;

	while (done < n && r > 0) {
		k = in->end - in->at;
		if (k > n - done)
			k = n - done;
		if (k)
			memcpy((char *)p + done, in->data + in->at, k);
		in->at += k;
		done += k;
		if (done < n)
			r = input_more(in, e);
	}
	return r < 0 ? -1 : (ptrdiff_t)done;
}

void
input_unit(struct input *in, const char *unit)
{
	in->unit = unit;
	in->unit_line = in->number + 1;
	in->taken = 0;
}

/* The maximum length of the next line in bytes. */
static size_t
allowed(const struct input *in)
{
	const size_t limit = (size_t)input_max_line << 20;

	return in->taken < limit ? limit - in->taken : 0;
}

static int
too_long(struct input *in, struct err *e)
{
	if (in->unit && in->taken)
		err_set(e, EXIT_INPUT, "%s: line %lld: a %s of more than %lld MiB begins here",
			input_name(in), (long long)in->unit_line, in->unit,
			(long long)input_max_line);
	else
		err_set(e, EXIT_INPUT, "%s: line %lld: more than %lld MiB, expected a shorter line",
			input_name(in), (long long)in->number + 1, (long long)input_max_line);
	err_hint(e, "--max-line raises the limit");
	return -1;
}

/* The length of the line up to its line feed (then *fed) or the end of the file; -1 on error. */
static ptrdiff_t
find_line(struct input *in, bool *fed, struct err *e)
{
	const size_t limit = allowed(in);
	const char *lf = NULL;
	size_t seen = 0;
	int r = 1;

	for (;;) {
		if (in->end - in->at > seen)
			lf = memchr(in->data + in->at + seen, '\n', in->end - in->at - seen);
		*fed = lf;
		seen = lf ? (size_t)(lf - (in->data + in->at)) : in->end - in->at;
		if (seen > limit)
			return too_long(in, e);
		if (lf)
			return (ptrdiff_t)seen;
		r = input_more(in, e);
		if (r <= 0)
			return r < 0 ? -1 : (ptrdiff_t)seen;
	}
}

/* The line as a C string, in place if the buffer is not the caller's. */
static const char *
end_line(struct input *in, size_t n)
{
	if (in->own) {
		in->own[in->at + n] = 0;
		return in->own + in->at;
	}
	if (!in->line || in->line_room < n + 1) {
		in->line_room = n + n / 2 + 64;
		in->line = xrealloc(in->line, in->line_room);
	}
	if (n)
		memcpy(in->line, in->data + in->at, n);
	in->line[n] = 0;
	return in->line;
}

static int
not_text(const struct input *in, const char *line, size_t n, size_t wrong, struct err *e)
{
	if (!line[wrong]) {
		input_error(in, e, "byte %zu is NUL, expected text", wrong + 1);
		err_hint(e, "heed-pack --invalid replaces such bytes, tr -d '\\000' removes them");
		return -1;
	}
	if (in->number > 1 || !stream_begins(line, n))
		return input_error(in, e, "byte %zu (0x%02x) is not UTF-8", wrong + 1,
				   (unsigned)(unsigned char)line[wrong]);
	err_set(e, EXIT_INPUT, "%s is a heed stream, expected text", input_name(in));
	err_hint(e, "heed-show -f prints its fields, head-stat --to tsv prints a table");
	return -1;
}

int
input_line(struct input *in, const char **line, size_t *n, struct err *e)
{
	ptrdiff_t len;
	size_t wrong;
	bool fed;

	len = input_skip_mark(in, e) ? -1 : find_line(in, &fed, e);
	if (len < 0)
		return -1;
	if (!len && !fed)
		return 0;
	in->number++;
	*n = (size_t)len;
	if (fed && len && in->data[in->at + (size_t)len - 1] == '\r')
		--*n;
	*line = end_line(in, *n);
	in->at += (size_t)len + fed;
	if (in->unit)
		in->taken += (size_t)len + fed;
	wrong = in->utf8 ? utf8_text(*line, *n) : *n;
	return wrong < *n ? not_text(in, *line, *n, wrong, e) : 1;
}

int64_t
input_line_number(const struct input *in)
{
	return in->number;
}

const char *
input_name(const struct input *in)
{
	return source_name(in->source);
}

/* The magic is that of POSIX.1-2008, pax, ustar interchange format. */
bool
input_is_tar(const char *p, size_t n)
{
	return n >= 262 && !memcmp(p + 257, "ustar", 5);
}

int
input_plain_file(const struct input *in)
{
	return in->end ? -1 : source_plain_file(in->source);
}

int
input_error(const struct input *in, struct err *e, const char *fmt, ...)
{
	char words[sizeof(e->text)];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(words, sizeof(words), fmt, ap);
	va_end(ap);
	return err_set(e, EXIT_INPUT, "%s: line %lld: %s", input_name(in), (long long)in->number,
		       words);
}
