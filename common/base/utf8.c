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
	static const int first[] = { 0, 0, 0xc0, 0xe0, 0xf0 };	/* of a sequence of n bytes */
	const size_t n = 1u + (c >= 0x80) + (c >= 0x800) + (c >= 0x10000);

	for (size_t i = n; i-- > 1; c >>= 6)
		out[i] = (char)(0x80 | (c & 0x3f));
	out[0] = (char)(first[n] | c);
	return n;
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
			if (utf8_next(s + i, n - i, &len) < 0)
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
