/* utf8: see utf8.h.  Decoding follows table 3-7, Well-Formed UTF-8 Byte Sequences, of Unicode. */
#include "base/utf8.h"

#include <string.h>

#include "base/eight.h"

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
	if (a >= 0xf0 && a < 0xf5 && n >= 4 && continues(s + 1) && continues(s + 2) &&
	    continues(s + 3)) {
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

/* The length of the well-formed multi-byte sequence at s, or 0. */
static size_t
sequence(const unsigned char *s, size_t n)
{
	unsigned char low = 0x80, high = 0xbf;
	size_t len;

	if (s[0] < 0xc2 || s[0] > 0xf4)
		return 0;
	if (s[0] < 0xe0)
		return n > 1 && (s[1] & 0xc0) == 0x80 ? 2 : 0;
	len = s[0] < 0xf0 ? 3 : 4;
	if (s[0] == 0xe0)
		low = 0xa0;
	else if (s[0] == 0xed)
		high = 0x9f;
	else if (s[0] == 0xf0)
		low = 0x90;
	else if (s[0] == 0xf4)
		high = 0x8f;
	if (n < len || s[1] < low || s[1] > high)
		return 0;
	for (size_t i = 2; i < len; i++)
		if ((s[i] & 0xc0) != 0x80)
			return 0;
	return len;
}

/* The number of ASCII bytes before the first high bit of eight bytes; high_bits is not 0. */
static size_t
ascii_prefix(uint64_t high_bits)
{
	const uint16_t one = 1;
	uint8_t low;

	memcpy(&low, &one, 1);	/* 1 if the machine is little-endian */
	return (size_t)(low ? __builtin_ctzll(high_bits) : __builtin_clzll(high_bits)) / 8;
}

/* The number of ASCII bytes at the start of s. */
static size_t
ascii(const char *s, size_t n)
{
	const uint64_t high = EIGHT_OF(0x80);
	size_t i = 0;

	for (; n - i >= 8; i += 8)
		if (eight_at(s + i) & high)
			return i + ascii_prefix(eight_at(s + i) & high);
	if (!(eight_few(s + i, n - i) & high))
		return n;
	while (i < n && (unsigned char)s[i] < 0x80)
		i++;
	return i;
}

size_t
utf8_check(const char *s, size_t n)
{
	size_t i = 0, len;

	while (i < n && (i += ascii(s + i, n - i)) < n)
		do {
			len = sequence((const unsigned char *)s + i, n - i);
			if (!len)
				return i;
			i += len;
		} while (i < n && (unsigned char)s[i] >= 0x80);
	return n;
}

size_t
utf8_text(const char *s, size_t n)
{
	const size_t good = utf8_check(s, n);
	const char *nul = good ? memchr(s, 0, good) : NULL;

	return nul ? (size_t)(nul - s) : good;
}
