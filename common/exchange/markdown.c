/* markdown: see markdown.h. */
#include "exchange/markdown.h"

void
markdown_cell(struct buf *out, const char *s, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (s[i] == '|' || s[i] == '\\')
			buf_add_char(out, '\\');
		buf_add_char(out, s[i]);
	}
}
