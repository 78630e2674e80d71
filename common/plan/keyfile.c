/* keyfile: settings as plain lines "key = value"; see keyfile.h. */
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/mem.h"
#include "base/num.h"
#include "plan/keyfile.h"
#include "stream/input.h"

enum { MAX_RANGE = 1000, MAX_GROUPS = 3 };

void
keyfile_init(struct keyfile *c)
{
	*c = (struct keyfile){ .room = 0 };
	arena_init(&c->arena, 0);
}

void
keyfile_release(struct keyfile *c)
{
	strmap_release(&c->files);
	strmap_release(&c->command);
	arena_release(&c->arena);
	free(c->entry);
	free(c->given);
}

const char *
keyfile_place(struct arena *a, const struct keyfile_entry *k)
{
	return k->file ? text_print(a, "%s:%zu: %s", k->file, k->line, k->key)
		       : text_print(a, "command line: %s", k->key);
}

const struct keyfile_entry *
keyfile_in_files(const struct keyfile *c, const char *key)
{
	const int i = strmap_find(&c->files, key, strlen(key));

	return i < 0 ? NULL : &c->entry[i];
}

const struct keyfile_entry *
keyfile_given(const struct keyfile *c, const char *key)
{
	const int i = strmap_find(&c->command, key, strlen(key));

	return i < 0 ? NULL : &c->given[i];
}

const struct keyfile_entry *
keyfile_find(const struct keyfile *c, const char *key)
{
	const struct keyfile_entry *given = keyfile_given(c, key);

	return given ? given : keyfile_in_files(c, key);
}

const struct keyfile_entry *
keyfile_number(const struct keyfile *c, size_t i)
{
	return i < c->files.n ? &c->entry[i] : &c->given[i - c->files.n];
}

void
keyfile_give(struct keyfile *c, struct keyfile_entry k)
{
	const int i = strmap_add(&c->command, k.key, strlen(k.key));

	c->given = mem_grow(c->given, &c->given_room, (size_t)i + 1, sizeof(*c->given));
	k.key = text_copy(&c->arena, k.key, strlen(k.key));
	k.value = text_copy(&c->arena, k.value, strlen(k.value));
	c->given[i] = k;
}

/*
 * The members of a group whose text, "1..6" or words, without the braces, has n bytes at `s`; an
 * empty list if it is malformed.
 */
static struct list
group_members(struct arena *a, const char *s, size_t n)
{
	const char *text = text_copy(a, s, n), *dots = strstr(text, "..");
	struct list l = { .n = 0 };
	int64_t from, to;
	struct err e;

	if (!dots)
		return list_words(a, text);
	if (num_int(text, (size_t)(dots - text), 0, INT32_MAX, &from, &e) ||
	    num_int(dots + 2, strlen(dots + 2), from, from + MAX_RANGE, &to, &e))
		return l;
	for (; from <= to; from++)
		list_add(a, &l, text_print(a, "%lld", (long long)from));
	return l;
}

/* The value with {1}, {2} replaced by the words of the groups. */
static const char *
with_words(struct keyfile *c, const char *value, const char *const word[], size_t n)
{
	struct buf b = { 0 };

	for (; *value; value++) {
		const size_t i = value[0] == '{' ? (size_t)(value[1] - '1') : n;

		if (i < n && value[2] == '}') {
			buf_add_str(&b, word[i]);
			value += 2;
		} else {
			buf_add_char(&b, *value);
		}
	}
	return text_take(&c->arena, &b);
}

static int
add_key(struct keyfile *c, struct keyfile_entry k, struct err *e)
{
	static const char allowed[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ01234567"
				      "89_.+-@";
	const size_t old = c->files.n;
	int i;

	if (!*k.key || k.key[strspn(k.key, allowed)] || k.key[strlen(k.key) - 1] == '.')
		return err_set(e, EXIT_INPUT, "%s: expected a key of letters, digits and _.+-@",
			       keyfile_place(&c->arena, &k));
	i = strmap_add(&c->files, k.key, strlen(k.key));
	if ((size_t)i < old)
		return err_set(e, EXIT_INPUT, "%s: this key is also in %s:%zu",
			       keyfile_place(&c->arena, &k), c->entry[i].file, c->entry[i].line);
	c->entry = mem_grow(c->entry, &c->room, (size_t)i + 1, sizeof(*c->entry));
	c->entry[i] = k;
	return 0;
}

/* Adds a key, or one for each word of its first group and all words of the others. */
static int
add_keys(struct keyfile *c, struct keyfile_entry k, const char *word[], size_t n, struct err *e)
{
	const char *open = strchr(k.key, '{'), *close = open ? strchr(open, '}') : NULL;
	const char *key = k.key;
	struct list words;

	if (!open) {
		k.value = with_words(c, k.value, word, n);
		return add_key(c, k, e);
	}
	if (!close || n == MAX_GROUPS)
		return err_set(e, EXIT_INPUT,
			       "%s: expected at most %d groups {WORD ...} or {FIRST..LAST}",
			       keyfile_place(&c->arena, &k), MAX_GROUPS);
	words = group_members(&c->arena, open + 1, (size_t)(close - open - 1));
	if (!words.n)
		return err_set(e, EXIT_INPUT, "%s: %.*s, expected {WORD ...} or {FIRST..LAST}",
			       keyfile_place(&c->arena, &k), (int)(close + 1 - open), open);
	for (size_t i = 0; i < words.n; i++) {
		word[n] = words.s[i];
		k.key = text_print(&c->arena, "%.*s%s%s", (int)(open - key), key, words.s[i],
				   close + 1);
		if (add_keys(c, k, word, n + 1, e))
			return -1;
	}
	return 0;
}

/* Cuts blanks off both ends. */
static const char *
trimmed(struct keyfile *c, const char *s, size_t n)
{
	while (n && (*s == ' ' || *s == '\t'))
		s++, n--;
	while (n && (s[n - 1] == ' ' || s[n - 1] == '\t'))
		n--;
	return text_copy(&c->arena, s, n);
}

static int
add_line(struct keyfile *c, const char *prefix, const char *text, struct keyfile_entry k,
	 struct err *e)
{
	const char *word[MAX_GROUPS] = { NULL }, *is = strchr(text, '=');
	const char *key;

	if (!is)
		return err_set(e, EXIT_INPUT, "%s:%zu: '%.60s', expected key = value", k.file,
			       k.line, text);
	key = trimmed(c, text, (size_t)(is - text));
	k.key = text_print(&c->arena, "%s%s", prefix, key);
	k.value = trimmed(c, is + 1, strlen(is + 1));
	return add_keys(c, k, word, 0, e);
}

int
keyfile_read(struct keyfile *c, const char *path, const char *prefix, struct err *e)
{
	struct keyfile_entry k = { .file = text_copy(&c->arena, path, strlen(path)) };
	struct list lines = { .n = 0 };
	struct buf text = { 0 };
	int bad = lines_read(&c->arena, path, INPUT_UTF8, &lines, e);

	for (size_t i = 0; !bad && i < lines.n; i++) {
		const char *line = lines.s[i] + (text.n ? strspn(lines.s[i], " \t") : 0);

		k.line = text.n ? k.line : i + 1;
		if (!text.n && (*line == '#' || !line[strspn(line, " \t")]))
			continue;
		buf_add_str(&text, line);
		if (*line && line[strlen(line) - 1] == '\\') {
			text.data[--text.n] = '\0';
			while (text.n && text.data[text.n - 1] == ' ')
				text.data[--text.n] = '\0';
			buf_add_char(&text, ' ');
		} else {
			bad = add_line(c, prefix, text_take(&c->arena, &text), k, e);
		}
	}
	if (!bad && text.n)
		bad = err_set(e, EXIT_INPUT, "%s:%zu: a line continues, but the file ends", path,
			      k.line);
	buf_release(&text);
	return bad;
}
