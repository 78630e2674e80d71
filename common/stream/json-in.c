/* json-in: see json-in.h. */
#include "stream/json-in.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "stream/header-parts.h"
#include "stream/json-parts.h"
#include "stream/msgpack-in.h"
#include "stream/msgpack-out.h"

int
json_fail(struct json *j, const char *message)
{
	return err_set(j->e, EXIT_INPUT, "byte %zu: %s", (size_t)(j->p - j->start) + 1, message);
}

void
json_skip_space(struct json *j)
{
	while (j->p < j->end && (*j->p == ' ' || *j->p == '\t' || *j->p == '\n' || *j->p == '\r'))
		j->p++;
}

bool
json_eat(struct json *j, char c)
{
	json_skip_space(j);
	if (j->p == j->end || *j->p != c)
		return false;
	j->p++;
	return true;
}

static int
hex4(struct json *j, uint32_t *v)
{
	*v = 0;
	for (int i = 0; i < 4; i++) {
		char c = j->p < j->end ? *j->p : 0;
		int digit = c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 :
			    c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;

		if (digit < 0)
			return json_fail(j, "expected four hexadecimal digits");
		*v = *v << 4 | (uint32_t)digit;
		j->p++;
	}
	return 0;
}

/* Reads what follows "\u"; a character from U+10000 on is a pair of such escapes. */
static int
unicode_escape(struct json *j, struct buf *b)
{
	uint32_t c, low;
	char bytes[4];

	if (hex4(j, &c))
		return -1;
	if (c >= 0xd800 && c < 0xdc00) {
		if (j->end - j->p < 2 || j->p[0] != '\\' || j->p[1] != 'u')
			return json_fail(j, "unpaired surrogate");
		j->p += 2;
		if (hex4(j, &low))
			return -1;
		if (low < 0xdc00 || low > 0xdfff)
			return json_fail(j, "unpaired surrogate");
		c = 0x10000 + ((c - 0xd800) << 10) + (low - 0xdc00);
	} else if (c >= 0xdc00 && c <= 0xdfff) {
		return json_fail(j, "unpaired surrogate");
	}
	buf_add(b, bytes, utf8_put((int32_t)c, bytes));
	return 0;
}

static int
json_escape(struct json *j, struct buf *b)
{
	static const char from[] = "\"\\/ntrbf", to[] = "\"\\/\n\t\r\b\f";
	char c = j->p < j->end ? *j->p : 0;
	const char *at = c ? strchr(from, c) : NULL;

	j->p++;
	if (at)
		buf_add_char(b, to[at - from]);
	else if (c == 'u')
		return unicode_escape(j, b);
	else
		return json_fail(j, "unknown escape");
	return 0;
}

int
json_string(struct json *j, struct buf *b)
{
	const char *plain;

	buf_clear(b);
	buf_add(b, "", 0);
	if (!json_eat(j, '"'))
		return json_fail(j, "expected a string");
	for (;;) {
		plain = j->p;
		while (j->p < j->end && *j->p != '"' && *j->p != '\\' &&
		       (unsigned char)*j->p >= ' ')
			j->p++;
		buf_add(b, plain, (size_t)(j->p - plain));
		if (j->p == j->end || (*j->p != '"' && *j->p != '\\'))
			return json_fail(j, "unterminated string, or control character in it");
		if (*j->p++ == '"')
			return 0;
		if (json_escape(j, b))
			return -1;
	}
}

/* The end of a number by JSON's grammar, or NULL; *whole if it is an integer. */
static const char *
number_end(const char *p, const char *end, bool *whole)
{
	size_t digits;

	*whole = true;
	if (p < end && *p == '-')
		p++;
	digits = strspn(p, "0123456789");
	if (!digits || (*p == '0' && digits > 1))
		return NULL;
	p += digits;
	if (p < end && *p == '.') {
		digits = strspn(++p, "0123456789");
		if (!digits)
			return NULL;
		p += digits;
		*whole = false;
	}
	if (p < end && (*p == 'e' || *p == 'E')) {
		p++;
		if (*p == '+' || *p == '-')
			p++;
		digits = strspn(p, "0123456789");
		if (!digits)
			return NULL;
		p += digits;
		*whole = false;
	}
	return p <= end ? p : NULL;
}

static bool
json_is_large(const char *integer)
{
	errno = 0;
	if (*integer == '-')
		(void)strtoll(integer, NULL, 10);
	else
		(void)strtoull(integer, NULL, 10);
	return errno != 0;
}

static int
add_integer(struct json *j, struct buf *out)
{
	unsigned long long u;
	long long i;

	errno = 0;
	if (*j->p == '-') {
		i = strtoll(j->p, NULL, 10);
		mp_put_int(out, i);
	} else {
		u = strtoull(j->p, NULL, 10);
		mp_put_uint(out, u);
	}
	return errno ? json_fail(j, "integer of more than 64 bits") : 0;
}

int
json_number(struct json *j, double *v)
{
	const char *end;
	bool whole;

	json_skip_space(j);
	end = number_end(j->p, j->end, &whole);
	if (!end)
		return json_fail(j, "expected a number");
	*v = strtod(j->p, NULL);
	if (!isfinite(*v))
		return json_fail(j, "number too large for a float");
	j->p = end;
	return 0;
}

static int
json_add_number(struct json *j, struct buf *out)
{
	const char *end;
	bool whole;
	double v;

	end = number_end(j->p, j->end, &whole);
	if (!end)
		return json_fail(j, "expected a value");
	if (whole && !(j->p[0] == '-' && j->p[1] == '0') && !(j->large && json_is_large(j->p))) {
		if (add_integer(j, out))
			return -1;
		j->p = end;
		return 0;
	}
	if (json_number(j, &v))
		return -1;
	mp_put_float(out, v);
	return 0;
}

static int
json_add_word(struct json *j, struct buf *out)
{
	static const struct {
		const char *text;
		size_t n;
	} word[] = { { "null", 4 }, { "false", 5 }, { "true", 4 } };

	for (int i = 0; i < 3; i++) {
		if ((size_t)(j->end - j->p) < word[i].n || memcmp(j->p, word[i].text, word[i].n))
			continue;
		j->p += word[i].n;
		if (i)
			mp_put_bool(out, i == 2);
		else
			mp_put_nil(out);
		return 0;
	}
	return json_fail(j, "expected a value");
}

/* Inserts the head of an array or map before its n elements, which start at `at`. */
static void
put_head_at(struct buf *out, size_t at, size_t n, bool map)
{
	struct buf head = { 0 };
	size_t body = out->n - at;

	if (map)
		mp_put_map(&head, n);
	else
		mp_put_array(&head, n);
	buf_room(out, head.n);
	memmove(out->data + at + head.n, out->data + at, body);
	memcpy(out->data + at, head.data, head.n);
	out->n += head.n;
	out->data[out->n] = 0;
	buf_release(&head);
}

static int json_in_add_value(struct json *j, struct buf *out, int depth);

static int
too_deep(struct json *j)
{
	return json_fail(j, "nested deeper than 8 levels");
}

static int
json_add_list(struct json *j, struct buf *out, int depth)
{
	size_t at = out->n, n = 0;

	if (depth >= MP_DEPTH)
		return too_deep(j);
	j->p++;
	if (!json_eat(j, ']')) {
		do {
			if (json_in_add_value(j, out, depth + 1))
				return -1;
			n++;
		} while (json_eat(j, ','));
		if (!json_eat(j, ']'))
			return json_fail(j, "expected a comma or ]");
	}
	put_head_at(out, at, n, false);
	return 0;
}

static int
colon(struct json *j)
{
	return json_eat(j, ':') ? 0 : json_fail(j, "expected a colon");
}

/* Adds a member of an object, whose key is in j->text and has been read. */
static int
json_add_member(struct json *j, struct buf *out, int depth)
{
	const struct type *t = NULL;
	int i = -1;

	mp_put_str(out, j->text.data, j->text.n);
	if (j->types && depth == 0)
		i = header_find(j->types, j->text.data, j->text.n);
	if (i >= 0)
		t = &j->types->field[i].parsed;
	if (colon(j))
		return -1;
	json_skip_space(j);
	if (t && t->n_dim && j->p < j->end && (*j->p == '[' || *j->p == '"'))
		return json_tensor(j, t, out);
	return json_in_add_value(j, out, depth + 1);
}

/* Unless plain, a key that starts with a dollar makes a value that JSON lacks, not a level. */
static int
json_add_object(struct json *j, struct buf *out, int depth)
{
	size_t at = out->n, n = 0;

	j->p++;
	if (json_eat(j, '}')) {
		if (depth >= MP_DEPTH)
			return too_deep(j);
	} else {
		do {
			if (json_string(j, &j->text))
				return -1;
			if (!n && !j->plain && j->text.n && j->text.data[0] == '$')
				return colon(j) ? -1 : json_special(j, out, depth);
			if (depth >= MP_DEPTH)
				return too_deep(j);
			if (json_add_member(j, out, depth))
				return -1;
			n++;
		} while (json_eat(j, ','));
		if (!json_eat(j, '}'))
			return json_fail(j, "expected a comma or }");
	}
	put_head_at(out, at, n, true);
	return 0;
}

static int
json_in_add_value(struct json *j, struct buf *out, int depth)
{
	json_skip_space(j);
	if (j->p == j->end)
		return json_fail(j, "expected a value");
	switch (*j->p) {
	case '{':
		return json_add_object(j, out, depth);
	case '[':
		return json_add_list(j, out, depth);
	case '"':
		if (json_string(j, &j->text))
			return -1;
		mp_put_str(out, j->text.data, j->text.n);
		return 0;
	case 'n':
	case 't':
	case 'f':
		return json_add_word(j, out);
	default:
		return json_add_number(j, out);
	}
}

static int
json_read_all(struct json *j, struct buf *out)
{
	const size_t n = (size_t)(j->end - j->p), wrong = utf8_check(j->p, n);
	int bad;

	if (wrong != n) {
		j->p += wrong;
		return json_fail(j, "not UTF-8");
	}
	bad = json_in_add_value(j, out, 0);
	json_skip_space(j);
	if (!bad && j->p != j->end)
		bad = json_fail(j, "unexpected text after the value");
	buf_release(&j->text);
	buf_release(&j->cells);
	return bad;
}

int
json_read(const char *s, size_t n, const struct header *types, struct buf *out, struct err *e)
{
	struct json j = { .start = s, .p = s, .end = s + n, .types = types, .e = e };

	return json_read_all(&j, out);
}

int
json_read_plain(const char *s, size_t n, bool large, struct buf *out, struct err *e)
{
	struct json j = { .start = s, .p = s, .end = s + n, .plain = true, .large = large,
			  .e = e };

	return json_read_all(&j, out);
}
