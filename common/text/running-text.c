/* running-text: see running-text.h. */
#include <stdbool.h>

#include "base/utf8.h"
#include "text/running-text.h"
#include "text/unicode.h"

static bool
is_space(int32_t c)
{
	return c < ' ' || (c >= 0x7f && c < 0xa0) || (unicode_classes(c) & UNICODE_SPACE);
}

static bool
is_invisible(int32_t c)
{
	return c == 0xad || c == 0x200b || c == 0x200e || c == 0x200f || c == 0x2060 || c == 0xfeff;
}

void
running_text_blank(struct buf *out)
{
	if (out->n && out->data[out->n - 1] != ' ')
		buf_add_char(out, ' ');
}

void
running_text_add(struct buf *out, const char *s, size_t n)
{
	size_t len;

	for (; n; s += len, n -= len) {
		int32_t c = utf8_next(s, n, &len);

		if (c < 0 || is_space(c))
			running_text_blank(out);
		else if (!is_invisible(c))
			buf_add(out, s, len);
	}
}

void
running_text_trim(struct buf *out)
{
	if (out->n && out->data[out->n - 1] == ' ')
		out->data[--out->n] = '\0';
}
