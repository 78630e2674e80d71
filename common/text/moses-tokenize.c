/*
 * moses-tokenize: see moses.h.
 *
 * Each rule is one pass over the whole line, in the order of tokenizer.perl.  Where the script
 * uses a regular expression, matches do not overlap, and so it is here.
 */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/utf8.h"
#include "text/moses-internal.h"

#define DOTS 0x110000		/* DOTS + k encodes k periods; it is above all code points */

static bool
is_letter(int32_t c)
{
	return c < DOTS && moses_is(c, UNICODE_ALPHA);
}

static bool
moses_tokenize_is_number(int32_t c)
{
	return c < DOTS && moses_is(c, UNICODE_NUMBER);
}

bool
moses_is_blank(const char *s, size_t n)
{
	size_t len;

	for (size_t i = 0; i < n; i += len)
		if (!moses_is(utf8_next(s + i, n - i, &len), UNICODE_SPACE))
			return false;
	return true;
}

/* Replaces white space by single spaces and removes other control characters. */
static void
moses_tokenize_clean(struct chars *a)
{
	size_t m = 0;

	for (size_t i = 0; i < a->n; i++)
		if (moses_is(a->c[i], UNICODE_SPACE))
			a->c[m++] = ' ';
		else if (a->c[i] >= 0x20)
			a->c[m++] = a->c[i];
	a->n = m;
	chars_squeeze(a);
}

enum script { OTHER, IDEOGRAPH, HIRAGANA, KATAKANA };

static enum script
script_of(int32_t c)
{
	if ((c >= 0x3400 && c <= 0x9fff) || (c >= 0xf900 && c <= 0xfaff) ||
	    (c >= 0x20000 && c <= 0x2ffff) || c == 0x3005 || c == 0x3007)
		return IDEOGRAPH;
	if (c >= 0x3041 && c <= 0x309f)
		return HIRAGANA;
	if ((c >= 0x30a1 && c <= 0x30ff) || (c >= 0x31f0 && c <= 0x31ff) ||
	    (c >= 0xff66 && c <= 0xff9f))
		return KATAKANA;
	return OTHER;
}

/* Inserts spaces where the script changes, and around each ideograph. */
static void
split_scripts(const struct chars *a, struct chars *b)
{
	enum script before = OTHER;

	for (size_t i = 0; i < a->n; i++) {
		const enum script s = script_of(a->c[i]);

		if (i && (s != before || s == IDEOGRAPH))
			chars_add(b, ' ');
		chars_add(b, a->c[i]);
		before = s;
	}
}

static void
split_others(const struct moses *m, const struct chars *a, struct chars *b)
{
	for (size_t i = 0; i < a->n; i++) {
		const int32_t c = a->c[i];

		if (moses_is(c, UNICODE_ALNUM | UNICODE_SPACE) ||
		    (c < 0x80 && strchr(".'`,-", (int)c)) ||
		    (c == ':' && m->word_colons && i + 1 < a->n &&
		     moses_is(a->c[i + 1], UNICODE_LOWER)))
			chars_add(b, c);
		else
			chars_add_spaced(b, c);
	}
}

static void
split_hyphens(const struct chars *a, struct chars *b)
{
	static const int32_t mark[] = { ' ', '@', '-', '@', ' ' };

	for (size_t i = 0; i < a->n; i++) {
		if (a->c[i] == '-' && i > 0 && i + 1 < a->n &&
		    moses_is(a->c[i - 1], UNICODE_ALNUM) && moses_is(a->c[i + 1], UNICODE_ALNUM))
			chars_append(b, mark, 5);
		else
			chars_add(b, a->c[i]);
	}
}

static void
join_dots(const struct chars *a, struct chars *b)
{
	for (size_t i = 0; i < a->n; i++) {
		size_t k = 0;

		while (i + k < a->n && a->c[i + k] == '.')
			k++;
		if (k < 2) {
			chars_add(b, a->c[i]);
			continue;
		}
		chars_add(b, ' ');
		chars_add(b, k < 0x1000000 ? DOTS + (int32_t)k : '.');
		if (i + k < a->n)
			chars_add(b, ' ');
		i += k - 1;
	}
}

static void
split_commas_after(const struct chars *a, struct chars *b)
{
	for (size_t i = 0; i < a->n; i++) {
		chars_add(b, a->c[i]);
		if (i + 1 < a->n && !moses_tokenize_is_number(a->c[i]) && a->c[i + 1] == ',') {
			chars_add_spaced(b, ',');
			i++;
		}
	}
}

static void
split_commas_before(const struct chars *a, struct chars *b)
{
	for (size_t i = 0; i < a->n; i++) {
		if (a->c[i] == ',' && i + 1 < a->n && !moses_tokenize_is_number(a->c[i + 1])) {
			chars_add_spaced(b, ',');
			chars_add(b, a->c[++i]);
		} else if (a->c[i] == ',' && i + 1 == a->n && i > 0 &&
			   moses_tokenize_is_number(a->c[i - 1])) {
			chars_add(b, ' ');
			chars_add(b, ',');
		} else {
			chars_add(b, a->c[i]);
		}
	}
}

enum kind { ANY_BUT_LETTER, NO_LETTER_OR_NUMBER, LETTER, NUMBER, SMALL_S };

static bool
moses_tokenize_is_kind(int32_t c, enum kind k)
{
	switch (k) {
	case ANY_BUT_LETTER: return !is_letter(c);
	case NO_LETTER_OR_NUMBER: return !is_letter(c) && !moses_tokenize_is_number(c);
	case LETTER: return is_letter(c);
	case NUMBER: return moses_tokenize_is_number(c);
	case SMALL_S: return c == 's';
	}
	return false;
}

/*
 * An apostrophe between two kinds of characters gets a space on its left, its right or both
 * sides.
 */
struct apostrophe_rule { enum kind before, after; bool left, right; };

static void
split_apostrophes(const struct apostrophe_rule *r, const struct chars *a, struct chars *b)
{
	for (size_t i = 0; i < a->n; i++) {
		chars_add(b, a->c[i]);
		if (i + 2 >= a->n || a->c[i + 1] != '\'' ||
		    !moses_tokenize_is_kind(a->c[i], r->before) ||
		    !moses_tokenize_is_kind(a->c[i + 2], r->after))
			continue;
		if (r->left)
			chars_add(b, ' ');
		chars_add(b, '\'');
		if (r->right)
			chars_add(b, ' ');
		chars_add(b, a->c[i + 2]);
		i += 2;
	}
}

static void
split_all_apostrophes(const struct chars *a, struct chars *b)
{
	for (size_t i = 0; i < a->n; i++)
		if (a->c[i] == '\'')
			chars_add_spaced(b, '\'');
		else
			chars_add(b, a->c[i]);
}

static void
apostrophes(struct moses *m)
{
	static const struct apostrophe_rule english[] = {
		{ ANY_BUT_LETTER, ANY_BUT_LETTER, true, true },
		{ NO_LETTER_OR_NUMBER, LETTER, true, true },
		{ LETTER, ANY_BUT_LETTER, true, true },
		{ LETTER, LETTER, true, false },
		{ NUMBER, SMALL_S, true, false }
	};
	static const struct apostrophe_rule french[] = {
		{ ANY_BUT_LETTER, ANY_BUT_LETTER, true, true },
		{ ANY_BUT_LETTER, LETTER, true, true },
		{ LETTER, ANY_BUT_LETTER, true, true },
		{ LETTER, LETTER, false, true }
	};
	const struct apostrophe_rule *rule = m->apostrophes == APOSTROPHE_RIGHT ? english : french;
	const size_t n = m->apostrophes == APOSTROPHE_RIGHT ? 5 :
			 m->apostrophes == APOSTROPHE_LEFT ? 4 : 3;

	if (m->apostrophes == APOSTROPHE_APART) {
		m->b.n = 0;
		split_all_apostrophes(&m->a, &m->b);
		chars_swap(&m->a, &m->b);
		return;
	}
	for (size_t i = 0; i < n; i++) {
		m->b.n = 0;
		split_apostrophes(&rule[i], &m->a, &m->b);
		chars_swap(&m->a, &m->b);
	}
}

/*
 * Is the period after a word part of it?  next is the first character of the next word, NULL at
 * the end of the line.
 */
static bool
keeps_period(struct moses *m, const int32_t *word, size_t n, const int32_t *next)
{
	bool period = false, letter = false;
	int id;

	if (!next)
		return false;
	for (size_t i = 0; i < n; i++) {
		period |= word[i] == '.';
		letter |= is_letter(word[i]);
	}
	if ((period && letter) || (*next < DOTS && moses_is(*next, UNICODE_LOWER)))
		return true;
	buf_clear(&m->word);
	chars_write(word, n, &m->word);
	id = strmap_find(&m->prefixes, m->word.data, m->word.n);
	return id >= 0 && (!m->numeric[id] || (*next >= '0' && *next <= '9'));
}

/* Splits periods from the ends of words. */
static void
split_periods(struct moses *m, const struct chars *a, struct chars *b)
{
	size_t n = a->n;

	while (n && a->c[n - 1] == ' ')
		n--;
	for (size_t i = 0; i < n; i++) {
		size_t end = i;

		while (end < n && a->c[end] != ' ')
			end++;
		if (end - i >= 2 && a->c[end - 1] == '.' &&
		    !keeps_period(m, a->c + i, end - 1 - i, end < n ? a->c + end + 1 : NULL)) {
			chars_append(b, a->c + i, end - 1 - i);
			chars_add(b, ' ');
			chars_add(b, '.');
		} else {
			chars_append(b, a->c + i, end - i);
		}
		chars_add(b, ' ');
		i = end;
	}
	chars_squeeze(b);
}

static const char *
moses_tokenize_entity(int32_t c)
{
	switch (c) {
	case '&': return "&amp;";
	case '|': return "&#124;";
	case '<': return "&lt;";
	case '>': return "&gt;";
	case '\'': return "&apos;";
	case '"': return "&quot;";
	case '[': return "&#91;";
	case ']': return "&#93;";
	default: return NULL;
	}
}

static void
write_line(const struct chars *a, bool escape, struct buf *out)
{
	for (size_t i = 0; i < a->n; i++) {
		const char *as = escape ? moses_tokenize_entity(a->c[i]) : NULL;

		if (as) {
			buf_add_str(out, as);
		} else if (a->c[i] >= DOTS) {
			for (int32_t k = a->c[i] - DOTS; k > 0; k--)
				buf_add_char(out, '.');
		} else {
			chars_write(a->c + i, 1, out);
		}
	}
}

/* The rules do not match a period and an apostrophe at the end; Moses adds a space after them. */
static void
split_end(struct chars *a)
{
	if (a->n < 2 || a->c[a->n - 1] != '\'' || a->c[a->n - 2] != '.')
		return;
	a->n -= 2;
	chars_add_spaced(a, '.');
	chars_add(a, '\'');
	chars_add(a, ' ');
}

void
moses_tokenize(struct moses *m, const char *s, size_t n, bool aggressive, bool escape,
	       struct buf *out)
{
	struct chars *const a = &m->a, *const b = &m->b;

	if (moses_is_blank(s, n)) {
		buf_add(out, s, n);
		return;
	}
	chars_read(a, s, n);
	moses_tokenize_clean(a);
	b->n = 0;
	if (m->ideographs) {
		split_scripts(a, b);
		chars_swap(a, b);
		b->n = 0;
	}
	split_others(m, a, b);
	if (aggressive) {
		a->n = 0;
		split_hyphens(b, a);
		chars_swap(a, b);
	}
	a->n = 0;
	join_dots(b, a);
	b->n = 0;
	split_commas_after(a, b);
	a->n = 0;
	split_commas_before(b, a);
	apostrophes(m);
	b->n = 0;
	split_periods(m, a, b);
	split_end(b);
	write_line(b, escape, out);
}
