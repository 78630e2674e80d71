/* type: see type.h. */
#include "stream/type.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/num.h"
#include "base/utf8.h"

static const struct { const char *text; enum type_base base; } forms[] = {
	{ "str", TYPE_STR }, { "int", TYPE_INT }, { "float", TYPE_FLOAT }, { "bool", TYPE_BOOL },
	{ "[str]", TYPE_STRS }, { "[int]", TYPE_INTS },
	/* before dimensions: */
	{ "f32[", TYPE_F32 }, { "i8[", TYPE_I8 }, { "bits[", TYPE_BITS },
};

static int
parse_dim(const char *s, size_t n, struct type *t)
{
	struct err unused;
	int64_t size;

	if (t->n_dim == TYPE_DIMS || !n)
		return -1;
	t->letter[t->n_dim] = 0;
	if (n == 1 && ((*s >= 'a' && *s <= 'z') || (*s >= 'A' && *s <= 'Z')))
		t->letter[t->n_dim++] = *s;
	else if (*s >= '0' && *s <= '9' && !num_int(s, n, 0, INT32_MAX, &size, &unused))
		t->size[t->n_dim++] = size;
	else
		return -1;
	return 0;
}

static int
parse_dims(const char *s, struct type *t)
{
	size_t n;

	for (;;) {
		n = strcspn(s, ",]");
		if (!s[n] || parse_dim(s, n, t))
			return -1;
		s += n + 1;
		if (s[-1] == ']')
			return *s ? -1 : 0;
	}
}

int
type_parse(const char *text, struct type *t)
{
	memset(t, 0, sizeof(*t));
	for (size_t i = 0; i < sizeof(forms) / sizeof(*forms); i++) {
		const size_t n = strlen(forms[i].text);

		if (!strncmp(text, forms[i].text, n) &&
		    (forms[i].text[n - 1] == '[' ? !parse_dims(text + n, t) : !text[n])) {
			t->base = forms[i].base;
			return 0;
		}
	}
	memset(t, 0, sizeof(*t));
	return -1;
}

bool
type_agrees(const struct type *a, const struct type *b)
{
	if (a->base != b->base || a->n_dim != b->n_dim)
		return false;
	for (int i = 0; i < a->n_dim; i++) {
		if (!a->letter[i] != !b->letter[i] || a->size[i] != b->size[i])
			return false;
		for (int k = 0; k < i; k++)
			if ((a->letter[i] == a->letter[k]) != (b->letter[i] == b->letter[k]))
				return false;
	}
	return true;
}

int64_t
type_bytes(enum type_base base, const int64_t *d, int n_dim)
{
	const int64_t limit = (int64_t)1 << 40;
	int64_t n = base == TYPE_F32 ? 4 : 1;
	bool empty = false;

	for (int i = 0; i < n_dim; i++) {
		int64_t size =
		    base == TYPE_BITS && i == n_dim - 1 ? d[i] / 8 + (d[i] % 8 != 0) : d[i];

		if (d[i] < 0 || (size && n > limit / size))
			return -1;
		empty |= !size;
		n *= size ? size : 1;
	}
	return empty ? 0 : n;
}

static const uint8_t *
get_shape(const uint8_t *p, const uint8_t *end, int64_t *d, int *n_dim, enum mp_state *state)
{
	struct mp m;

	p = mp_get(p, end, &m, state);
	if (!p || m.kind != MP_ARRAY || m.n < 1 || m.n > TYPE_DIMS)
		return NULL;
	*n_dim = (int)m.n;
	for (int i = 0; i < *n_dim; i++) {
		p = mp_get(p, end, &m, state);
		if (!p || m.kind != MP_INT || m.huge || m.i < 0)
			return NULL;
		d[i] = m.i;
	}
	return p;
}

const uint8_t *
type_tensor(const uint8_t *p, const uint8_t *end, int64_t *d, int *n_dim, struct mp *data,
	    enum mp_state *state)
{
	bool shape = false, cell = false;
	struct mp m;

	*state = MP_FINE;
	p = mp_get(p, end, &m, state);
	if (!p || m.kind != MP_MAP || m.n != 2)
		return NULL;
	for (int i = 0; i < 2; i++) {
		p = mp_get(p, end, &m, state);
		if (!p)
			return NULL;
		if (mp_is(&m, "s") && !shape) {
			shape = true;
			p = get_shape(p, end, d, n_dim, state);
		} else if (mp_is(&m, "d") && !cell) {
			cell = true;
			p = mp_get(p, end, data, state);
			if (p && data->kind != MP_BIN)
				return NULL;
		} else {
			return NULL;
		}
		if (!p)
			return NULL;
	}
	return p;
}

/* "5,4" for messages. */
static const char *
shape_text(const int64_t *d, int n_dim, char *text, size_t room)
{
	size_t n = 0;

	text[0] = 0;
	for (int i = 0; i < n_dim; i++) {
		snprintf(text + n, room - n, i ? ",%" PRId64 : "%" PRId64, d[i]);
		n += strlen(text + n);
	}
	return text;
}

static int
check_sizes(const struct type *t, const int64_t *d, struct type_sizes *sizes, struct err *why)
{
	char text[128];

	for (int i = 0; i < t->n_dim; i++) {
		int64_t *known = &sizes->size[(unsigned char)t->letter[i] & 127];

		if (!t->letter[i] && d[i] != t->size[i])
			return err_set(why, EXIT_INPUT,
				       "has shape [%s], expected %" PRId64 " in dimension %d",
				       shape_text(d, t->n_dim, text, sizeof(text)), t->size[i],
				       i + 1);
		if (t->letter[i] && *known && *known != d[i] + 1)
			return err_set(why, EXIT_INPUT,
				       "has shape [%s], expected %" PRId64 " for %c, as in another "
				       "field", shape_text(d, t->n_dim, text, sizeof(text)),
				       *known - 1, t->letter[i]);
		if (t->letter[i])
			*known = d[i] + 1;
	}
	return 0;
}

static const uint8_t *
check_tensor(const struct type *t, const uint8_t *p, const uint8_t *end, struct type_sizes *sizes,
	     enum mp_state *state, struct err *why)
{
	int64_t d[TYPE_DIMS], bytes;
	struct mp data;
	char text[128];
	int n_dim = 0;

	p = type_tensor(p, end, d, &n_dim, &data, state);
	if (!p) {
		err_set(why, EXIT_INPUT,
			"is not a tensor, expected a map of a shape s and a bin d");
		return NULL;
	}
	bytes = type_bytes(t->base, d, n_dim);
	if (n_dim != t->n_dim)
		err_set(why, EXIT_INPUT, "has %d dimensions, expected %d", n_dim, t->n_dim);
	else if (bytes != data.n)
		err_set(why, EXIT_INPUT,
			"has shape [%s] and %" PRIu32 " bytes of data, expected %" PRId64,
			shape_text(d, n_dim, text, sizeof(text)), data.n, bytes);
	else if (!check_sizes(t, d, sizes, why))
		return p;
	return NULL;
}

static int
type_check_utf8(const struct mp *m, struct err *why)
{
	size_t wrong = utf8_check(m->data, m->n);

	return wrong == m->n ? 0
			     : err_set(why, EXIT_INPUT, "is not UTF-8 at byte %zu", wrong + 1);
}

/* Checks one element of a list. */
static const uint8_t *
check_element(enum type_base base, const uint8_t *p, const uint8_t *end, enum mp_state *state,
	      struct err *why)
{
	const uint8_t *at = p;
	struct mp m;

	p = mp_get(p, end, &m, state);
	if (!p)
		return NULL;
	if (base == TYPE_STRS && m.kind == MP_STR)
		return type_check_utf8(&m, why) ? NULL : p;
	if (base == TYPE_INTS && m.kind == MP_INT && !m.huge && m.i >= INT32_MIN &&
	    m.i <= INT32_MAX)
		return p;
	err_set(why, EXIT_INPUT,
		base == TYPE_STRS  ? "contains %s, expected strs"
		: m.kind == MP_INT ? "contains %s of more than 32 bits"
				   : "contains %s, expected integers",
		mp_name(at, end));
	return NULL;
}

static const uint8_t *
check_list(enum type_base base, const uint8_t *p, const uint8_t *end, enum mp_state *state,
	   struct err *why)
{
	const uint8_t *at = p;
	struct mp m;

	p = mp_get(p, end, &m, state);
	if (p && m.kind != MP_ARRAY) {
		err_set(why, EXIT_INPUT, "is %s, expected a list", mp_name(at, end));
		return NULL;
	}
	if (p && m.n > TYPE_LIST_MAX) {
		err_set(why, EXIT_INPUT, "has %" PRIu32 " elements, expected at most %zu", m.n,
			TYPE_LIST_MAX);
		return NULL;
	}
	for (uint32_t i = m.n; p && i; i--)
		p = check_element(base, p, end, state, why);
	return p;
}

static const uint8_t *
check_scalar(enum type_base base, const uint8_t *p, const uint8_t *end, enum mp_state *state,
	     struct err *why)
{
	static const char *const name[] = {
		[TYPE_STR] = "a str", [TYPE_INT] = "an integer",
		[TYPE_FLOAT] = "a float", [TYPE_BOOL] = "a bool"
	};
	const uint8_t *at = p;
	struct mp m;

	p = mp_get(p, end, &m, state);
	if (!p)
		return NULL;
	if (base == TYPE_STR && m.kind == MP_STR)
		return type_check_utf8(&m, why) ? NULL : p;
	if ((base == TYPE_INT && m.kind == MP_INT && !m.huge) ||
	    (base == TYPE_BOOL && m.kind == MP_BOOL) ||
	    (base == TYPE_FLOAT && (m.kind == MP_FLOAT || m.kind == MP_INT)))
		return p;
	err_set(why, EXIT_INPUT, "is %s%s, expected %s", mp_name(at, end),
		m.kind == MP_INT && m.huge ? " of more than 63 bits" : "", name[base]);
	return NULL;
}

const uint8_t *
type_check(const struct type *t, const uint8_t *p, const uint8_t *end, struct type_sizes *sizes,
	   enum mp_state *state, struct err *why)
{
	*state = MP_FINE;
	switch (t->base) {
	case TYPE_OTHER:
		return mp_skip(p, end, 1, state);
	case TYPE_STRS:
	case TYPE_INTS:
		return check_list(t->base, p, end, state, why);
	case TYPE_F32:
	case TYPE_I8:
	case TYPE_BITS:
		return check_tensor(t, p, end, sizes, state, why);
	default:
		return check_scalar(t->base, p, end, state, why);
	}
}
