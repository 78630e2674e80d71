/* conf: trees of settings, and values out of them; see conf.h.  yaml.c reads YAML. */
#include "exchange/conf.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/num.h"
#include "base/strmap.h"
#include "exchange/file.h"
#include "exchange/yaml.h"
#include "stream/cells.h"
#include "stream/json-in.h"
#include "stream/msgpack-in.h"

#define MAX_FILE ((size_t)256 << 20)
#define MAX_SHOWN 60

struct conf_value
conf_root(const struct conf *c)
{
	const uint8_t *p = (const uint8_t *)c->bytes.data;

	return (struct conf_value){ p, p ? p + c->bytes.n : NULL };
}

/* The value's head, and what follows it. */
static const uint8_t *
conf_head_of(struct conf_value v, struct mp *m)
{
	enum mp_state state;

	return v.p ? mp_get(v.p, v.end, m, &state) : NULL;
}

static bool
conf_is_kind(struct conf_value v, enum mp_kind kind)
{
	struct mp m;

	return conf_head_of(v, &m) && m.kind == kind;
}

bool
conf_is_map(struct conf_value v)
{
	return conf_is_kind(v, MP_MAP);
}

bool
conf_is_list(struct conf_value v)
{
	return conf_is_kind(v, MP_ARRAY);
}

bool
conf_is_none(struct conf_value v)
{
	return !v.p || conf_is_kind(v, MP_NIL);
}

void
conf_walk(struct conf_walk *w, struct conf_value v)
{
	struct mp m;
	const uint8_t *p = conf_head_of(v, &m);

	*w = (struct conf_walk){ p, v.end, 0, false };
	if (!p || (m.kind != MP_MAP && m.kind != MP_ARRAY))
		return;
	w->left = m.n;
	w->map = m.kind == MP_MAP;
}

bool
conf_next(struct conf_walk *w, struct str *key, struct conf_value *v)
{
	enum mp_state state;
	struct mp m;

	*key = (struct str){ "", 0 };
	if (!w->left)
		return false;
	w->left--;
	if (w->map) {
		w->p = mp_get(w->p, w->end, &m, &state);
		if (!w->p || m.kind != MP_STR)
			bug("conf_next: a key that is no text");
		*key = (struct str){ m.data, m.n };
	}
	v->p = w->p;
	w->p = mp_skip(w->p, w->end, 0, &state);
	if (!w->p)
		bug("conf_next: a value without an end");
	v->end = w->p;
	return true;
}

struct conf_value
conf_in(struct conf_value v, const char *key)
{
	struct conf_value found;
	struct conf_walk w;
	struct str k;

	if (conf_is_map(v)) {
		conf_walk(&w, v);
		while (conf_next(&w, &k, &found))
			if (str_is(k, key))
				return found;
	}
	return (struct conf_value){ NULL, NULL };
}

struct conf_value
conf_get(const struct conf *c, const char *key)
{
	return conf_in(conf_root(c), key);
}

bool
conf_has(const struct conf *c, const char *key)
{
	return !conf_is_none(conf_get(c, key));
}

bool
conf_text(struct conf_value v, struct str *s)
{
	struct mp m;

	if (!conf_head_of(v, &m) || m.kind != MP_STR)
		return false;
	*s = (struct str){ m.data, m.n };
	return true;
}

bool
conf_int(struct conf_value v, int64_t *i)
{
	struct err unused;
	struct mp m;

	if (!conf_head_of(v, &m))
		return false;
	if (m.kind == MP_STR)
		return !num_int(m.data, m.n, INT64_MIN, INT64_MAX, i, &unused);
	if (m.kind != MP_INT || m.huge)
		return false;
	*i = m.i;
	return true;
}

bool
conf_float(struct conf_value v, double *x)
{
	struct err unused;
	struct mp m;

	if (!conf_head_of(v, &m))
		return false;
	if (m.kind == MP_STR)
		return !num_float(m.data, m.n, -1e300, 1e300, x, &unused);
	if (m.kind != MP_INT && m.kind != MP_FLOAT)
		return false;
	*x = m.kind == MP_INT ? (double)m.i : m.f;
	return isfinite(*x);
}

bool
conf_bool(struct conf_value v, bool *b)
{
	struct mp m;

	if (!conf_head_of(v, &m))
		return false;
	if (m.kind == MP_BOOL) {
		*b = m.i;
		return true;
	}
	if (!mp_is(&m, "true") && !mp_is(&m, "false"))
		return false;
	*b = mp_is(&m, "true");
	return true;
}

static void
conf_show_value(struct conf_value v, size_t end, struct buf *out)
{
	const char *between = "";
	struct conf_value item;
	struct conf_walk w;
	struct str s;
	double x;
	bool b;

	if (conf_text(v, &s)) {
		buf_add(out, s.s, s.n < MAX_SHOWN ? s.n : MAX_SHOWN);
	} else if (conf_is_kind(v, MP_BOOL) && conf_bool(v, &b)) {
		buf_add_str(out, b ? "true" : "false");
	} else if (conf_float(v, &x)) {
		buf_printf(out, "%.15g", x);
	} else if (conf_is_map(v) || conf_is_list(v)) {
		buf_add_char(out, conf_is_map(v) ? '{' : '[');
		for (conf_walk(&w, v); conf_next(&w, &s, &item) && out->n < end; between = ", ") {
			buf_add_str(out, between);
			if (w.map)
				buf_printf(out, "%.*s: ", (int)(s.n < MAX_SHOWN ? s.n : MAX_SHOWN),
					   s.s);
			conf_show_value(item, end, out);
		}
		buf_add_str(out, out->n < end ? "" : " ...");
		buf_add_char(out, conf_is_map(v) ? '}' : ']');
	} else {
		buf_add_str(out, "null");
	}
}

void
conf_show(struct conf_value v, struct buf *out)
{
	conf_show_value(v, out->n + MAX_SHOWN, out);
}

int
conf_refuse(const struct conf *c, const char *key, const char *expected, struct err *e)
{
	struct buf value = { 0 };

	conf_show(conf_get(c, key), &value);
	err_set(e, EXIT_INPUT, "%s: %s is %s, expected %s", c->name, key, value.data, expected);
	buf_release(&value);
	return -1;
}

/* line: with its line end. */
static bool
has_line(const char *text, const char *line)
{
	const char *at = text;

	while ((at = strstr(at, line)) && at != text && at[-1] != '\n')
		at++;
	return at != NULL;
}

int
conf_absent(const struct conf *c, const char *key, const char *value)
{
	char *line;

	if (!c->absent)
		return 0;
	line = xasprintf("%s\t%s\n", key, value);
	if (!c->absent->n || !has_line(c->absent->data, line))
		buf_add_str(c->absent, line);
	free(line);
	return 0;
}

int
conf_want_int(const struct conf *c, const char *key, int64_t min, int64_t max, int64_t *x,
	      struct err *e)
{
	const struct conf_value v = conf_get(c, key);
	char expected[80];
	int64_t i;

	snprintf(expected, sizeof(expected), "%lld", (long long)*x);
	if (!v.p)
		return conf_absent(c, key, expected);
	if (conf_int(v, &i) && i >= min && i <= max) {
		*x = i;
		return 0;
	}
	snprintf(expected, sizeof(expected), "an integer from %lld to %lld", (long long)min,
		 (long long)max);
	return conf_refuse(c, key, expected, e);
}

int
conf_want_float(const struct conf *c, const char *key, double *x, struct err *e)
{
	const struct conf_value v = conf_get(c, key);
	char value[40];

	snprintf(value, sizeof(value), "%g", *x);
	if (!v.p)
		return conf_absent(c, key, value);
	return conf_float(v, x) ? 0 : conf_refuse(c, key, "a number", e);
}

int
conf_want_bool(const struct conf *c, const char *key, bool *x, struct err *e)
{
	const struct conf_value v = conf_get(c, key);

	if (!v.p)
		return conf_absent(c, key, *x ? "true" : "false");
	return conf_bool(v, x) ? 0 : conf_refuse(c, key, "true or false", e);
}

int
conf_want_text(const struct conf *c, const char *key, struct str *s, struct err *e)
{
	const struct conf_value v = conf_get(c, key);

	return !v.p || conf_text(v, s) ? 0 : conf_refuse(c, key, "a text", e);
}

int
conf_want_list(const struct conf *c, const char *key, struct conf_walk *w, struct err *e)
{
	const struct conf_value v = conf_get(c, key);

	conf_walk(w, v);
	return !v.p || conf_is_list(v) ? 0 : conf_refuse(c, key, "a list", e);
}

int
conf_want_choice(const struct conf *c, const char *key, const char *const *choice, int *x,
		 struct err *e)
{
	const struct conf_value v = conf_get(c, key);
	struct buf expected = { 0 };
	struct str s;

	if (!v.p)
		return *x < 0 ? 0 : conf_absent(c, key, choice[*x]);
	for (int i = 0; conf_text(v, &s) && choice[i]; i++)
		if (str_is(s, choice[i])) {
			*x = i;
			return 0;
		}
	for (int i = 0; choice[i]; i++)
		buf_printf(&expected, "%s%s", !i ? "" : choice[i + 1] ? ", " : " or ", choice[i]);
	conf_refuse(c, key, expected.data, e);
	buf_release(&expected);
	return -1;
}

/* Every map has its keys once.  Maps and lists are nested at most MP_DEPTH deep. */
static int
check_keys(struct conf_value map_or_list, struct err *e)
{
	struct strmap seen = { 0 };
	struct conf_value v;
	struct conf_walk w;
	struct str key;
	int r = 0;

	conf_walk(&w, map_or_list);
	for (size_t n = 0; !r && conf_next(&w, &key, &v); n++)
		if (w.map && (size_t)strmap_add(&seen, key.s, key.n) != n)
			r = err_set(e, EXIT_INPUT, "duplicate key %.*s",
				    key.n < MAX_SHOWN ? (int)key.n : MAX_SHOWN, key.s);
		else if (conf_is_map(v) || conf_is_list(v))
			r = check_keys(v, e);
	strmap_release(&seen);
	return r;
}

/* Reads the text of a file; the message gets the file's name. */
static int
conf_read(struct conf *c, const char *name, const char *text, size_t n, bool yaml, bool list,
	  struct err *e)
{
	int r;

	*c = (struct conf){ .name = xstrdup(name) };
	r = yaml ? yaml_read(text, n, &c->bytes, e) : json_read_plain(text, n, true, &c->bytes, e);
	if (!r && !conf_is_map(conf_root(c)) && !(list && conf_is_list(conf_root(c))))
		r = err_set(e, EXIT_INPUT, "expected a map%s", list ? " or a list" : "");
	if (!r && !check_keys(conf_root(c), e))
		return 0;
	err_wrap(e, "%s", c->name);
	conf_release(c);
	return -1;
}

int
conf_json(struct conf *c, const char *name, const char *text, size_t n, struct err *e)
{
	return conf_read(c, name, text, n, false, false, e);
}

int
conf_yaml(struct conf *c, const char *name, const char *text, size_t n, struct err *e)
{
	return conf_read(c, name, text, n, true, false, e);
}

int
conf_open(struct conf *c, const char *path, bool list, struct err *e)
{
	const bool yaml = file_ends(path, ".yml") || file_ends(path, ".yaml");
	size_t n;
	char *text = file_text(path, MAX_FILE, &n, e);
	int r;

	*c = (struct conf){ .name = NULL };
	if (!text)
		return -1;
	r = conf_read(c, path, text, n, yaml, list, e);
	free(text);
	return r;
}

int
conf_open_in(struct conf *c, const char *folder, const char *name, struct err *e)
{
	char *path = file_in(folder, name);
	int r;

	*c = (struct conf){ .name = NULL };
	r = file_expect(path, e) ? -1 : conf_open(c, path, false, e);
	free(path);
	return r;
}

void
conf_release(struct conf *c)
{
	free(c->name);
	buf_release(&c->bytes);
	*c = (struct conf){ .name = NULL };
}
