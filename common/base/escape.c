/* escape: see escape.h. */
#include "base/escape.h"

#include <stdbool.h>
#include <string.h>

#include "base/utf8.h"

enum { ESCAPED = 5 };	/* room for \xNN */

static const char *
escaped_byte(unsigned char c, char text[ESCAPED])
{
	static const char named[] = "\tt\nn\rr";

	for (const char *p = named; *p; p += 2)
		if ((unsigned char)*p == c) {
			snprintf(text, ESCAPED, "\\%c", p[1]);
			return text;
		}
	snprintf(text, ESCAPED, "\\x%02x", (unsigned)c);
	return text;
}

static bool
needs_no_escape(int32_t c)
{
	return c >= 0x20 && !(c >= 0x7f && c < 0xa0);
}

void
escape_put(FILE *file, const char *s, const char *kept)
{
	char text[ESCAPED];

	for (size_t n = strlen(s), len; n; s += len, n -= len) {
		const int32_t c = utf8_next(s, n, &len);

		if (needs_no_escape(c) || (c >= 0 && c < 0x20 && strchr(kept, c)))
			fwrite(s, 1, len, file);
		else
			for (size_t i = 0; i < len; i++)
				fputs(escaped_byte((unsigned char)s[i], text), file);
	}
}

void
escape_add(struct buf *out, const char *s)
{
	char text[ESCAPED];

	for (size_t n = strlen(s), len; n; s += len, n -= len)
		if (needs_no_escape(utf8_next(s, n, &len)))
			buf_add(out, s, len);
		else
			for (size_t i = 0; i < len; i++)
				buf_add_str(out, escaped_byte((unsigned char)s[i], text));
}

void
escape_glob(struct buf *out, const char *s)
{
	for (; *s; s++)
		buf_printf(out, "%s%c", strchr("*?[\\", *s) ? "\\" : "", *s);
}

void
escape_repair(struct buf *out, const char *s, size_t n)
{
	size_t len;

	for (size_t i = 0; i < n; i += len) {
		const bool good = utf8_next(s + i, n - i, &len) >= 0;

		buf_add(out, good ? s + i : "\xef\xbf\xbd", good ? len : 3);
	}
}
