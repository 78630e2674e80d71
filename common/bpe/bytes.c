/* bytes: see bytes.h. */
#include "bpe/bytes.h"

#include <stdio.h>
#include <string.h>

#include "base/utf8.h"
#include "bpe/subwords.h"

bool
bytes_is(const void *p, size_t n)
{
	return p && n == strlen(BYTES_FILE) && !memcmp(p, BYTES_FILE, n);
}

size_t
bytes_spell(unsigned char byte, char text[BYTES_ROOM])
{
	if (byte == ' ')
		return (size_t)snprintf(text, BYTES_ROOM, SUBWORD_MARK);
	return (size_t)snprintf(text, BYTES_ROOM, byte > ' ' && byte < 0x7f ? "%c" : "<0x%02X>",
				byte);
}

static int
hex_digit(char c)
{
	return c >= '0' && c <= '9' ? c - '0' : c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

int
bytes_of(const char *s, size_t n)
{
	char text[BYTES_ROOM];
	int byte = -1;

	if (n == 1)
		byte = (unsigned char)*s;
	else if (n == strlen(SUBWORD_MARK))
		byte = ' ';
	else if (n == 6 && hex_digit(s[3]) >= 0 && hex_digit(s[4]) >= 0)
		byte = hex_digit(s[3]) * 16 + hex_digit(s[4]);
	return byte >= 0 && bytes_spell((unsigned char)byte, text) == n && !memcmp(s, text, n)
	       ? byte : -1;
}

void
bytes_restore(const struct str *piece, size_t n, struct buf *out)
{
	struct buf raw = { 0 };
	size_t length;

	for (size_t i = 0; i < n; i++) {
		const int byte = bytes_of(piece[i].s, piece[i].n);

		if (byte < 0)
			buf_add(&raw, piece[i].s, piece[i].n);
		else
			buf_add_char(&raw, !byte || byte == '\n' || byte == '\r' ? ' '
									  : (char)byte);
	}
	for (size_t at = 0; at < raw.n; at += length)
		if (utf8_next(raw.data + at, raw.n - at, &length) >= 0)
			buf_add(out, raw.data + at, length);
		else
			length = 1;
	buf_release(&raw);
}
