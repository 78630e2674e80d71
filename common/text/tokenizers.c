/* tokenizers: sacreBLEU's 13a, zh, intl and char; see tokenizers.h. */
#include "text/tokenizers.h"

#include <stdbool.h>
#include <string.h>

#include "base/utf8.h"
#include "text/tokenize-western.h"
#include "text/unicode.h"

bool
tokenizer_unspaced(const char *s, size_t n)
{
	/* Thai, kana, Chinese characters, Hangul; their punctuation and full-width forms. */
	static const int32_t range[][2] = {
		{ 0x0e00, 0x0e7f }, { 0x3000, 0x9fff }, { 0xac00, 0xd7a3 }, { 0xf900, 0xfaff },
		{ 0xff00, 0xffef }, { 0x20000, 0x3ffff }
	};
	size_t all = 0, found = 0, len;

	for (size_t i = 0; i < n; i += len) {
		const int32_t c = utf8_next(s + i, n - i, &len);

		if (unicode_python_space(c))
			continue;
		all++;
		found += unicode_in(c, range, sizeof(range) / sizeof(*range));
	}
	return all && found >= all - found;
}

void
tokenize_rstrip(const char *s, size_t n, struct buf *out)
{
	size_t len;

	while (n > 0) {		/* from the end, because few characters are removed */
		size_t at = n - 1;

		while (at > 0 && ((unsigned char)s[at] & 0xc0) == 0x80)
			at--;
		if (!unicode_python_space(utf8_next(s + at, n - at, &len)))
			break;
		n = at;
	}
	buf_add(out, s, n);
}

void
tokenize_squeeze(const char *s, size_t n, struct buf *out)
{
	size_t start = 0, len;
	int first = 1;

	for (size_t i = 0; i <= n; i += len) {
		if (i < n && !unicode_python_space(utf8_next(s + i, n - i, &len)))
			continue;
		if (i == n)
			len = 1;
		if (i > start) {
			if (!first)
				buf_add_char(out, ' ');
			buf_add(out, s + start, i - start);
			first = 0;
		}
		start = i + len;
	}
}

void
tokenize_none(const char *s, size_t n, struct buf *out)
{
	tokenize_rstrip(s, n, out);
}

/* --- intl, which is mteval-v14's international tokenization, and char --- */

/* The number of ASCII letters, digits and spaces at s, which make up most of a line. */
static size_t
plain_run(const char *s, size_t n)
{
	size_t i = 0;

	while (i < n && ((s[i] >= 'a' && s[i] <= 'z') || (s[i] >= 'A' && s[i] <= 'Z') ||
			 (s[i] >= '0' && s[i] <= '9') || s[i] == ' '))
		i++;
	return i;
}

/*
 * Applies one of the two rules for pairs of adjacent characters: the punctuation mark of a pair
 * gets spaces on both sides.  Matches do not overlap: both characters are used up.
 */
static void
split_pairs(const struct buf *text, struct buf *out, int punctuation_first)
{
	size_t len, next_len;

	for (size_t i = 0; i < text->n; i += len) {
		unsigned c, d;

		len = plain_run(text->data + i, text->n - i);
		if (len > 1) {	/* all but the last one, which punctuation may follow */
			buf_add(out, text->data + i, --len);
			continue;
		}
		c = unicode_classes(utf8_next(text->data + i, text->n - i, &len));
		if (i + len == text->n) {
			buf_add(out, text->data + i, len);
			break;
		}
		d = unicode_classes(utf8_next(text->data + i + len, text->n - i - len, &next_len));
		if (punctuation_first && (c & UNICODE_PUNCTUATION) && !(d & UNICODE_NUMBER)) {
			buf_add_char(out, ' ');
			buf_add(out, text->data + i, len);
			buf_add_char(out, ' ');
			buf_add(out, text->data + i + len, next_len);
			len += next_len;
		} else if (!punctuation_first && !(c & UNICODE_NUMBER) &&
			   (d & UNICODE_PUNCTUATION)) {
			buf_add(out, text->data + i, len);
			buf_add_char(out, ' ');
			buf_add(out, text->data + i + len, next_len);
			buf_add_char(out, ' ');
			len += next_len;
		} else {
			buf_add(out, text->data + i, len);
		}
	}
}

static void
split_symbols(const struct buf *text, struct buf *out)
{
	size_t len;

	for (size_t i = 0; i < text->n; i += len) {
		int symbol;

		len = plain_run(text->data + i, text->n - i);
		if (len) {
			buf_add(out, text->data + i, len);
			continue;
		}
		symbol = unicode_classes(utf8_next(text->data + i, text->n - i, &len)) &
			 UNICODE_SYMBOL;
		if (symbol)
			buf_add_char(out, ' ');
		buf_add(out, text->data + i, len);
		if (symbol)
			buf_add_char(out, ' ');
	}
}

void
tokenize_intl(const char *s, size_t n, struct buf *out)
{
	struct buf a = { 0 }, b = { 0 };

	tokenize_rstrip(s, n, &a);
	split_pairs(&a, &b, 0);
	buf_clear(&a);
	split_pairs(&b, &a, 1);
	buf_clear(&b);
	split_symbols(&a, &b);
	tokenize_squeeze(b.data, b.n, out);
	buf_release(&a);
	buf_release(&b);
}

void
tokenize_char(const char *s, size_t n, struct buf *out)
{
	struct buf a = { 0 };
	size_t len;

	tokenize_rstrip(s, n, &a);
	for (size_t i = 0; i < a.n; i += len) {
		utf8_next(a.data + i, a.n - i, &len);
		if (i)
			buf_add_char(out, ' ');
		buf_add(out, a.data + i, len);
	}
	buf_release(&a);
}

/*
 * --- 13a and zh ---
 *
 * Both end with mteval-v13a's rules for Western languages.  All character classes in these rules
 * are ASCII, so they can be applied to bytes.
 */

static bool
tokenize_13a_is_digit(int c)
{
	return c >= '0' && c <= '9';
}

static bool
tokenize_13a_is_point(char c)
{
	return c == '.' || c == ',';
}

/* { to ~, [ to `, space to &, ( to +, : to @, and / */
bool
western_apart(char c)
{
	return (c >= '{' && c <= '~') || (c >= '[' && c <= '`') || (c >= ' ' && c <= '&') ||
	       (c >= '(' && c <= '+') || (c >= ':' && c <= '@') || c == '/';
}

/*
 * The length of the white space character at s, or 0.  Non-ASCII ones have one of four first
 * bytes.
 */
static size_t
space(const char *s, size_t n)
{
	const unsigned char c = (unsigned char)*s;
	size_t len;

	if (c < 0x80)
		return c == ' ' || (c >= '\t' && c <= '\r') || (c >= 0x1c && c <= 0x1f);
	if (c != 0xc2 && (c < 0xe1 || c > 0xe3))
		return 0;
	return unicode_python_space(utf8_next(s, n, &len)) ? len : 0;
}

/*
 * mteval applies four rules to the whole line, one after another; here they take one pass:
 *
 *   1. a space on both sides of every symbol
 *   2. "xP" -> "x P " for a point P (period or comma) after a non-digit x
 *   3. "Px" -> " P x" for a point P before a non-digit x
 *   4. "d-" -> "d - " after a digit d
 *
 * Matches of a rule do not overlap.  A point that was the P of rule 2 is used up and cannot be
 * the x of the next point.  Of several points in sequence, the treatment of each therefore
 * depends on whether the one before it is used up.
 */
struct western {
	char *to;
	bool space;	/* a space is needed before the next character, if any was written */
	bool any;	/* a character was written */
	int before;	/* the last byte of the previous character, -1 at the start */
	bool used;	/* the previous character was the P of rule 2 */
};

static void
tokenize_13a_put(struct western *w, char c, bool spaced)
{
	if ((spaced || w->space) && w->any)
		*w->to++ = ' ';
	*w->to++ = c;
	w->any = true;
	w->space = spaced;
	w->before = (unsigned char)c;
	w->used = false;
}

/* Writes one or two points and returns their number. */
static size_t
tokenize_13a_put_point(struct western *w, const char *s, size_t n, bool space_at_end)
{
	if (w->before >= 0 && !tokenize_13a_is_digit(w->before) && !w->used) {	/* rule 2,
									      as its P */
		tokenize_13a_put(w, *s, true);
		w->used = true;
		return 1;
	}
	if (n > 1 && tokenize_13a_is_point(s[1])) {	/* rule 2,
						   as its x; rule 3 matches the space after it */
		tokenize_13a_put(w, s[0], true);
		tokenize_13a_put(w, s[1], true);
		w->used = true;
		return 2;
	}
	tokenize_13a_put(w, *s,
			 n > 1 ? !tokenize_13a_is_digit(s[1]) : space_at_end);	/* rule 3 or none */
	return 1;
}

/* Letters, digits, and bytes that no rule matches and no white space starts with. */
static bool
tokenize_13a_is_plain(unsigned char c)
{
	const unsigned char letter = c | 0x20;

	return (letter >= 'a' && letter <= 'z') || tokenize_13a_is_digit(c) || c >= 0xe4 ||
	       (c >= 0x80 && c < 0xe1 && c != 0xc2);
}

/* Writes a sequence of plain characters and returns its length. */
static size_t
put_run(struct western *w, const char *s, size_t n)
{
	char *to;
	size_t i = 1;

	tokenize_13a_put(w, *s, false);
	for (to = w->to; i < n && tokenize_13a_is_plain((unsigned char)s[i]); i++)
		*to++ = s[i];
	w->to = to;
	w->before = (unsigned char)s[i - 1];
	return i;
}

void
western(const char *s, size_t n, bool padded, struct buf *out)
{
	struct western w = { .to = buf_room(out, 2 * n + 1), .before = padded ? ' ' : -1 };
	size_t len;

	for (size_t i = 0; i < n; i += len) {
		const char c = s[i];

		len = 1;
		if (tokenize_13a_is_plain((unsigned char)c)) {
			len = put_run(&w, s + i, n - i);
		} else if (tokenize_13a_is_point(c)) {
			len = tokenize_13a_put_point(&w, s + i, n - i, padded);
		} else if (space(s + i, n - i)) {
			len = space(s + i, n - i);
			w.space = true;
			w.before = ' ';
			w.used = false;
		} else {
			tokenize_13a_put(&w, c, western_apart(c) ||
					 (c == '-' && tokenize_13a_is_digit(w.before)));
		}
	}
	*w.to = '\0';
	out->n = (size_t)(w.to - out->data);
}

void
western_replace(struct buf *text, struct buf *scratch, const char *old, const char *new)
{
	const size_t n_old = strlen(old);
	struct buf from = *text;

	buf_clear(scratch);
	for (size_t i = 0; i < from.n; i++) {
		if (from.n - i >= n_old && !memcmp(from.data + i, old, n_old)) {
			buf_add_str(scratch, new);
			i += n_old - 1;
		} else {
			buf_add_char(scratch, from.data[i]);
		}
	}
	*text = *scratch;
	*scratch = from;
}

/* Removes <skipped> and replaces four entities, in this order, so that &amp;lt; becomes <. */
static void
tokenize_13a_undo_markup(const char *s, size_t n, struct buf *out)
{
	static const char *const rule[][2] = {
		{ "<skipped>", "" }, { "&quot;", "\"" }, { "&amp;", "&" }, { "&lt;", "<" },
		{ "&gt;", ">" }
	};
	struct buf scratch = { 0 };

	buf_add(out, s, n);
	for (size_t i = 0; i < sizeof(rule) / sizeof(rule[0]); i++)
		western_replace(out, &scratch, rule[i][0], rule[i][1]);
	buf_release(&scratch);
}

void
tokenize_13a(const char *s, size_t n, struct buf *out)
{
	struct buf plain = { 0 };

	if (n && (memchr(s, '&', n) || memchr(s, '<', n))) {
		tokenize_13a_undo_markup(s, n, &plain);
		s = plain.data;
		n = plain.n;
	}
	western(s, n, true, out);
	buf_release(&plain);
}

/*
 * The characters that sacreBLEU's zh treats as Chinese.  Its table has two entries with five
 * hexadecimal digits, which Python reads as a character and a digit.  The first of them therefore
 * means U+2001 to U+2A6D (punctuation and symbols).
 */
static bool
is_chinese(int32_t c)
{
	static const int32_t range[][2] = {
		{ 0x2001, 0x2a6d }, { 0x2e80, 0x2fdf }, { 0x2ff0, 0x303f }, { 0x3100, 0x312f },
		{ 0x31a0, 0x31bf }, { 0x31c0, 0x31ef }, { 0x3200, 0x33ff }, { 0x3400, 0x4db5 },
		{ 0x4e00, 0x9fbb }, { 0xf900, 0xfa2d }, { 0xfa30, 0xfa6a }, { 0xfa70, 0xfad9 },
		{ 0xfe10, 0xfe1f }, { 0xfe30, 0xfe4f }, { 0xff00, 0xffef }
	};

	return unicode_in(c, range, sizeof(range) / sizeof(range[0]));
}

/* Unlike 13a, the line is not padded with spaces: a period at its start is not split. */
void
tokenize_zh(const char *s, size_t n, struct buf *out)
{
	struct buf a = { 0 }, b = { 0 };
	size_t len, i = 0;

	tokenize_rstrip(s, n, &b);
	while (i < b.n && unicode_python_space(utf8_next(b.data + i, b.n - i, &len)))
		i += len;
	for (; i < b.n; i += len) {
		const bool chinese = is_chinese(utf8_next(b.data + i, b.n - i, &len));

		if (chinese)
			buf_add_char(&a, ' ');
		buf_add(&a, b.data + i, len);
		if (chinese)
			buf_add_char(&a, ' ');
	}
	western(a.data, a.n, false, out);
	buf_release(&a);
	buf_release(&b);
}
