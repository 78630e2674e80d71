/* lowercase: see lowercase.h. */
#include "base/utf8.h"
#include "text/lowercase.h"

#define CAPITAL_SIGMA 0x3a3
#define SIGMA 0x3c3
#define FINAL_SIGMA 0x3c2
#define CAPITAL_I_DOT 0x130	/* becomes two code points: i and a combining dot */

void
lowercase_ascii(char *s, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (s[i] >= 'A' && s[i] <= 'Z')
			s[i] = (char)(s[i] + ('a' - 'A'));
}

static int32_t
lower(int32_t c)
{
	size_t low = 0, high = lowercase_table_n;

	while (low < high) {	/* the first range that does not end before c */
		const size_t middle = low + (high - low) / 2;

		if (lowercase_table[middle].last < c)
			low = middle + 1;
		else
			high = middle;
	}
	if (low < lowercase_table_n) {
		const struct lowercase_range *r = &lowercase_table[low];

		if (c >= r->first && (c - r->first) % r->step == 0)
			return c + r->delta;
	}
	return c;
}

static bool
in_list(const int32_t *at, size_t n, int32_t c)
{
	size_t low = 0, high = n;	/* searches the number of boundaries at or below c */

	while (low < high) {
		const size_t middle = low + (high - low) / 2;

		if (at[middle] <= c)
			low = middle + 1;
		else
			high = middle;
	}
	return low % 2;
}

/* 1: a cased letter, 0: another character, -1: ignorable. */
static int
cased(int32_t c)
{
	if (in_list(lowercase_ignorable, lowercase_ignorable_n, c))
		return -1;
	return in_list(lowercase_cased, lowercase_cased_n, c);
}

static bool
cased_before(const char *s, size_t at)
{
	size_t len, end;
	int is = -1;

	while (at > 0 && is < 0) {
		end = at;
		do
			at--;
		while (at > 0 && ((unsigned char)s[at] & 0xc0) == 0x80);
		is = cased(utf8_next(s + at, end - at, &len));
	}
	return is == 1;
}

static bool
cased_after(const char *s, size_t n, size_t at)
{
	size_t len;
	int is = -1;

	for (; at < n && is < 0; at += len)
		is = cased(utf8_next(s + at, n - at, &len));
	return is == 1;
}

/*
 * The lower case of the sigma of len bytes at s[at]: the final form, if there is a letter before
 * it and none after it.
 */
static int32_t
lower_sigma(const char *s, size_t n, size_t at, size_t len)
{
	return cased_before(s, at) && !cased_after(s, n, at + len) ? FINAL_SIGMA : SIGMA;
}

static void
lowercase_put(struct buf *out, int32_t c)
{
	char text[4];

	buf_add(out, text, utf8_put(c, text));
}

/* The number of ASCII bytes at the start of s. */
static size_t
ascii_run(const char *s, size_t n)
{
	size_t i = 0;

	while (i < n && !((unsigned char)s[i] & 0x80))
		i++;
	return i;
}

void
lowercase(const char *s, size_t n, struct buf *out)
{
	size_t len;

	for (size_t i = 0; i < n; i += len) {
		int32_t c;

		len = ascii_run(s + i, n - i);
		if (len) {
			buf_add(out, s + i, len);
			lowercase_ascii(out->data + out->n - len, len);
			continue;
		}
		c = utf8_next(s + i, n - i, &len);
		if (c == CAPITAL_I_DOT)
			buf_add(out, "i\xcc\x87", 3);
		else if (c == CAPITAL_SIGMA)
			lowercase_put(out, lower_sigma(s, n, i, len));
		else if (c >= 0)
			lowercase_put(out, lower(c));
	}
}
