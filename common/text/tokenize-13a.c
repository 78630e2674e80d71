/*
 * tokenize-13a: the tokenizers that end with mteval-v13a's rules for Western
 * languages: 13a itself and zh; see tokenize.h.
 *
 * All classes in these rules are ASCII, so they work on bytes.
 */
#include <stdbool.h>
#include <string.h>

#include "text/tokenize.h"
#include "text/unicode.h"
#include "text/utf8.h"

static bool
is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool
is_point(char c)
{
	return c == '.' || c == ',';
}

/* { to ~, [ to `, blank to &, ( to +, : to @, and / */
static bool
is_symbol(char c)
{
	return (c >= '{' && c <= '~') || (c >= '[' && c <= '`') || (c >= ' ' && c <= '&') ||
	       (c >= '(' && c <= '+') || (c >= ':' && c <= '@') || c == '/';
}

static void
add_spaced(struct buf *out, char c)
{
	const char spaced[3] = { ' ', c, ' ' };

	buf_add(out, spaced, 3);
}

static void
split_symbols(const char *s, size_t n, struct buf *out)
{
	for (size_t i = 0; i < n; i++)
		if (is_symbol(s[i]))
			add_spaced(out, s[i]);
		else
			buf_add_char(out, s[i]);
}

/* A period or comma behind anything but a digit; matches do not overlap. */
static void
split_points_behind(const char *s, size_t n, struct buf *out)
{
	for (size_t i = 0; i < n; i++) {
		buf_add_char(out, s[i]);
		if (i + 1 < n && !is_digit(s[i]) && is_point(s[i + 1]))
			add_spaced(out, s[++i]);
	}
}

/* A period or comma in front of anything but a digit. */
static void
split_points_before(const char *s, size_t n, struct buf *out)
{
	for (size_t i = 0; i < n; i++) {
		if (i + 1 < n && is_point(s[i]) && !is_digit(s[i + 1])) {
			add_spaced(out, s[i]);
			i++;
		}
		buf_add_char(out, s[i]);
	}
}

static void
split_dashes(const char *s, size_t n, struct buf *out)
{
	for (size_t i = 0; i < n; i++) {
		buf_add_char(out, s[i]);
		if (i + 1 < n && is_digit(s[i]) && s[i + 1] == '-')
			add_spaced(out, s[++i]);
	}
}

/* The four rules one after another, each over the whole line; a and b are scratch, a holds the line. */
static void
western(struct buf *a, struct buf *b, struct buf *out)
{
	tokenizer *const rule[] = { split_symbols, split_points_behind, split_points_before, split_dashes };

	for (size_t i = 0; i < sizeof(rule) / sizeof(rule[0]); i++) {
		const struct buf was = *a;

		buf_clear(b);
		rule[i](was.data, was.n, b);
		*a = *b;
		*b = was;
	}
	tokenize_squeeze(a->data, a->n, out);
}

/* Appends s with every old as new. */
static void
replace(struct buf *text, struct buf *scratch, const char *old, const char *new)
{
	const size_t n_old = strlen(old);
	struct buf was = *text;

	buf_clear(scratch);
	for (size_t i = 0; i < was.n; i++) {
		if (was.n - i >= n_old && !memcmp(was.data + i, old, n_old)) {
			buf_add_str(scratch, new);
			i += n_old - 1;
		} else {
			buf_add_char(scratch, was.data[i]);
		}
	}
	*text = *scratch;
	*scratch = was;
}

void
tokenize_13a(const char *s, size_t n, struct buf *out)
{
	struct buf a = { 0 }, b = { 0 };

	buf_add_char(&a, ' ');
	tokenize_rstrip(s, n, &a);
	replace(&a, &b, "<skipped>", "");
	if (memchr(a.data, '&', a.n)) {
		replace(&a, &b, "&quot;", "\"");
		replace(&a, &b, "&amp;", "&");
		replace(&a, &b, "&lt;", "<");
		replace(&a, &b, "&gt;", ">");
	}
	buf_add_char(&a, ' ');
	western(&a, &b, out);
	buf_release(&a);
	buf_release(&b);
}

/*
 * What sacreBLEU's zh takes for Chinese.  Its table has two entries with five
 * hexadecimal digits that Python reads as a character and a digit; U+2001 to
 * U+2A6D (punctuation, symbols) is what the first of them comes to.
 */
static bool
is_chinese(int32_t c)
{
	static const struct { int32_t first, last; } range[] = {
		{ 0x2001, 0x2a6d }, { 0x2e80, 0x2fdf }, { 0x2ff0, 0x303f }, { 0x3100, 0x312f },
		{ 0x31a0, 0x31bf }, { 0x31c0, 0x31ef }, { 0x3200, 0x33ff }, { 0x3400, 0x4db5 },
		{ 0x4e00, 0x9fbb }, { 0xf900, 0xfa2d }, { 0xfa30, 0xfa6a }, { 0xfa70, 0xfad9 },
		{ 0xfe10, 0xfe1f }, { 0xfe30, 0xfe4f }, { 0xff00, 0xffef }
	};

	for (size_t i = 0; i < sizeof(range) / sizeof(range[0]); i++)
		if (c >= range[i].first && c <= range[i].last)
			return true;
	return false;
}

/* Unlike 13a, no blanks at the ends of the line: a period at its very start stays. */
void
tokenize_zh(const char *s, size_t n, struct buf *out)
{
	struct buf a = { 0 }, b = { 0 };
	size_t len, i = 0;

	tokenize_rstrip(s, n, &b);
	while (i < b.n && unicode_python_space(utf8_next(b.data + i, b.n - i, &len)))
		i += len;
	for (; i < b.n; i += len) {
		const bool chinese = is_chinese(utf8_next(b.data + i, b.n - i, &len));

		if (chinese)
			buf_add_char(&a, ' ');
		buf_add(&a, b.data + i, len);
		if (chinese)
			buf_add_char(&a, ' ');
	}
	western(&a, &b, out);
	buf_release(&a);
	buf_release(&b);
}
