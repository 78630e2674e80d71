/* measure: widths of texts; see measure.h. */
#include "draw/measure.h"

#include <stdint.h>
#include <string.h>

#include "base/utf8.h"

/* Hundredths of an em, from U+0020 to U+007E. */
static const unsigned char ascii[95] = {
	32, 40, 46, 84, 64, 95, 78, 28, 39, 39, 50, 84, 32, 36, 32, 34,
	64, 64, 64, 64, 64, 64, 64, 64, 64, 64, 34, 34, 84, 84, 84, 53,
	100, 68, 69, 70, 77, 63, 58, 78, 75, 30, 30, 66, 56, 86, 75, 79,
	60, 79, 70, 64, 61, 73, 68, 99, 69, 61, 69, 39, 34, 39, 84, 50,
	50, 61, 64, 55, 64, 62, 35, 64, 63, 28, 28, 58, 28, 97, 63, 61,
	64, 64, 41, 52, 39, 63, 59, 82, 59, 59, 53, 64, 34, 64, 84
};

/* A character has the width of the first range whose last character is not before it. */
static const struct range { int32_t last; unsigned char width; } ranges[] = {
	{ 0x00bf, 84 },				/* signs */
	{ 0x00d6, 72 }, { 0x00d7, 84 },		/* the cross of a product */
	{ 0x02ff, 72 },				/* Latin with marks */
	{ 0x036f, 0 },				/* combining */
	{ 0x0482, 84 }, { 0x0489, 0 },		/* Greek, Cyrillic */
	{ 0x0590, 84 }, { 0x05bd, 0 }, { 0x060f, 72 }, { 0x061a, 0 },
	{ 0x064a, 100 }, { 0x065f, 0 },		/* Hebrew, Arabic: points */
	{ 0x06d5, 100 }, { 0x06dc, 0 },
	{ 0x10ff, 100 }, { 0x1aaf, 100 }, { 0x1aff, 0 },
	{ 0x1dbf, 84 }, { 0x1dff, 0 },
	{ 0x200a, 84 }, { 0x200f, 0 }, { 0x20cf, 100 }, { 0x20ff, 0 },
	{ 0xfdff, 100 }, { 0xfe0f, 0 },		/* CJK; selectors of variants */
	{ 0xfe1f, 100 }, { 0xfe2f, 0 },
	{ 0xffff, 104 }, { 0x1efff, 100 },
	{ 0x1faff, 130 },			/* pictures */
	{ 0xe00ff, 104 }, { 0x10ffff, 0 }
};

/* Half-width Katakana and some other characters are narrower. */
static unsigned
measure_width_of(int32_t c)
{
	const struct range *r = ranges;

	if (c < 0x7f)
		return c < 0x20 ? 100 : ascii[c - 0x20];
	while (r->last < c)
		r++;
	return r->width;
}

double
measure_width(const char *s, size_t n)
{
	unsigned sum = 0;
	size_t len;

	for (size_t i = 0; i < n; i += len) {
		const int32_t c = utf8_next(s + i, n - i, &len);

		sum += c < 0 ? 100 : measure_width_of(c);
	}
	return sum / 100.0;
}

size_t
measure_fit(const char *s, size_t n, double em)
{
	double sum = 0;
	size_t len, i;

	for (i = 0; i < n; i += len) {
		const int32_t c = utf8_next(s + i, n - i, &len);

		sum += (c < 0 ? 100 : measure_width_of(c)) / 100.0;
		if (sum > em)
			break;
	}
	return i;
}

size_t
measure_line(const char *s, double em)
{
	const size_t n = strlen(s);
	const size_t fits = measure_fit(s, n, em + 1e-6);	/* for the rounding of widths */
	size_t at = fits;

	if (fits == n)
		return n;
	while (at && s[at] != ' ')
		at--;
	return at ? at : fits ? fits : n;
}
