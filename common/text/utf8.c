/* utf8: see utf8.h.  Decoding follows table 3-7 of the Unicode standard: well-formed byte sequences. */
#include <string.h>

#include "text/utf8.h"

static int
continues(const char *s)
{
	return ((unsigned char)*s & 0xc0) == 0x80;
}

static int32_t
low6(const char *s)
{
	return (unsigned char)*s & 0x3f;
}

int32_t
utf8_next(const char *s, size_t n, size_t *len)
{
	const unsigned char a = (unsigned char)s[0];
	int32_t c;

	*len = 1;
	if (a < 0x80)
		return a;
	if (a >= 0xc2 && a < 0xe0 && n >= 2 && continues(s + 1)) {
		*len = 2;
		return (a & 0x1f) << 6 | low6(s + 1);
	}
	if (a >= 0xe0 && a < 0xf0 && n >= 3 && continues(s + 1) && continues(s + 2)) {
		c = (a & 0x0f) << 12 | low6(s + 1) << 6 | low6(s + 2);
		if (c < 0x800 || (c >= 0xd800 && c < 0xe000))
			return -1;
		*len = 3;
		return c;
	}
	if (a >= 0xf0 && a < 0xf5 && n >= 4 && continues(s + 1) && continues(s + 2) && continues(s + 3)) {
		c = (a & 0x07) << 18 | low6(s + 1) << 12 | low6(s + 2) << 6 | low6(s + 3);
		if (c < 0x10000 || c > 0x10ffff)
			return -1;
		*len = 4;
		return c;
	}
	return -1;
}

size_t
utf8_put(int32_t c, char *out)
{
	if (c < 0x80) {
		out[0] = (char)c;
		return 1;
	}
	if (c < 0x800) {
		out[0] = (char)(0xc0 | c >> 6);
		out[1] = (char)(0x80 | (c & 0x3f));
		return 2;
	}
	if (c < 0x10000) {
		out[0] = (char)(0xe0 | c >> 12);
		out[1] = (char)(0x80 | (c >> 6 & 0x3f));
		out[2] = (char)(0x80 | (c & 0x3f));
		return 3;
	}
	out[0] = (char)(0xf0 | c >> 18);
	out[1] = (char)(0x80 | (c >> 12 & 0x3f));
	out[2] = (char)(0x80 | (c >> 6 & 0x3f));
	out[3] = (char)(0x80 | (c & 0x3f));
	return 4;
}

/* How many bytes from s on are ASCII, eight at a time: most text is. */
static size_t
ascii(const char *s, size_t n)
{
	size_t i = 0;
	uint64_t w;

	while (i + 8 <= n) {
		memcpy(&w, s + i, 8);
		if (w & UINT64_C(0x8080808080808080))
			break;
		i += 8;
	}
	while (i < n && (unsigned char)s[i] < 0x80)
		i++;
	return i;
}

size_t
utf8_check(const char *s, size_t n)
{
	size_t i = 0, len;

	while (i < n) {
		i += ascii(s + i, n - i);
		while (i < n && (unsigned char)s[i] >= 0x80) {
			if (utf8_next(s + i, n - i, &len) < 0)
				return i;
			i += len;
		}
	}
	return n;
}
