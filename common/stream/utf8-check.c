/* utf8-check: see utf8-check.h. */
#include "stream/utf8-check.h"

#include <stdint.h>
#include <string.h>

/* Length of the well-formed sequence at s, 0 if there is none. */
static size_t
sequence(const unsigned char *s, size_t n)
{
	unsigned char low = 0x80, high = 0xbf;
	size_t len;

	if (s[0] < 0x80)
		return 1;
	if (s[0] < 0xc2 || s[0] > 0xf4)
		return 0;
	len = s[0] < 0xe0 ? 2 : s[0] < 0xf0 ? 3 : 4;
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

size_t
utf8_wrong(const char *s, size_t n)
{
	size_t i = 0, len;
	uint64_t eight;

	while (i < n) {
		while (n - i >= 8) {
			memcpy(&eight, s + i, 8);
			if (eight & UINT64_C(0x8080808080808080))
				break;
			i += 8;
		}
		if (i == n)
			break;
		len = sequence((const unsigned char *)s + i, n - i);
		if (!len)
			return i;
		i += len;
	}
	return n;
}
