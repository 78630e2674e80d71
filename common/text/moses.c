/* moses: languages and their prefixes; see moses.h. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/text-line.h"
#include "base/utf8.h"
#include "stream/language.h"
#include "text/moses-internal.h"

#define NUMERIC_ONLY "#NUMERIC_ONLY#"

static void
add_prefix(struct moses *m, const char *s, size_t n, bool numeric)
{
	int id;

	if (!n)
		return;
	id = strmap_add(&m->prefixes, s, n);
	m->numeric = mem_grow(m->numeric, &m->numeric_room, m->prefixes.n, sizeof(*m->numeric));
	m->numeric[id] = numeric;
}

static void
moses_add_list(struct moses *m, const char *list, bool numeric)
{
	while (*list) {
		const size_t n = strcspn(list, " ");

		add_prefix(m, list, n, numeric);
		list += n + (list[n] == ' ');
	}
}

/* The languages with rules of their own; the last row is for all others. */
static const struct language {
	const char *code;
	enum apostrophes apostrophes;
	bool word_colons, ideographs;
} languages[] = {
	{ "en", APOSTROPHE_RIGHT, false, false }, { "so", APOSTROPHE_INSIDE, false, false },
	{ "fr", APOSTROPHE_LEFT, false, false }, { "it", APOSTROPHE_LEFT, false, false },
	{ "ga", APOSTROPHE_LEFT, false, false }, { "ca", APOSTROPHE_LEFT, false, false },
	{ "fi", APOSTROPHE_APART, true, false }, { "sv", APOSTROPHE_APART, true, false },
	{ "ja", APOSTROPHE_APART, false, true }, { "zh", APOSTROPHE_APART, false, true },
	{ NULL, APOSTROPHE_APART, false, false }
};

static const struct language *
find_language(const char *code)
{
	const struct language *l = languages;

	while (l->code && strcmp(l->code, code))
		l++;
	return l;
}

bool
moses_has_rules(const char *language)
{
	const char *always, *numeric;

	return find_language(language)->code || moses_own_prefixes(language, &always, &numeric);
}

bool
moses_is_language(const char *code)
{
	return language_is_code(code);
}

struct moses *
moses_new(const char *language)
{
	struct moses *m = xcalloc(1, sizeof(*m));
	const char *always = "", *numeric = "";

	snprintf(m->language, sizeof(m->language), "%s", language);
	m->apostrophes = find_language(m->language)->apostrophes;
	m->word_colons = find_language(m->language)->word_colons;
	m->ideographs = find_language(m->language)->ideographs;
	if (!moses_own_prefixes(m->language, &always, &numeric))
		moses_own_prefixes("en", &always, &numeric);
	moses_add_list(m, numeric, true);
	moses_add_list(m, always, false);
	return m;
}

void
moses_free(struct moses *m)
{
	if (!m)
		return;
	strmap_release(&m->prefixes);
	strmap_release(&m->quotes);
	chars_release(&m->a);
	chars_release(&m->b);
	buf_release(&m->word);
	free(m->numeric);
	free(m->words);
	free(m->opened);
	free(m);
}

static bool
moses_is_space(char c)
{
	return c == ' ' || c == '\t' || c == '\r';
}

static void
moses_add_line(struct moses *m, const char *s, size_t n)
{
	const size_t mark = strlen(NUMERIC_ONLY);
	bool numeric;

	while (n && moses_is_space(s[n - 1]))
		n--;
	if (!n || *s == '#')
		return;
	numeric = n > mark + 1 && !memcmp(s + n - mark, NUMERIC_ONLY, mark) &&
		  moses_is_space(s[n - mark - 1]);
	n -= numeric ? mark : 0;
	while (n && moses_is_space(s[n - 1]))
		n--;
	add_prefix(m, s, n, numeric);
}

int
moses_prefixes(struct moses *m, const char *text, size_t n, struct err *e)
{
	struct text_line line = text_lines(text, n);

	strmap_clear(&m->prefixes);
	while (text_line_next(&line)) {
		const size_t bad = utf8_check(line.s, line.n);

		if (bad < line.n)
			return err_set(e, EXIT_INPUT,
				       "prefixes: line %zu: byte %zu is not UTF-8", line.number,
				       bad + 1);
		moses_add_line(m, line.s, line.n);
	}
	return 0;
}
