/*
 * bpe-glossary: words and parts of words that are not segmented; see bpe.h.
 *
 * A glossary is a POSIX extended regular expression over UTF-8.  As in subword-nmt, the matching
 * parts of a word are separated from the rest, one glossary after another, unless the whole word
 * matches.  A part that matches as a whole is not segmented.
 */
#include <ctype.h>
#include <locale.h>
#include <regex.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "bpe/bpe-internal.h"

struct glossary { regex_t part, whole; };

struct glossaries {
	struct glossary *v;
	size_t n, room;
	struct buf any;			/* the alternatives a|b|... of whole */
	regex_t whole;			/* ^(a|b|...)$ */
	locale_t utf8;			/* matches characters instead of bytes; 0 if unavailable */
	struct buf text;		/* scratch: a part and a NUL byte */
	struct ends { size_t *v, n, room; } now, next;	/* the ends of the parts of a word */
};

struct glossaries *
glossaries_new(void)
{
	struct glossaries *g = xcalloc(1, sizeof(*g));

	g->utf8 = newlocale(LC_CTYPE_MASK, "C.UTF-8", (locale_t)0);
	return g;
}

void
glossaries_free(struct glossaries *g)
{
	if (!g)
		return;
	for (size_t i = 0; i < g->n; i++) {
		regfree(&g->v[i].part);
		regfree(&g->v[i].whole);
	}
	if (g->n)
		regfree(&g->whole);
	if (g->utf8)
		freelocale(g->utf8);
	free(g->v);
	free(g->now.v);
	free(g->next.v);
	buf_release(&g->any);
	buf_release(&g->text);
	free(g);
}

static int
compile(const struct glossaries *g, regex_t *compiled, const char *before, const char *regex,
	const char *after, struct err *e)
{
	char *text = xasprintf("%s%s%s", before, regex, after), why[200];
	const locale_t old = g->utf8 ? uselocale(g->utf8) : (locale_t)0;
	const int bad = regcomp(compiled, text, REG_EXTENDED);

	if (bad)
		regerror(bad, compiled, why, sizeof(why));
	if (g->utf8)
		uselocale(old);
	free(text);
	return bad ? err_set(e, EXIT_USAGE, "glossary '%s': %s", regex, why) : 0;
}

static bool
match(const struct glossaries *g, const regex_t *r, const char *s, int flags, regmatch_t *m)
{
	const locale_t old = g->utf8 ? uselocale(g->utf8) : (locale_t)0;
	const bool yes = !regexec(r, s, 1, m, flags);

	if (g->utf8)
		uselocale(old);
	return yes;
}

/*
 * Finds an escape such as \d, which is a digit in other notations; here it would be the letter d.
 * Within brackets, a backslash is an ordinary character, and never meant.
 */
static int
check_escapes(const char *regex, struct err *e)
{
	bool brackets = false;

	for (const char *s = regex; *s; s++) {
		if (*s == '[' && !brackets) {
			brackets = true;
			s += s[1] == '^';
			s += s[1] == ']';
		} else if (*s == ']') {
			brackets = false;
		} else if (*s == '\\' && s[1]) {
			if (isalpha((unsigned char)s[1]) && (brackets || !strchr("wWsSbB", s[1])))
				return err_set(e, EXIT_USAGE, "glossary '%s': \\%c%s, expected a "
					       "POSIX regular expression, such as [0-9] for a "
					       "digit", regex, s[1],
					       brackets ? " within brackets" : "");
			s += !brackets;
		}
	}
	return 0;
}

int
glossaries_add(struct glossaries *g, const char *regex, struct err *e)
{
	struct glossary new;
	regex_t whole;

	if (check_escapes(regex, e) || compile(g, &new.part, "", regex, "", e))
		return -1;
	if (compile(g, &new.whole, "^", regex, "$", e)) {
		regfree(&new.part);
		return -1;
	}
	if (g->n)
		buf_add_char(&g->any, '|');
	buf_add_str(&g->any, regex);
	if (compile(g, &whole, "^(", g->any.data, ")$", e)) {
		regfree(&new.part);
		regfree(&new.whole);
		return -1;
	}
	if (g->n)
		regfree(&g->whole);
	g->whole = whole;
	g->v = mem_grow(g->v, &g->room, g->n + 1, sizeof(*g->v));
	g->v[g->n++] = new;
	return 0;
}

static const char *
bpe_glossary_terminated(struct glossaries *g, const char *s, size_t n)
{
	buf_clear(&g->text);
	buf_add(&g->text, s, n);
	buf_add_char(&g->text, 0);
	return g->text.data;
}

static void
add_end(struct glossaries *g, size_t end)
{
	struct ends *to = &g->next;

	if (end == (to->n ? to->v[to->n - 1] : 0))
		return;
	to->v = mem_grow(to->v, &to->room, to->n + 1, sizeof(*to->v));
	to->v[to->n++] = end;
}

static size_t
after_char(const char *text, size_t n, size_t at)
{
	size_t length = 1;

	if (at < n)
		utf8_next(text + at, n - at, &length);
	return at + length;
}

/* Splits word[start .. end) around the matches of one glossary. */
static void
cut_part(struct glossaries *g, const struct glossary *one, const char *word, size_t start,
	 size_t end)
{
	const char *text = bpe_glossary_terminated(g, word + start, end - start);
	size_t at = 0;
	regmatch_t m;

	if (match(g, &one->whole, text, 0, &m) && m.rm_so == 0) {
		add_end(g, end);
		return;
	}
	while (at < end - start && match(g, &one->part, text + at, at ? REG_NOTBOL : 0, &m)) {
		if (m.rm_eo == m.rm_so) {	/* an empty match separates nothing */
			at = after_char(text, end - start, at + (size_t)m.rm_so);
			continue;
		}
		add_end(g, start + at + (size_t)m.rm_so);
		at += (size_t)m.rm_eo;
		add_end(g, start + at);
	}
	add_end(g, end);
}

size_t
glossaries_cut(struct glossaries *g, const char *word, size_t n, const size_t **end)
{
	g->now.v = mem_grow(g->now.v, &g->now.room, 1, sizeof(*g->now.v));
	g->now.v[0] = n;
	g->now.n = 1;
	for (size_t i = 0; i < g->n; i++) {
		const struct ends old = g->now;

		g->next.n = 0;
		for (size_t p = 0; p < old.n; p++)
			cut_part(g, &g->v[i], word, p ? old.v[p - 1] : 0, old.v[p]);
		g->now = g->next;
		g->next = old;
	}
	*end = g->now.v;
	return g->now.n;
}

bool
glossaries_keep(struct glossaries *g, const char *part, size_t n)
{
	regmatch_t m;

	return g->n && match(g, &g->whole, bpe_glossary_terminated(g, part, n), 0, &m);
}
