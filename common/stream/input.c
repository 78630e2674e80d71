/*
 * input: see input.h.  One buffer on top of a source.  It grows only when it is full of bytes
 * that have arrived, so that sizes claimed inside the data cannot make it grow.
 */
#include "stream/input.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cli.h"
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

int
input_stdin_once(size_t times, char *const *path, int n, struct err *e)
{
	for (int i = 0; i < n; i++)
		times += !strcmp(path[i], "-");
	return times > 1 ? err_usage(e, "standard input is given %zu times, expected at most once",
				     times) : 0;
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
input_close(struct input *input)
{
	if (!input)
		return;
	source_close(input->source);
	free(input->own);
	free(input->line);
	free(input);
}

static void
input_make_room(struct input *input)
{
	if (input->at && (input->at == input->end || input->at >= input->room / 2)) {
		memmove(input->own, input->own + input->at, input->end - input->at);
		input->end -= input->at;
		input->at = 0;
	}
	if (input->end < input->room)
		return;
	input->room = input->room ? 2 * input->room : ROOM;
	input->own = xrealloc(input->own, input->room + 1);
	input->data = input->own;
}

/* Reads once more and appends the bytes: 1, 0 at the end, -1 on error. */
static int
input_more(struct input *input, struct err *e)
{
	ptrdiff_t k;

	if (input->over)
		return 0;
	input_make_room(input);
	k = source_read(input->source, input->own + input->end, input->room - input->end, e);
	if (k < 0)
		return -1;
	input->over = !k;
	input->end += (size_t)k;
	return k > 0;
}

ptrdiff_t
input_ahead(struct input *input, size_t n, const char **p, struct err *e)
{
	int r = 1;

	while (input->end - input->at < n && (r = input_more(input, e)) > 0)
		;
	*p = input->data ? input->data + input->at : "";
	return r < 0 ? -1 : (ptrdiff_t)(input->end - input->at);
}

void
input_skip(struct input *input, size_t n)
{
	input->at += n;
}

size_t
input_held(const struct input *input)
{
	return input->end - input->at;
}

/* Reads one byte before three, so as not to wait for bytes that are not needed. */
int
input_skip_mark(struct input *input, struct err *e)
{
	const char *p;
	ptrdiff_t n;

	if (input->begun)
		return 0;
	n = input_ahead(input, 1, &p, e);
	if (n > 0 && *p == '\xef')
		n = input_ahead(input, 3, &p, e);
	if (n < 0)
		return -1;
	input->begun = true;
	if (n >= 3 && !memcmp(p, "\xef\xbb\xbf", 3))
		input_skip(input, 3);
	return 0;
}

/* Doubles the distance each time, so as not to wait for bytes that are not needed. */
int
input_first(struct input *input, struct err *e)
{
	ptrdiff_t i = 0;

	if (input_skip_mark(input, e))
		return -1;
	for (size_t want = 1; want <= LOOK_AHEAD; want *= 2) {
		const char *p;
		ptrdiff_t n = input_ahead(input, want, &p, e);

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
input_read(struct input *input, void *p, size_t n, struct err *e)
{
	size_t done = 0, k;
	int r = 1;

	while (done < n && r > 0) {
		k = input->end - input->at;
		if (k > n - done)
			k = n - done;
		if (k)
			memcpy((char *)p + done, input->data + input->at, k);
		input->at += k;
		done += k;
		if (done < n)
			r = input_more(input, e);
	}
	return r < 0 ? -1 : (ptrdiff_t)done;
}

void
input_unit(struct input *input, const char *unit)
{
	input->unit = unit;
	input->unit_line = input->number + 1;
	input->taken = 0;
}

/* The maximum length of the next line in bytes. */
static size_t
allowed(const struct input *input)
{
	const size_t limit = (size_t)input_max_line << 20;

	return input->taken < limit ? limit - input->taken : 0;
}

static int
input_too_long(struct input *input, struct err *e)
{
	if (input->unit && input->taken)
		err_set(e, EXIT_INPUT, "%s: line %lld: a %s of more than %lld MiB begins here",
			input_name(input), (long long)input->unit_line, input->unit,
			(long long)input_max_line);
	else
		err_set(e, EXIT_INPUT, "%s: line %lld: more than %lld MiB, expected a shorter line",
			input_name(input), (long long)input->number + 1, (long long)input_max_line);
	cli_hint_limit(&input_max_line, e);
	return -1;
}

/* The length of the line up to its line feed (then *fed) or the end of the file; -1 on error. */
static ptrdiff_t
find_line(struct input *input, bool *fed, struct err *e)
{
	const size_t limit = allowed(input);
	const char *lf = NULL;
	size_t seen = 0;
	int r = 1;

	for (;;) {
		if (input->end - input->at > seen)
			lf = memchr(input->data + input->at + seen, '\n',
				    input->end - input->at - seen);
		*fed = lf;
		seen = lf ? (size_t)(lf - (input->data + input->at)) : input->end - input->at;
		if (seen > limit)
			return input_too_long(input, e);
		if (lf)
			return (ptrdiff_t)seen;
		r = input_more(input, e);
		if (r <= 0)
			return r < 0 ? -1 : (ptrdiff_t)seen;
	}
}

/* The line as a C string, in place if the buffer is not the caller's. */
static const char *
end_line(struct input *input, size_t n)
{
	if (input->own) {
		input->own[input->at + n] = 0;
		return input->own + input->at;
	}
	input->line = mem_grow(input->line, &input->line_room, n + 1, 1);
	if (n)
		memcpy(input->line, input->data + input->at, n);
	input->line[n] = 0;
	return input->line;
}

static int
not_text(const struct input *input, const char *line, size_t n, size_t wrong, struct err *e)
{
	if (!line[wrong]) {
		input_error(input, e, "byte %zu is NUL, expected text", wrong + 1);
		err_hint(e, "heed-pack --invalid replaces such bytes, tr -d '\\000' removes them");
		return -1;
	}
	if (input->number > 1 || !stream_begins(line, n))
		return input_error(input, e, "byte %zu (0x%02x) is not UTF-8", wrong + 1,
				   (unsigned)(unsigned char)line[wrong]);
	err_set(e, EXIT_INPUT, "%s is a heed stream, expected text", input_name(input));
	err_hint(e, "heed-show -f prints its fields, head-stat --to tsv prints a table");
	return -1;
}

int
input_line(struct input *input, const char **line, size_t *n, struct err *e)
{
	ptrdiff_t len;
	size_t wrong;
	bool fed;

	len = input_skip_mark(input, e) ? -1 : find_line(input, &fed, e);
	if (len < 0)
		return -1;
	if (!len && !fed)
		return 0;
	input->number++;
	*n = (size_t)len;
	if (fed && len && input->data[input->at + (size_t)len - 1] == '\r')
		--*n;
	*line = end_line(input, *n);
	input->at += (size_t)len + fed;
	if (input->unit)
		input->taken += (size_t)len + fed;
	wrong = input->utf8 ? utf8_text(*line, *n) : *n;
	return wrong < *n ? not_text(input, *line, *n, wrong, e) : 1;
}

int64_t
input_line_number(const struct input *input)
{
	return input->number;
}

const char *
input_name(const struct input *input)
{
	return source_name(input->source);
}

/* The magic is that of POSIX.1-2008, pax, ustar interchange format. */
bool
input_is_tar(const char *p, size_t n)
{
	return n >= 262 && !memcmp(p + 257, "ustar", 5);
}

int
input_plain_file(const struct input *input)
{
	return input->end ? -1 : source_plain_file(input->source);
}

int
input_error(const struct input *input, struct err *e, const char *fmt, ...)
{
	char words[sizeof(e->text)];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(words, sizeof(words), fmt, ap);
	va_end(ap);
	return err_set(e, EXIT_INPUT, "%s: line %lld: %s", input_name(input),
		       (long long)input->number, words);
}
