/* escape: see escape.h. */
#include "base/escape.h"

#include <stdbool.h>
#include <string.h>

#include "base/utf8.h"

static void
put_byte(FILE *file, unsigned char c)
{
	static const char named[] = "\tt\nn\rr";

	for (const char *p = named; *p; p += 2)
		if ((unsigned char)*p == c) {
			fprintf(file, "\\%c", p[1]);
			return;
		}
	fprintf(file, "\\x%02x", (unsigned)c);
}

void
escape_put(FILE *file, const char *s, const char *kept)
{
	for (size_t n = strlen(s), len; n; s += len, n -= len) {
		const int32_t c = utf8_next(s, n, &len);

		if ((c >= 0x20 && !(c >= 0x7f && c < 0xa0)) ||
		    (c >= 0 && c < 0x20 && strchr(kept, c)))
			fwrite(s, 1, len, file);
		else
			for (size_t i = 0; i < len; i++)
				put_byte(file, (unsigned char)s[i]);
	}
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
