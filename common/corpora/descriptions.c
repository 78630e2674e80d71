/* descriptions: see descriptions.h. */
#include <stdbool.h>
#include <string.h>

#include "base/buf.h"
#include "corpora/descriptions.h"
#include "stream/cells.h"

struct stanza {
	struct buf package, md5, text, key, group;
	size_t n, start;		/* texts in text, with a NUL byte between them; the last one
					 * begins at start */
	bool inside, in_description;	/* in a stanza; in its description */
	bool open;			/* the next line continues the last text */
};

static void
begin_text(struct stanza *z)
{
	if (z->n++)
		buf_add_char(&z->text, '\0');
	z->start = z->text.n;
	z->open = true;
}

static void
descriptions_add_words(struct stanza *z, const char *s, size_t n)
{
	size_t i;

	if (!z->open)
		begin_text(z);
	if (z->text.n > z->start)
		buf_add_char(&z->text, ' ');
	for (i = 0; i < n; i++) {
		bool space = s[i] == ' ' || s[i] == '\t';

		if (space && (z->text.n == z->start || z->text.data[z->text.n - 1] == ' '))
			continue;
		buf_add_char(&z->text, space ? ' ' : s[i]);
	}
	while (z->text.n > z->start && z->text.data[z->text.n - 1] == ' ')
		z->text.data[--z->text.n] = '\0';
}

/* "*", "-" and "+" begin a list item; "o" only if it is indented, since it is also a word. */
static bool
begins_item(const char *s, size_t spaces, size_t n)
{
	return n - spaces > 1 && strchr(spaces ? "*-+o" : "*-+", s[spaces]) && s[spaces + 1] == ' ';
}

/* " ." ends a paragraph; "  * item" begins a list item, and an indented line continues it. */
static void
descriptions_add_line(struct stanza *z, const char *s, size_t n)
{
	size_t spaces = 0;

	while (spaces < n && s[spaces] == ' ')
		spaces++;
	if (n - spaces == 1 && s[spaces] == '.') {
		z->open = false;
		return;
	}
	if (begins_item(s, spaces, n)) {
		z->open = false;
		spaces += 2;
	}
	descriptions_add_words(z, s + spaces, n - spaces);
}

static void
set_group(struct stanza *z)
{
	size_t n = strcspn(z->package.data, "-");

	while (n > 1 && strchr("0123456789.", z->package.data[n - 1]))
		n--;
	if (!n)
		n = z->package.n;
	buf_clear(&z->group);
	buf_add(&z->group, z->package.data, n);
}

/* Passes the texts of the stanza on, if it is complete, and begins the next. */
static int
end_stanza(struct stanza *z, struct input *input, descriptions_take *take, void *arg,
	   int64_t *stanzas, struct err *e)
{
	const char *s = z->text.n ? z->text.data : "";
	int r = 0;

	input_unit(input, "stanza");
	if (z->package.n && z->md5.n && z->n) {
		++*stanzas;
		set_group(z);
		for (size_t i = 0; !r && i < z->n; i++, s += strlen(s) + 1) {
			buf_clear(&z->key);
			buf_printf(&z->key, "%s#%s#%zu/%zu", z->package.data, z->md5.data, i,
				   z->n);
			r = take(arg, z->group.data, z->key.data, s, strlen(s), e);
		}
	}
	buf_clear(&z->package);
	buf_clear(&z->md5);
	buf_clear(&z->text);
	z->n = 0;
	z->inside = z->in_description = z->open = false;
	return r;
}

static int
read_field(struct stanza *z, const struct input *input, const char *s, size_t n, struct err *e)
{
	const char *colon = memchr(s, ':', n), *value;
	struct str name = { s, 0 };

	if (!colon || colon == s)
		return input_error(input, e, "'%.*s', expected a field and a colon",
				   n < 40 ? (int)n : 40, s);
	name.n = (size_t)(colon - s);
	for (value = colon + 1; value < s + n && *value == ' '; value++)
		;
	n -= (size_t)(value - s);
	z->inside = true;
	z->in_description = false;
	if (str_listed(name, " Package Description-md5 ")) {
		struct buf *to = *s == 'P' ? &z->package : &z->md5;

		buf_clear(to);
		buf_add(to, value, n);
	} else if (name.n > 12 && !memcmp(s, "Description-", 12)) {
		z->in_description = true;
		begin_text(z);
		descriptions_add_words(z, value, n);
		z->open = false;
	}
	return 0;
}

static int
descriptions_read_line(struct stanza *z, const struct input *input, const char *s, size_t n,
		       struct err *e)
{
	if (*s != ' ' && *s != '\t')
		return read_field(z, input, s, n, e);
	if (!z->inside)
		return input_error(input, e, "continuation line, expected the start of a stanza");
	if (z->in_description)
		descriptions_add_line(z, s + 1, n - 1);
	return 0;
}

int
descriptions_read(struct input *input, descriptions_take *take, void *arg, int64_t *stanzas,
		  struct err *e)
{
	struct stanza z = { .n = 0 };
	const char *s;
	size_t n;
	int r;

	input_unit(input, "stanza");
	while ((r = input_line(input, &s, &n, e)) > 0)
		if (n ? descriptions_read_line(&z, input, s, n, e)
		      : end_stanza(&z, input, take, arg, stanzas, e)) {
			r = -1;
			break;
		}
	if (!r)
		r = end_stanza(&z, input, take, arg, stanzas, e);
	buf_release(&z.package);
	buf_release(&z.md5);
	buf_release(&z.text);
	buf_release(&z.key);
	buf_release(&z.group);
	return r;
}
