/*
 * moses-detokenize: see moses.h.
 *
 * For each word, the rules decide whether there is a space before it, and whether there may be
 * one after it.  The cases have the order of detokenizer.perl.
 */
#include <string.h>

#include "base/mem.h"
#include "text/moses-internal.h"

#define LOW_QUOTE 0x201e		/* the opening quotation mark of German and Czech */
#define HIGH_QUOTE 0x201c		/* their closing quotation mark */
#define DASH 0x2013

/* The state of a line: the words and the text so far. */
struct line {
	struct moses *m;
	const int32_t *c;		/* the characters of the words */
	size_t n, i;			/* number of words, current word */
	struct chars *out;
	bool space;			/* may there be a space before the next word? */
};

static bool
starts(const int32_t *c, size_t n, const char *text)
{
	size_t i;

	for (i = 0; i < n && text[i]; i++)
		if (c[i] != text[i])
			return false;
	return !text[i];
}

/* Replaces " @-@ " by a hyphen and entities by characters. */
static void
moses_detokenize_unescape(const struct chars *a, struct chars *b)
{
	b->n = 0;
	for (size_t i = 0; i < a->n; i++) {
		size_t len = 1;
		int32_t c = a->c[i];

		if (c == ' ' && starts(a->c + i, a->n - i, " @-@ ")) {
			c = '-';
			len = 5;
		}
		for (const struct moses_entity *e = moses_entities; c == '&' && e->text; e++)
			if (starts(a->c + i, a->n - i, e->text)) {
				c = e->c;
				len = strlen(e->text);
				break;
			}
		chars_add(b, c);
		i += len - 1;
	}
}

/* Splits at every space; an empty word between two spaces counts, one at the end does not. */
static size_t
split_words(struct moses *m, const struct chars *a)
{
	size_t start = 0, n = 0;

	for (size_t i = 0; i <= a->n; i++) {
		if (i < a->n && a->c[i] != ' ')
			continue;
		m->words = mem_grow(m->words, &m->words_room, n + 1, sizeof(*m->words));
		m->words[n++] = (struct moses_word){ start, i - start };
		start = i + 1;
	}
	while (n && !m->words[n - 1].n)
		n--;
	return n;
}

static const int32_t *
word(const struct line *l, size_t i, size_t *n)
{
	*n = l->m->words[i].n;
	return l->c + l->m->words[i].at;
}

static int32_t
moses_detokenize_first_of(const struct line *l, size_t i)
{
	return i < l->n && l->m->words[i].n ? l->c[l->m->words[i].at] : -1;
}

static int32_t
last_of(const struct line *l, size_t i)
{
	return i < l->n && l->m->words[i].n ? l->c[l->m->words[i].at + l->m->words[i].n - 1] : -1;
}

static bool
is_language(const struct line *l, const char *name)
{
	return !strcmp(l->m->language, name);
}

static bool
one_of(int32_t c, const char *set)
{
	return c > 0 && c < 0x80 && strchr(set, (int)c);
}

static bool
moses_detokenize_opens(int32_t c)
{
	return one_of(c, "([{") || c == 0xbf || c == 0xa1 || moses_is(c, UNICODE_CURRENCY);
}

static bool
closes(int32_t c)
{
	return one_of(c, ",.?!:;\\%}])");
}

static bool
quotes(int32_t c)
{
	return one_of(c, "'\"`") || c == LOW_QUOTE || c == HIGH_QUOTE;
}

static bool
moses_detokenize_is_digit(int32_t c)
{
	return c >= '0' && c <= '9';
}

/* Does the word have characters, and all of them this property? */
static bool
all(const struct line *l, size_t i, bool (*has)(int32_t))
{
	size_t n;
	const int32_t *c = word(l, i, &n);

	for (size_t k = 0; k < n; k++)
		if (!has(c[k]))
			return false;
	return n > 0;
}

static bool
is_point(const struct line *l, size_t i)
{
	return l->m->words[i].n == 1 && one_of(moses_detokenize_first_of(l, i), ".,");
}

/* Czech "-li" and "e-mail": li, or anything that starts with mail. */
static bool
is_dashed(const struct line *l, size_t i)
{
	size_t n;
	const int32_t *c = word(l, i, &n);
	char lower[4];

	for (size_t k = 0; k < 4; k++)
		lower[k] = k >= n || c[k] >= 0x80 ? '\0' :
			   (char)(c[k] >= 'A' && c[k] <= 'Z' ? c[k] + 32 : c[k]);
	return (n == 2 && !memcmp(lower, "li", 2)) || (n >= 4 && !memcmp(lower, "mail", 4));
}

static void
moses_detokenize_put(struct line *l, size_t i, bool space_before, bool space_after)
{
	size_t n;
	const int32_t *c = word(l, i, &n);

	if (space_before && l->space)
		chars_add(l->out, ' ');
	chars_append(l->out, c, n);
	l->space = space_after;
}

/* The number of this kind of quotation mark; low and high ones count as ". */
static int
quote_kind(struct line *l)
{
	size_t n;
	const int32_t *c = word(l, l->i, &n);
	struct moses *m = l->m;
	bool curly = true;
	int id;

	for (size_t k = 0; k < n; k++)
		curly &= c[k] == LOW_QUOTE || c[k] == HIGH_QUOTE;
	buf_clear(&m->word);
	if (curly)
		buf_add_char(&m->word, '"');
	else
		chars_write(c, n, &m->word);
	id = strmap_add(&m->quotes, m->word.data, m->word.n);
	if ((size_t)id >= m->opened_room || !m->opened) {
		const size_t old_room = m->opened_room;

		m->opened = mem_grow(m->opened, &m->opened_room, (size_t)id + 1, 1);
		memset(m->opened + old_room, 0, m->opened_room - old_room);
	}
	return id;
}

/* Quotation marks alternate between opening and closing. */
static void
put_quote(struct line *l)
{
	const int id = quote_kind(l);
	unsigned char *open = &l->m->opened[id];
	const int32_t c = l->m->words[l->i].n == 1 ? moses_detokenize_first_of(l, l->i) : 0;

	if (is_language(l, "cs") && c == LOW_QUOTE)
		*open = 0;
	if (is_language(l, "cs") && c == HIGH_QUOTE)
		*open = 1;
	if (*open) {
		moses_detokenize_put(l, l->i, false, true);
		*open = 0;
	} else if (is_language(l, "en") && c == '\'' && l->i > 0 && last_of(l, l->i - 1) == 's') {
		moses_detokenize_put(l, l->i, false, true);	/* the Jones' house */
	} else {
		moses_detokenize_put(l, l->i, true, false);
		*open = 1;
	}
}

/* Applies the rules of a language; false if none of them matches. */
static bool
put_by_language(struct line *l)
{
	const size_t i = l->i;
	size_t n;
	const int32_t *c = word(l, i, &n);

	if (is_language(l, "en") && i > 0 && n > 1 && c[0] == '\'' &&
	    moses_is(c[1], UNICODE_ALPHA) && moses_is(last_of(l, i - 1), UNICODE_ALNUM)) {
		moses_detokenize_put(l, i, false, true);
	} else if (is_language(l, "cs") && i > 1 && all(l, i - 2, moses_detokenize_is_digit) &&
		   is_point(l, i - 1) &&
		   all(l, i, moses_detokenize_is_digit)) {
		moses_detokenize_put(l, i, false, true);
	} else if ((is_language(l, "fr") || is_language(l, "it")) && i + 2 <= l->n && n > 1 &&
		   c[n - 1] == '\'' && moses_is(c[n - 2], UNICODE_ALPHA) &&
		   moses_is(moses_detokenize_first_of(l, i + 1), UNICODE_ALPHA)) {
		moses_detokenize_put(l, i, true, false);
	} else if (is_language(l, "cs") && i + 3 < l->n &&
		   moses_is(last_of(l, i), UNICODE_ALPHA) && l->m->words[i + 1].n == 1 &&
		   (moses_detokenize_first_of(l, i + 1) == '-' ||
		    moses_detokenize_first_of(l, i + 1) == DASH) &&
		   is_dashed(l, i + 2)) {
		moses_detokenize_put(l, i, true, false);
		moses_detokenize_put(l, ++l->i, false, false);
	} else {
		return false;
	}
	return true;
}

static void
put_next(struct line *l)
{
	const size_t i = l->i;

	if (unicode_cjk(moses_detokenize_first_of(l, i))) {
		const bool join = i > 0 && unicode_cjk(last_of(l, i - 1)) &&
				  !is_language(l, "ko");

		moses_detokenize_put(l, i, !join, true);
	} else if (all(l, i, moses_detokenize_opens)) {
		moses_detokenize_put(l, i, true, false);
	} else if (all(l, i, closes)) {
		if (is_language(l, "fr") && l->m->words[i].n == 1 &&
		    one_of(moses_detokenize_first_of(l, i), "?!:;\\%"))
			chars_add(l->out, ' ');
		moses_detokenize_put(l, i, false, true);
	} else if (put_by_language(l)) {
		;
	} else if (all(l, i, quotes)) {
		put_quote(l);
	} else {
		moses_detokenize_put(l, i, true, true);
	}
}

/* A line that starts with < and ends with > is taken for an XML tag and copied unchanged. */
static bool
is_tag(const char *s, size_t n)
{
	return n > 2 && s[0] == '<' && s[n - 1] == '>';
}

void
moses_detokenize(struct moses *m, const char *s, size_t n, struct buf *out)
{
	struct chars padded = { NULL, 0, 0 };
	struct line l = { .m = m, .space = true };

	if (moses_is_blank(s, n) || is_tag(s, n)) {
		buf_add(out, s, n);
		return;
	}
	chars_read(&m->b, s, n);
	chars_add(&padded, ' ');
	chars_append(&padded, m->b.c, m->b.n);
	chars_add(&padded, ' ');
	moses_detokenize_unescape(&padded, &m->a);
	l.n = split_words(m, &m->a);
	l.c = m->a.c;
	l.out = &padded;
	padded.n = 0;
	strmap_clear(&m->quotes);
	if (m->opened)
		memset(m->opened, 0, m->opened_room);
	for (l.i = 0; l.i < l.n; l.i++)
		put_next(&l);
	chars_squeeze(&padded);
	chars_write(padded.c, padded.n, out);
	chars_release(&padded);
}
