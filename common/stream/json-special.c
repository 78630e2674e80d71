/* json-special: values that JSON lacks, and tensors; see json-out.h and json-parts.h. */
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "stream/json-parts.h"
#include "stream/msgpack-in.h"
#include "stream/msgpack-out.h"

static int
digit64(char c)
{
	if (c >= 'A' && c <= 'Z')
		return c - 'A';
	if (c >= 'a' && c <= 'z')
		return c - 'a' + 26;
	if (c >= '0' && c <= '9')
		return c - '0' + 52;
	return c == '+' ? 62 : c == '/' ? 63 : -1;
}

/* Appends the decoded bytes; -1 unless s is base64 with padding and without excess bits. */
static int
base64_read(const char *s, size_t n, struct buf *out)
{
	size_t padding = 0;
	uint32_t bits = 0;

	if (n % 4)
		return -1;
	while (padding < 2 && padding < n && s[n - 1 - padding] == '=')
		padding++;
	for (size_t i = 0; i < n; i++) {
		int d = i < n - padding ? digit64(s[i]) : 0;

		if (d < 0)
			return -1;
		bits = bits << 6 | (uint32_t)d;
		if (i % 4 < 3)
			continue;
		for (size_t k = 0; k < (i + 1 == n ? 3 - padding : 3); k++)
			buf_add_char(out, (char)(bits >> (16 - 8 * k) & 0xff));
		if (i + 1 == n && padding && bits & (padding == 1 ? 0xff : 0xffff))
			return -1;
		bits = 0;
	}
	return 0;
}

static int
base64_string(struct json *j)
{
	if (json_string(j, &j->text))
		return -1;
	buf_clear(&j->cells);
	buf_add(&j->cells, "", 0);
	return base64_read(j->text.data, j->text.n, &j->cells) ? json_fail(j, "expected base64") :
	       0;
}

static int
add_msgpack(struct json *j, struct buf *out, int depth)
{
	enum mp_state state = MP_FINE;
	const uint8_t *p, *end;

	if (base64_string(j))
		return -1;
	p = (const uint8_t *)j->cells.data;
	end = j->cells.n ? p + j->cells.n : p;
	if (p == end || mp_skip(p, end, depth, &state) != end)
		return json_fail(j, "expected base64 of one msgpack value");
	buf_add(out, p, j->cells.n);
	return 0;
}

static int
special_float(struct json *j, double *v)
{
	if (json_string(j, &j->text))
		return -1;
	if (!strcmp(j->text.data, "nan"))
		*v = (double)NAN;
	else if (!strcmp(j->text.data, "inf"))
		*v = (double)INFINITY;
	else if (!strcmp(j->text.data, "-inf"))
		*v = (double)-INFINITY;
	else
		return json_fail(j, "expected nan, inf or -inf");
	return 0;
}

static int
add_by_name(struct json *j, struct buf *out, int depth)
{
	double v;

	if (!strcmp(j->text.data, "$msgpack"))
		return add_msgpack(j, out, depth);
	if (!strcmp(j->text.data, "$float")) {
		if (special_float(j, &v))
			return -1;
		mp_put_float(out, v);
		return 0;
	}
	if (!strcmp(j->text.data, "$bin")) {
		if (base64_string(j))
			return -1;
		mp_put_bin(out, j->cells.data, j->cells.n);
		return 0;
	}
	if (strcmp(j->text.data, "$f32"))
		return json_fail(j, "unknown key, expected $bin, $f32, $float or $msgpack");
	if (json_number(j, &v))
		return -1;
	if (!isfinite((float)v))
		return json_fail(j, "number too large for a 32-bit float");
	mp_put_single(out, (float)v);
	return 0;
}

int
json_special(struct json *j, struct buf *out, int depth)
{
	if (add_by_name(j, out, depth))
		return -1;
	return json_eat(j, '}') ? 0 : json_fail(j, "expected } after a key with a dollar");
}

/* --- tensors --- */

struct shape {
	int64_t d[TYPE_DIMS];
	bool known[TYPE_DIMS];
};

/* All lists of one depth must have the length of the first. */
static int
json_special_agree(struct json *j, struct shape *s, int depth, int64_t n)
{
	if (s->known[depth] && s->d[depth] != n)
		return json_fail(j, "lists of different lengths in a tensor");
	s->known[depth] = true;
	s->d[depth] = n;
	return 0;
}

/* A row of bits is a string of 0 and 1. */
static int
bit_row(struct json *j, struct shape *s, int depth)
{
	size_t n;

	if (json_string(j, &j->text))
		return -1;
	n = j->text.n;
	if (strspn(j->text.data, "01") != n)
		return json_fail(j, "expected a string of 0 and 1");
	for (size_t i = 0; i < n; i += 8) {
		unsigned byte = 0;

		for (size_t k = 0; k < 8 && i + k < n; k++)
			byte |= (unsigned)(j->text.data[i + k] - '0') << k;
		buf_add_char(&j->cells, (char)byte);
	}
	return json_special_agree(j, s, depth, (int64_t)n);
}

/* An element may be {"$float": ...}. */
static int
float_cell(struct json *j, double *v)
{
	json_skip_space(j);
	if (!json_eat(j, '{'))
		return json_number(j, v);
	if (json_string(j, &j->text) || !json_eat(j, ':') || strcmp(j->text.data, "$float") ||
	    special_float(j, v) || !json_eat(j, '}'))
		return json_fail(j, "expected a number");
	return 0;
}

static int
json_special_cell(struct json *j, enum type_base base)
{
	double v;
	float f;

	if (float_cell(j, &v))
		return -1;
	if (base == TYPE_I8) {
		if (v < -128 || v > 127 || v != floor(v))
			return json_fail(j, "expected an integer from -128 to 127");
		buf_add_char(&j->cells, (char)(int8_t)v);
		return 0;
	}
	f = (float)v;
	if (isfinite(v) && !isfinite(f))
		return json_fail(j, "number too large for a 32-bit float");
	buf_add(&j->cells, &f, 4);
	return 0;
}

static int
json_special_cells(struct json *j, const struct type *t, struct shape *s, int depth)
{
	int64_t n = 0;

	if (t->base == TYPE_BITS && depth == t->n_dim - 1)
		return bit_row(j, s, depth);
	if (!json_eat(j, '['))
		return json_fail(j, "expected a list");
	if (!json_eat(j, ']')) {
		do {
			if (depth == t->n_dim - 1 ? json_special_cell(j, t->base)
						  : json_special_cells(j, t, s, depth + 1))
				return -1;
			n++;
		} while (json_eat(j, ','));
		if (!json_eat(j, ']'))
			return json_fail(j, "expected a comma or ]");
	}
	return json_special_agree(j, s, depth, n);
}

int
json_tensor(struct json *j, const struct type *t, struct buf *out)
{
	struct shape s = { { 0 }, { false } };

	buf_clear(&j->cells);
	buf_add(&j->cells, "", 0);
	if (json_special_cells(j, t, &s, 0))
		return -1;
	mp_put_map(out, 2);
	mp_put_text(out, "s");
	mp_put_array(out, (size_t)t->n_dim);
	for (int i = 0; i < t->n_dim; i++)
		mp_put_int(out, s.d[i]);
	mp_put_text(out, "d");
	mp_put_bin(out, j->cells.data, j->cells.n);
	return 0;
}
