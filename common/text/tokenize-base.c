/* tokenize-base: finds tokenizers by name, and has what they share; see tokenizers.h. */
#include <string.h>

#include "base/utf8.h"
#include "text/tokenizers.h"
#include "text/unicode.h"

static const struct { const char *name; tokenizer *tokenize; } by_name[] = {
	{ "13a", tokenize_13a }, { "intl", tokenize_intl }, { "zh", tokenize_zh },
	{ "char", tokenize_char }, { "none", tokenize_none }
};

tokenizer *
tokenizer_find(const char *name)
{
	for (size_t i = 0; i < sizeof(by_name) / sizeof(by_name[0]); i++)
		if (!strcmp(name, by_name[i].name))
			return by_name[i].tokenize;
	return NULL;
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
