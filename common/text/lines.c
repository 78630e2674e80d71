/* lines: see lines.h. */
#include "base/cli.h"
#include "base/output.h"
#include "stream/input.h"
#include "text/lines.h"

#define BLOCK ((size_t)64 << 10)	/* minimum number of bytes to write at once */

static int
lines_of(const struct lines *l, struct input *input, struct output *o, int64_t *number,
	 struct err *e)
{
	struct buf out = { 0 };
	const char *line;
	size_t n;
	int more;

	while ((more = input_line(input, &line, &n, e)) > 0) {
		if (l->work(line, n, ++*number, &out, l->arg, e)) {
			more = -1;
			break;
		}
		buf_add_char(&out, '\n');
		if (out.n < BLOCK && !l->flush)
			continue;
		if (output_write(o, out.data, out.n, e) || (l->flush && output_flush(o, e))) {
			more = -1;
			break;
		}
		buf_clear(&out);
	}
	if (!more && out.n)
		more = output_write(o, out.data, out.n, e);
	buf_release(&out);
	return more;
}

void
lines_run(const struct lines *l, char **paths)
{
	struct output *o;
	int64_t number = 0;
	struct err e;
	int bad;

	o = output_open(l->output, 0, &e);
	if (!o)
		die(&e);
	do {
		struct input *in = input_open(*paths, INPUT_UTF8, &e);

		bad = !in || lines_of(l, in, o, &number, &e);
		input_close(in);
	} while (!bad && *paths && *++paths);
	if (output_end(o, bad, &e))
		die(&e);
}

void
line_trim(const char **s, size_t *n)
{
	while (*n > 0 && line_is_edge((*s)[*n - 1]))
		--*n;
	while (*n > 0 && line_is_edge(**s))
		++*s, --*n;
}

static int
read_whole(struct input *input, struct buf *out, struct err *e)
{
	const size_t limit = (size_t)(LINES_WHOLE * input_max_line) << 20;
	const char *p;
	ptrdiff_t n;

	if (input_skip_mark(input, e))
		return -1;
	while ((n = input_ahead(input, 1, &p, e)) > 0) {
		if (out->n + (size_t)n > limit) {
			err_set(e, EXIT_INPUT, "%s: more than %lld MiB, expected a smaller file",
				input_name(input), (long long)(LINES_WHOLE * input_max_line));
			cli_hint_limit(&input_max_line, e);
			return -1;
		}
		buf_add(out, p, (size_t)n);
		input_skip(input, (size_t)n);
	}
	buf_add(out, "", 0);
	return (int)n;
}

int
lines_read_all(const char *path, struct buf *out, struct err *e)
{
	struct input *in = input_open(path, 0, e);
	const int bad = in ? read_whole(in, out, e) : -1;

	input_close(in);
	return bad;
}
