/* tokenize-tercom: Tercom's tokenizer, as in sacreBLEU; see tokenizers.h. */
#include <string.h>

#include "base/utf8.h"
#include "text/lowercase.h"
#include "text/tokenizers.h"
#include "text/tokenize-western.h"
#include "text/unicode.h"

/* The possessive "'s" at the end of a word, or before punctuation, gets a space before it. */
static void
split_possessives(const struct buf *text, struct buf *out)
{
	const char *s = text->data;

	for (size_t i = 0; i < text->n; i++) {
		if (s[i] == '\'' && i + 1 < text->n && s[i + 1] == 's' &&
		    (i + 2 == text->n || western_apart(s[i + 2])))
			buf_add_char(out, ' ');
		buf_add_char(out, s[i]);
	}
}

/*
 * Tercom's characters that become words of their own, by Unicode block.  The block of enclosed
 * characters ends at U+3F22 in sacreBLEU.  Its rules for kana apply only at the beginning of a
 * line, where the tokenizer has put a space, so they never apply.
 */
static bool
is_asian(int32_t c)
{
	static const int32_t range[][2] = {
		{ 0x2e80, 0x2eff }, { 0x31c0, 0x31ef }, { 0x3200, 0x3f22 }, { 0x3400, 0x4dbf },
		{ 0x4e00, 0x9fff }, { 0xf900, 0xfaff }, { 0xfe30, 0xfe4f },
	};

	return unicode_in(c, range, sizeof(range) / sizeof(range[0]));
}

static bool
is_asian_punctuation(int32_t c)
{
	static const int32_t range[][2] = {
		{ 0x3001, 0x3002 }, { 0x3008, 0x3011 }, { 0x3014, 0x301f }, { 0x30fb, 0x30fb },
		{ 0xff01, 0xff02 }, { 0xff08, 0xff09 }, { 0xff0c, 0xff0c }, { 0xff0e, 0xff0e },
		{ 0xff1a, 0xff1b }, { 0xff1f, 0xff1f }, { 0xff61, 0xff65 },
	};

	return unicode_in(c, range, sizeof(range) / sizeof(range[0]));
}

static bool
is_punctuation(int32_t c)
{
	return c > 0 && c < 0x80 && strchr(".,?:;!\"()", (char)c);
}

/* Separates Asian characters and removes punctuation, as t demands. */
static void
filter(const struct tercom *t, const struct buf *text, struct buf *out)
{
	size_t len;

	for (size_t i = 0; i < text->n; i += len) {
		const int32_t c = utf8_next(text->data + i, text->n - i, &len);
		const bool mark = t->asian_support && is_asian_punctuation(c);
		const bool apart = t->asian_support && t->normalized && (mark || is_asian(c));

		if (apart)
			buf_add_char(out, ' ');
		if (!(t->no_punct && (mark || is_punctuation(c))))
			buf_add(out, text->data + i, len);
		if (apart)
			buf_add_char(out, ' ');
	}
}

/* Joins words at line ends, which only a field of a stream can have, and replaces entities. */
static void
undo_markup(struct buf *text, struct buf *scratch)
{
	static const char *const rule[][2] = {
		{ "\n-", "" }, { "\n", " " }, { "&quot;", "\"" }, { "&amp;", "&" },
		{ "&lt;", "<" }, { "&gt;", ">" }
	};

	for (size_t i = 0; i < sizeof(rule) / sizeof(rule[0]); i++)
		western_replace(text, scratch, rule[i][0], rule[i][1]);
}

void
tokenize_tercom(const struct tercom *t, const char *s, size_t n, struct buf *out)
{
	struct buf a = { 0 }, b = { 0 };

	tokenize_rstrip(s, n, &a);
	if (!t->case_sensitive) {
		lowercase(a.data ? a.data : "", a.n, &b);
		buf_clear(&a);
		buf_add(&a, b.data ? b.data : "", b.n);
		buf_clear(&b);
	}
	if (t->normalized) {
		undo_markup(&a, &b);
		buf_clear(&b);
		split_possessives(&a, &b);
		buf_clear(&a);
		western(b.data ? b.data : "", b.n, true, &a);
		buf_clear(&b);
	}
	filter(t, &a, &b);
	tokenize_squeeze(b.data, b.n, out);
	buf_release(&a);
	buf_release(&b);
}
