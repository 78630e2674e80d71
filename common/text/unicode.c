/* unicode: see unicode.h. */
#include "text/unicode.h"

unsigned
unicode_classes(int32_t c)
{
	size_t low = 0, high = unicode_table_n;

	if (c < 0 || c > 0x10ffff)
		return 0;
	if (c < 0x80)
		return unicode_ascii[c];
	while (high - low > 1) {	/* entry low starts at or before c, entry high after it */
		const size_t middle = low + (high - low) / 2;

		if (unicode_table[middle] >> 8 <= (uint32_t)c)
			low = middle;
		else
			high = middle;
	}
	return unicode_table[low] & 0xff;
}

bool
unicode_python_space(int32_t c)
{
	if (c < 0x80)
		return c == ' ' || (c >= '\t' && c <= '\r') || (c >= 0x1c && c <= 0x1f);
	return unicode_classes(c) & UNICODE_SPACE;
}

bool
unicode_in(int32_t c, const int32_t (*range)[2], size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (c >= range[i][0] && c <= range[i][1])
			return true;
	return false;
}

bool
unicode_cjk(int32_t c)
{
	static const int32_t block[][2] = {
		{ 0x1100, 0x11ff },	/* Hangul Jamo */
		{ 0x2e80, 0xa4cf },	/* radicals, kana, ideographs, Yi */
		{ 0xa840, 0xa87f },	/* Phags-pa */
		{ 0xac00, 0xd7af },	/* Hangul syllables */
		{ 0xf900, 0xfaff },	/* compatibility ideographs */
		{ 0xfe30, 0xfe4f },	/* compatibility forms */
		{ 0xff65, 0xffdc },	/* halfwidth Katakana and Hangul */
		{ 0x20000, 0x2ffff }	/* supplementary ideographs */
	};

	return unicode_in(c, block, sizeof(block) / sizeof(block[0]));
}
