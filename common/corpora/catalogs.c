/* catalogs: see catalogs.h. */
#include "corpora/catalogs.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "corpora/gettext.h"
#include "exchange/file.h"
#include "stream/archive.h"
#include "stream/input.h"

void
catalogs_init(struct catalogs *c, struct pairs *p, const char *mark, size_t max_size)
{
	*c = (struct catalogs){ .pairs = p, .mark = mark, .max_size = max_size,
				.taken = xcalloc((size_t)p->sides, sizeof(*c->taken)) };
}

void
catalogs_release(struct catalogs *c)
{
	buf_release(&c->name);
	buf_release(&c->key);
	free(c->taken);
	c->taken = NULL;
}

/* Is s, n bytes of a path, the folder of a language? */
static bool
is_folder_of(const char *s, size_t n, const char *lang)
{
	if (!strcmp(lang, "zh"))
		lang = "zh-cn";
	if (strlen(lang) != n)
		return false;
	for (size_t i = 0; i < n; i++)
		if ((s[i] == '_' ? '-' : tolower((unsigned char)s[i])) !=
		    tolower((unsigned char)lang[i]))
			return false;
	return true;
}

/* The component of a path that ends before `end`. */
static struct str
component(const char *path, size_t end)
{
	size_t from = end;

	while (from && path[from - 1] != '/')
		from--;
	return (struct str){ path + from, end - from };
}

/* Finds language and name of a catalog in its path; false if it is none of the targets. */
static bool
catalog_of(struct catalogs *c, const char *path, bool *compiled)
{
	const size_t n = strlen(path);
	const char *suffix = n > 3 ? path + n - 3 : "";
	struct str lang, name, folder;

	*compiled = !strcmp(suffix, ".mo");
	if (!*compiled && strcmp(suffix, ".po"))
		return false;
	name = component(path, n - 3);
	folder = name.s > path ? component(path, (size_t)(name.s - path) - 1) :
		 (struct str){ path, 0 };
	if (folder.n == 11 && !memcmp(folder.s, "LC_MESSAGES", 11) && folder.s > path) {
		lang = component(path, (size_t)(folder.s - path) - 1);
	} else if (!*compiled) {
		lang = name;
		name = folder;
	} else {
		return false;
	}
	for (c->side = 1; c->side < c->pairs->sides; c->side++)
		if (is_folder_of(lang.s, lang.n, c->pairs->lang[c->side])) {
			buf_clear(&c->name);
			buf_add(&c->name, name.s, name.n);
			return true;
		}
	return false;
}

/* The text after a context such as "female^". */
static struct str
after_mark(const struct catalogs *c, struct str s)
{
	const size_t n = c->mark ? strlen(c->mark) : 0;

	for (size_t i = 0; n && i + n <= s.n; i++)
		if (!memcmp(s.s + i, c->mark, n))
			return (struct str){ s.s + i + n, s.n - i - n };
	return s;
}

static bool
has_markup(struct str s)
{
	return s.n && (memchr(s.s, '\n', s.n) || memchr(s.s, '<', s.n) || memchr(s.s, '$', s.n));
}

/* Appends the text without white space at its ends and with single spaces. */
static void
add_squeezed(struct buf *out, struct str s)
{
	const size_t start = out->n;

	for (size_t i = 0; i < s.n; i++) {
		const bool space = strchr(" \t\r\v\f", s.s[i]);

		if (!space)
			buf_add_char(out, s.s[i]);
		else if (out->n > start && out->data[out->n - 1] != ' ')
			buf_add_char(out, ' ');
	}
	while (out->n > start && out->data[out->n - 1] == ' ')
		out->n--;
}

static int
take_message(void *arg, const struct message *m, struct err *e)
{
	struct catalogs *c = arg;
	const struct str text[2] = { after_mark(c, m->original), m->form[0] };
	struct buf clean = { 0 };
	int r = 0;

	if (!m->form[0].n)		/* not translated yet */
		return 0;
	c->messages++;
	c->plural += !!m->plural.s;
	c->fuzzy += !m->plural.s && m->fuzzy;
	if (m->plural.s || m->fuzzy)
		return 0;
	if (has_markup(text[0]) || has_markup(text[1])) {
		c->markup++;
		return 0;
	}
	buf_clear(&c->key);
	buf_add(&c->key, c->name.data, c->name.n);
	buf_add_char(&c->key, '\004');
	if (m->context.s)
		buf_add(&c->key, m->context.s, m->context.n);
	buf_add_char(&c->key, '\004');
	buf_add(&c->key, m->original.s, m->original.n);
	if (pairs_has(c->pairs, c->side, c->key.data)) {
		c->duplicate++;
		return 0;
	}
	for (int k = 0; k < 2 && !r; k++) {
		buf_clear(&clean);
		add_squeezed(&clean, text[k]);
		r = pairs_add(c->pairs, k ? c->side : 0, c->key.data, c->name.data, clean.data,
			      clean.n, e);
	}
	c->taken[c->side]++;
	buf_release(&clean);
	return r;
}

static int
read_catalog(struct catalogs *c, const char *p, size_t n, const char *name, bool compiled,
	     struct err *e)
{
	struct input *in;
	int r;

	c->files++;
	if (compiled)
		return mo_read(p, n, take_message, c, e) ? err_wrap(e, "%s", name) : 0;
	in = input_memory(name, p, n, INPUT_UTF8, e);
	if (!in)
		return -1;
	r = po_read(in, take_message, c, e);
	input_close(in);
	return r;
}

static int
read_member(struct catalogs *c, struct archive_in *a, const char *name, struct err *e)
{
	bool compiled;
	size_t n;
	char *path, *p;
	int r;

	if (!catalog_of(c, name, &compiled))
		return 0;
	path = xstrdup(name);		/* valid after the member is read */
	p = archive_in_all(a, c->max_size, &n, e);
	r = p ? read_catalog(c, p, n, path, compiled, e) : err_wrap(e, "%s", path);
	free(p);
	free(path);
	return r;
}

/* A file that is a catalog itself. */
static int
read_plain(struct catalogs *c, const char *path, bool compiled, struct err *e)
{
	size_t n;
	char *p = file_text(path, c->max_size, &n, e);
	const int r = p ? read_catalog(c, p, n, path, compiled, e) : -1;

	free(p);
	return r;
}

int
catalogs_read(struct catalogs *c, const char *path, struct err *e)
{
	struct archive_in *a;
	const char *name;
	int64_t size;
	bool compiled;
	int r;

	if (catalog_of(c, path, &compiled))
		return read_plain(c, path, compiled, e);
	a = archive_in_open(path, e);
	if (!a)
		return -1;
	while ((r = archive_in_next(a, &name, &size, e)) > 0)
		if ((r = read_member(c, a, name, e))) {
			err_wrap(e, "%s", path);
			break;
		}
	archive_in_close(a);
	return r;
}
