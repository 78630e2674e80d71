/* utf8-check: see utf8-check.h. */
#include "stream/utf8-check.h"

#include <stdint.h>
#include <string.h>

/* Length of the well-formed sequence of several bytes at s, 0 if there is none. */
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

/* Bytes before the first that is not ASCII, of eight of which at least one is not. */
static size_t
ascii_prefix(uint64_t high_bits)
{
	const uint16_t one = 1;
	uint8_t low;

	memcpy(&low, &one, 1);	/* which end of a word lies first in memory? */
	return (size_t)(low ? __builtin_ctzll(high_bits) : __builtin_clzll(high_bits)) / 8;
}

/* Bytes of ASCII at s. */
static size_t
ascii(const char *s, size_t n)
{
	uint64_t eight;
	size_t i = 0;

	for (; n - i >= 8; i += 8) {
		memcpy(&eight, s + i, 8);
		eight &= UINT64_C(0x8080808080808080);
		if (eight)
			return i + ascii_prefix(eight);
	}
	while (i < n && (unsigned char)s[i] < 0x80)
		i++;
	return i;
}

size_t
utf8_wrong(const char *s, size_t n)
{
	size_t i = 0, len;

	while ((i += ascii(s + i, n - i)) < n) {
		len = sequence((const unsigned char *)s + i, n - i);
		if (!len)
			return i;
		i += len;
	}
	return n;
}
