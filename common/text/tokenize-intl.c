/*
 * tokenize-intl: sacreBLEU's intl, which is mteval-v14's international tokenization, and char;
 * see tokenizers.h.
 */
#include "base/utf8.h"
#include "text/tokenizers.h"
#include "text/unicode.h"

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
