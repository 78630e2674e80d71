/* list: words in an arena; see list.h. */
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "plan/list.h"
#include "stream/input.h"

const char *
text_copy(struct arena *a, const char *s, size_t n)
{
	char *copy = arena_get(a, n + 1);

	memcpy(copy, s, n);
	copy[n] = '\0';
	return copy;
}

const char *
text_take(struct arena *a, struct buf *b)
{
	const char *text = text_copy(a, b->n ? b->data : "", b->n);

	buf_release(b);
	return text;
}

const char *
text_print(struct arena *a, const char *fmt, ...)
{
	struct buf b = { 0 };
	va_list ap;

	va_start(ap, fmt);
	buf_vprintf(&b, fmt, ap);
	va_end(ap);
	return text_take(a, &b);
}

/* Part i of a text that the separator divides. */
static const char *
divided(struct arena *a, const char *text, char separator, int i)
{
	const char end[] = { separator, '\0' };

	for (; i && strchr(text, separator); i--)
		text = strchr(text, separator) + 1;
	return i ? "" : text_copy(a, text, strcspn(text, end));
}

const char *
name_part(struct arena *a, const char *name, int i)
{
	return divided(a, name, '/', i);
}

const char *
list_field(struct arena *a, const char *line, int i)
{
	return divided(a, line, '\t', i);
}

bool
has_prefix(const char *s, const char *prefix)
{
	return !strncmp(s, prefix, strlen(prefix));
}

void
list_add(struct arena *a, struct list *l, const char *s)
{
	if (l->n == l->room) {
		const char **more = arena_get(a, (2 * l->room + 8) * sizeof(*more));

		if (l->n)
			memcpy(more, l->s, l->n * sizeof(*more));
		l->s = more;
		l->room = 2 * l->room + 8;
	}
	l->s[l->n++] = s;
}

void
list_add_all(struct arena *a, struct list *l, const struct list *more)
{
	for (size_t i = 0; i < more->n; i++)
		list_add(a, l, more->s[i]);
}

bool
list_has(const struct list *l, const char *s)
{
	for (size_t i = 0; i < l->n; i++)
		if (!strcmp(l->s[i], s))
			return true;
	return false;
}

void
list_once(struct arena *a, struct list *l, const char *s)
{
	if (!list_has(l, s))
		list_add(a, l, s);
}

struct list
list_split(struct arena *a, const char *text, const char *separators)
{
	struct list l = { .n = 0 };

	while (*(text += strspn(text, separators))) {
		const size_t n = strcspn(text, separators);

		list_add(a, &l, text_copy(a, text, n));
		text += n;
	}
	return l;
}

struct list
list_words(struct arena *a, const char *text)
{
	return list_split(a, text, " \t");
}

bool
has_word(const char *words, const char *word)
{
	const size_t n = strlen(word);

	while (*(words += strspn(words, " "))) {
		const size_t length = strcspn(words, " ");

		if (length == n && !memcmp(words, word, n))
			return true;
		words += length;
	}
	return false;
}

int
lines_read(struct arena *a, const char *path, unsigned flags, struct list *lines, struct err *e)
{
	struct input *in = input_open(path, flags, e);
	const char *line;
	size_t n;
	int more = -1;

	while (in && (more = input_line(in, &line, &n, e)) > 0)
		list_add(a, lines, text_copy(a, line, n));
	input_close(in);
	return more;
}

static int
compare_texts(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

void
list_sort(struct list *l)
{
	size_t n = 0;

	if (l->n)
		qsort(l->s, l->n, sizeof(*l->s), compare_texts);
	for (size_t i = 0; i < l->n; i++)
		if (!n || strcmp(l->s[n - 1], l->s[i]))
			l->s[n++] = l->s[i];
	l->n = n;
}

const char *
list_text(struct arena *a, const struct list *l)
{
	struct buf b = { 0 };

	for (size_t i = 0; i < l->n; i++)
		buf_printf(&b, "%s%s", i ? " " : "", l->s[i]);
	return text_take(a, &b);
}
