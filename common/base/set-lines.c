/* set-lines: see set-lines.h. */
#include "base/set-lines.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/text-line.h"

void
set_line_int(struct buf *out, const char *name, int64_t v)
{
	buf_printf(out, "set %s %" PRId64 "\n", name, v);
}

/* 17 significant digits identify a double. */
void
set_line_float(struct buf *out, const char *name, double v)
{
	buf_printf(out, "set %s %.17g\n", name, v);
}

void
set_line_text(struct buf *out, const char *name, const char *v)
{
	buf_printf(out, "set %s %s\n", name, v);
}

void
set_line_list(struct buf *out, const char *name, const struct opt_list *v)
{
	buf_printf(out, "set %s ", name);
	for (size_t i = 0; i < v->n; i++)
		buf_printf(out, "%s%s", i ? " " : "", v->v[i]);
	buf_add_char(out, '\n');
}

/*
 * The line in text[n] that starts with the first `name` bytes of line ("set NAME "), without its
 * line end; NULL if there is none.
 */
static const char *
find_setting(const char *text, size_t n, const char *line, size_t name, size_t *length)
{
	struct text_line l = text_lines(text, n);

	while (text_line_next(&l))
		if (l.n >= name && !memcmp(l.s, line, name)) {
			*length = l.n;
			return l.s;
		}
	return NULL;
}

const char *
set_line_find(const char *text, size_t n, const char *name, size_t *length)
{
	char *line = xasprintf("set %s ", name);
	const size_t k = strlen(line);
	const char *found = find_setting(text, n, line, k, length);

	free(line);
	if (!found)
		return NULL;
	*length -= k;
	return found + k;
}

/* The length of "set NAME " at the start of a line of n bytes. */
static size_t
set_name_length(const char *line, size_t n)
{
	const char *space = n > 4 ? memchr(line + 4, ' ', n - 4) : NULL;

	return space ? (size_t)(space - line) + 1 : n;
}

/* Appends the settings of `now` that are missing in `then` or have another value there. */
static void
add_differences(struct buf *out, const struct buf *now, const char *then, size_t n_then)
{
	struct text_line line = text_lines(now->data, now->n);

	while (text_line_next(&line)) {
		const size_t name = set_name_length(line.s, line.n);
		size_t k = 0;
		const char *old = find_setting(then, n_then, line.s, name, &k);

		if (!old || k != line.n || memcmp(old, line.s, k)) {
			buf_add(out, "; ", out->n ? 2 : 0);
			buf_printf(out, "%.*s was %.*s, is %.*s", (int)name - 5, line.s + 4,
				   old ? (int)(k - name) : 7, old ? old + name : "not set",
				   (int)(line.n - name), line.s + name);
		}
	}
}

int
set_lines_check(const struct buf *now, const char *then, size_t n, const char *file, struct err *e)
{
	struct buf differ = { 0 };

	add_differences(&differ, now, then, n);
	if (!differ.n)
		return 0;
	err_set(e, EXIT_USAGE, "%s was started with other settings: %s", file, differ.data);
	err_hint(e, "use the old settings or another --checkpoint, or remove the file to start "
		 "over");
	buf_release(&differ);
	return -1;
}
