/* sentences: see sentences.h. */
#include <stdbool.h>
#include <string.h>

#include "base/utf8.h"
#include "text/lowercase.h"
#include "text/sentences.h"
#include "text/unicode.h"

/* Abbreviations, whose period rarely ends a sentence: lowercase, each between spaces. */
static const struct { const char *lang, *words; } abbreviations[] = {
	{ "en", " mr mrs ms dr prof st vs etc eg ie no fig nos vol pp cf approx ca incl resp min "
		"max jan feb mar apr jun jul aug sep sept oct nov dec inc ltd corp dept ext " },
	{ "de", " bzw bspw ca dr evtl ggf inkl max min mind nr prof sog st str tel usw vgl zb ua "
		"etc abb bez allg entspr gem geb jh lfd od off resp ugs vorl zzgl zz abs art bd "
		"hrsg insb sek std " },
	{ "cs", " apod atd atp cca č čl ing např mj napr obr odst popř příp resp str tj tzn tzv "
		"viz zvl kap max min " },
	{ "fr", " cf etc ex fig m mm mme p pp env max min no vol chap art " },
	{ "ru", " т е д п им г гг ул см рис напр стр табл др пр тыс млн руб англ макс мин " },
	{ "tr", " vb vs örn bkz dr prof no sn yy mad maks min çev " },
	{ "vi", " v vd tp ts ths gs " },
};

/* The abbreviations of a language, with or without a region, as in "en-gb"; NULL if none. */
static const char *
abbreviations_of(const char *lang)
{
	const size_t n = strcspn(lang, "-");

	for (size_t i = 0; i < sizeof(abbreviations) / sizeof(*abbreviations); i++)
		if (strlen(abbreviations[i].lang) == n && !memcmp(abbreviations[i].lang, lang, n))
			return abbreviations[i].words;
	return NULL;
}

static bool
is_abbreviation(const char *lang, const char *word, size_t n)
{
	const char *words = abbreviations_of(lang);
	struct buf key = { 0 };
	bool found;

	if (!words)
		return false;
	buf_add_char(&key, ' ');
	lowercase(word, n, &key);
	buf_add_char(&key, ' ');
	found = strstr(words, key.data);
	buf_release(&key);
	return found;
}

static bool
is_quote(int32_t c)
{
	return (c > 0 && c < 0x80 && strchr("\"')]}", c)) || c == 0xab || c == 0xbb ||
	       (c >= 0x2018 && c <= 0x201f) || c == 0x2039 || c == 0x203a ||
	       (c >= 0x3008 && c <= 0x3011 && c & 1) || c == 0xff09 || c == 0xff3d;
}

static bool
sentences_opens(int32_t c)
{
	return is_quote(c) || c == '(' || c == '[' || c == '{' || c == 0xbf || c == 0xa1 ||
	       (c >= 0x3008 && c <= 0x3011) || c == 0xff08 || c == 0xff3b;
}

/* Can a sentence end with the period after s[0..at)?  Depends on the word before it. */
static bool
word_may_end(const char *lang, const char *s, size_t at)
{
	size_t from = at, i, letters = 0, len;
	bool digits = true;

	while (from && s[from - 1] != ' ')
		from--;
	while (from < at && sentences_opens(utf8_next(s + from, at - from, &len)))
		from += len;
	for (i = from; i < at; i += len, letters++) {
		int32_t c = utf8_next(s + i, at - i, &len);

		if (c == '.' && i + len < at && s[i + len] != '.' && letters)
			return false;
		digits = digits && c >= '0' && c <= '9';
	}
	if (letters == 0)
		return true;
	return letters > 1 && !digits && !is_abbreviation(lang, s + from, at - from);
}

/* Can a sentence start at s?  Not if its first character after opening quotes is lowercase. */
static bool
may_begin(const char *s, size_t n)
{
	size_t len;

	for (; n; s += len, n -= len) {
		int32_t c = utf8_next(s, n, &len);

		if (!sentences_opens(c))
			return !(unicode_classes(c) & UNICODE_LOWER) && c != '-' && c != 0x2013;
	}
	return false;
}

static bool
is_wide_stop(int32_t c)
{
	return c == 0x3002 || c == 0xff01 || c == 0xff1f;
}

static bool
is_stop(int32_t c)
{
	return c == '.' || c == '!' || c == '?' || c == 0x2026;
}

/* The length of the first sentence in s, with its closing quotes. */
static size_t
sentence_end(const char *lang, const char *s, size_t n)
{
	size_t i = 0, len;

	while (i < n) {
		int32_t c = utf8_next(s + i, n - i, &len);
		size_t stop = i;
		bool wide = is_wide_stop(c), full = c == '.';

		i += len;
		if (!wide && !is_stop(c))
			continue;
		while (i < n && (c = utf8_next(s + i, n - i, &len),
				 is_stop(c) || is_wide_stop(c) || is_quote(c))) {
			full = full && !is_stop(c);
			i += len;
		}
		if (i >= n || wide)
			return i;
		if (s[i] == ' ' && may_begin(s + i + 1, n - i - 1) &&
		    (!full || word_may_end(lang, s, stop)))
			return i;
	}
	return n;
}

size_t
sentences_cut(const char *lang, const char *s, size_t n, struct span *out, size_t room)
{
	size_t at = 0, k = 0;

	while (at < n) {
		size_t len = k + 1 == room ? n - at : sentence_end(lang, s + at, n - at);

		out[k].at = at;
		out[k++].n = len;
		at += len;
		while (at < n && s[at] == ' ')
			at++;
	}
	return k;
}

/*
 * Do a and b have similar shares, within a factor of 2.5?  10 bytes are added to both, because
 * short sentences vary more.
 */
static bool
similar(const struct span *a, size_t a_n, const struct span *b, size_t b_n)
{
	double x = (double)(a->n + 10) / (double)a_n, y = (double)(b->n + 10) / (double)b_n;

	return x < 2.5 * y && y < 2.5 * x;
}

size_t
sentences_cut_alike(const char *const *lang, const char *const *s, const size_t *n, int sides,
		    struct span *out, size_t room)
{
	const size_t many = sentences_cut(lang[0], s[0], n[0], out, room);
	bool alike = many < room;

	for (int k = 1; alike && k < sides; k++) {
		const struct span *other = out + (size_t)k * room;

		alike = sentences_cut(lang[k], s[k], n[k], out + (size_t)k * room, room) == many;
		for (size_t i = 0; alike && i < many; i++)
			alike = similar(&out[i], n[0], &other[i], n[k]);
	}
	if (alike)
		return many;
	for (int k = 0; k < sides; k++)
		out[(size_t)k * room] = (struct span){ 0, n[k] };
	return 1;
}
