/* lines: see lines.h. */
#include "base/output.h"
#include "stream/input.h"
#include "text/lines.h"

#define ENOUGH ((size_t)64 << 10)	/* bytes that are worth a call */

static int
lines_of(const struct lines *l, struct input *in, struct output *o, int64_t *number, struct err *e)
{
	struct buf out = { 0 };
	const char *line;
	size_t n;
	int more;

	while ((more = input_line(in, &line, &n, e)) > 0) {
		if (l->work(line, n, ++*number, &out, l->arg, e)) {
			more = -1;
			break;
		}
		buf_add_char(&out, '\n');
		if (out.n < ENOUGH && !l->flush)
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
	static char *none[] = { NULL, NULL };
	struct output *o;
	int64_t number = 0;
	struct err e;

	o = output_open(l->output, 0, &e);
	if (!o)
		die(&e);
	for (char **p = paths[0] ? paths : none; p == none || *p; p++) {
		struct input *in = input_open(*p, INPUT_UTF8, &e);
		const int bad = !in || lines_of(l, in, o, &number, &e);

		input_close(in);
		if (bad) {
			output_abandon(o);
			die(&e);
		}
		if (p == none)
			break;
	}
	if (output_finish(o, &e))
		die(&e);
}

int
lines_read_all(const char *path, struct buf *out, struct err *e)
{
	struct input *in = input_open(path, 0, e);
	size_t piece = ENOUGH;
	ptrdiff_t n;

	if (!in)
		return -1;
	do {
		n = input_read(in, buf_room(out, piece), piece, e);
		if (n > 0)
			out->n += (size_t)n;
		piece = out->n > ENOUGH ? out->n : ENOUGH;
	} while (n > 0);
	buf_add(out, "", 0);
	input_close(in);
	return n < 0 ? -1 : 0;
}
