/*
 * yaml: see yaml.h.
 *
 * Blocks are read line by line: the indentation of a line says which map or list it belongs to.
 * Flow lists and maps, [a, b] and {a: b}, may go over several lines.  What is not read is refused
 * with its line, never guessed.
 */
#include "exchange/yaml.h"

#include <string.h>

#include "base/utf8.h"
#include "stream/msgpack-in.h"
#include "stream/msgpack-out.h"

enum { MAX_INDENT = 1000 };

struct yaml {
	const char *p, *end;
	size_t line;
	struct buf text;		/* of the scalar read last */
	bool plain;			/* it had no quotes */
	struct err *e;
};

static int
yaml_fail(const struct yaml *y, const char *message)
{
	return err_set(y->e, EXIT_INPUT, "line %zu: %s", y->line, message);
}

static bool
yaml_at_end(const struct yaml *y)
{
	return y->p == y->end || *y->p == '\n';
}

static void
blanks(struct yaml *y)
{
	while (y->p < y->end && (*y->p == ' ' || *y->p == '\t' || *y->p == '\r'))
		y->p++;
}

static void
yaml_next_line(struct yaml *y)
{
	while (!yaml_at_end(y))
		y->p++;
	if (y->p < y->end) {
		y->p++;
		y->line++;
	}
}

/* What follows a value on its line: nothing, or a comment after a blank. */
static int
yaml_end_line(struct yaml *y)
{
	const char *from = y->p;

	blanks(y);
	if (!yaml_at_end(y) && (*y->p != '#' || y->p == from))
		return yaml_fail(y, "expected the end of the line after a value");
	yaml_next_line(y);
	return 0;
}

static bool
is_marker(const char *p, const char *end, const char *marker)
{
	return end - p >= 3 && !memcmp(p, marker, 3) && (end - p == 3 || strchr(" \t\r\n", p[3]));
}

/*
 * Goes to the next line that has something, without the blanks before it; -1: there is none, or it
 * ends the document, else its indentation.  -2: a tab is in it, or it is too wide.
 */
static int
next_indent(struct yaml *y)
{
	for (;;) {
		const char *begin = y->p;

		while (y->p < y->end && *y->p == ' ')
			y->p++;
		if (y->p < y->end && *y->p == '\t') {
			blanks(y);
			if (!yaml_at_end(y) && *y->p != '#')
				return yaml_fail(y, "a tab in the indentation, "
						 "expected blanks") - 1;
		}
		if (y->p == y->end)
			return -1;
		if (*y->p != '#' && *y->p != '\n' && *y->p != '\r') {
			if (y->p == begin && (is_marker(begin, y->end, "---") ||
					      is_marker(begin, y->end, "...")))
				return -1;
			if (y->p - begin > MAX_INDENT)
				return yaml_fail(y, "an indentation of over 1000 blanks") - 1;
			return (int)(y->p - begin);
		}
		yaml_next_line(y);
	}
}

/* Is p a ':', '-' or '?' that is not a part of a plain scalar? */
static bool
alone(const struct yaml *y, char c)
{
	return y->p < y->end && *y->p == c &&
	       (y->p + 1 == y->end || strchr(" \t\r\n", y->p[1]));
}

static int
hex(struct yaml *y, int digits)
{
	char bytes[4];
	int32_t c = 0;

	for (int i = 0; i < digits; i++, y->p++) {
		const char d = y->p < y->end ? *y->p : 0;
		const int v = d >= '0' && d <= '9' ? d - '0' : d >= 'a' && d <= 'f' ? d - 'a' + 10 :
			      d >= 'A' && d <= 'F' ? d - 'A' + 10 : -1;

		if (v < 0 || c > 0xffffff)
			return yaml_fail(y, "expected hexadecimal digits in an escape");
		c = c * 16 + v;
	}
	if (c > 0x10ffff || (c >= 0xd800 && c <= 0xdfff))
		return yaml_fail(y, "an escape that is no character");
	buf_add(&y->text, bytes, utf8_put(c, bytes));
	return 0;
}

static int
yaml_escape(struct yaml *y)
{
	static const char from[] = "0abtnvfre \"/\\", to[] = "\0\a\b\t\n\v\f\r\033 \"/\\";
	const char c = y->p < y->end ? *y->p : 0;
	const char *at = c ? strchr(from, c) : NULL;

	y->p++;
	if (at)
		buf_add_char(&y->text, to[at - from]);
	else if (c == 'x')
		return hex(y, 2);
	else if (c == 'u')
		return hex(y, 4);
	else if (c == 'U')
		return hex(y, 8);
	else if (c == '_')
		buf_add_str(&y->text, "\302\240");
	else
		return yaml_fail(y, "an escape that is not read");
	return 0;
}

/* After the first quote. */
static int
quoted(struct yaml *y, char quote)
{
	for (;;) {
		if (yaml_at_end(y))
			return yaml_fail(y, "a quoted text that does not end on its line");
		if (*y->p == '\\' && quote == '"') {
			y->p++;
			if (yaml_escape(y))
				return -1;
		} else if (*y->p != quote) {
			buf_add_char(&y->text, *y->p++);
		} else if (quote == '\'' && y->p + 1 < y->end && y->p[1] == '\'') {
			buf_add_char(&y->text, '\'');
			y->p += 2;
		} else {
			y->p++;
			return 0;
		}
	}
}

/* May a plain scalar begin here? */
static bool
begins_plain(const struct yaml *y)
{
	if (strchr("-?:", *y->p))
		return y->p + 1 < y->end && !strchr(" \t\r\n", y->p[1]);
	return !strchr(",[]{}#&*!|>'\"%@`", *y->p);
}

/* Up to ": ", " #" or the end of the line, in a flow also up to a comma or a bracket. */
static int
plain(struct yaml *y, bool flow)
{
	const char *from = y->p, *last = y->p;

	if (yaml_at_end(y) || !begins_plain(y))
		return yaml_fail(y, "expected a text, a number or a list; anchors, tags and "
				 "blocks of text are not read");
	for (; !yaml_at_end(y); y->p++) {
		if (alone(y, ':') || (flow && strchr(",[]{}", *y->p)))
			break;
		if (*y->p == '#' && y->p > from && strchr(" \t", y->p[-1]))
			break;
		if (!strchr(" \t\r", *y->p))
			last = y->p + 1;
	}
	buf_add(&y->text, from, (size_t)(last - from));
	y->p = last;
	return 0;
}

/* A scalar into y->text. */
static int
scalar(struct yaml *y, bool flow)
{
	buf_clear(&y->text);
	buf_add(&y->text, "", 0);
	y->plain = yaml_at_end(y) || (*y->p != '"' && *y->p != '\'');
	if (y->plain)
		return plain(y, flow);
	y->p++;
	return quoted(y, y->p[-1]);
}

static void
yaml_put_text(const struct yaml *y, struct buf *out)
{
	mp_put_str(out, y->text.data, y->text.n);
}

/* A key << would merge the map that is its value into this one; with a text it is only a key. */
struct maybe_merge { bool is; size_t line, at; };

static struct maybe_merge
maybe_merge(const struct yaml *y, const struct buf *out)
{
	return (struct maybe_merge){
		y->plain && y->text.n == 2 && !memcmp(y->text.data, "<<", 2), y->line, out->n
	};
}

static int
check_merge(struct yaml *y, const struct maybe_merge *key, const struct buf *out)
{
	const uint8_t *p = (const uint8_t *)out->data;
	enum mp_state state;
	struct mp m;

	if (!key->is || (mp_get(p + key->at, p + out->n, &m, &state) && m.kind == MP_STR))
		return 0;
	y->line = key->line;
	return yaml_fail(y, "<<, a merge key, which is not read");
}

/* The items of a map or list, which were counted, with their head, unless reading them failed. */
static int
put_items(int failed, struct buf *items, size_t n, bool map, struct buf *out)
{
	if (!failed) {
		if (map)
			mp_put_map(out, n);
		else
			mp_put_array(out, n);
		buf_add(out, items->data ? items->data : "", items->n);
	}
	buf_release(items);
	return failed;
}

static void
flow_blanks(struct yaml *y)
{
	for (;;) {
		blanks(y);
		if (y->p == y->end || (*y->p != '#' && *y->p != '\n'))
			return;
		yaml_next_line(y);
	}
}

static int flow_value(struct yaml *y, struct buf *out, int depth);

static int
flow_item(struct yaml *y, bool map, struct buf *out, int depth)
{
	struct maybe_merge merge = { .is = false };

	if (map) {
		if (scalar(y, true))
			return -1;
		yaml_put_text(y, out);
		merge = maybe_merge(y, out);
		flow_blanks(y);
		if (y->p == y->end || *y->p != ':')
			return yaml_fail(y, "expected ':' after a key");
		y->p++;
		flow_blanks(y);
	}
	return flow_value(y, out, depth) ? -1 : check_merge(y, &merge, out);
}

static int
flow_items(struct yaml *y, bool map, size_t *n, struct buf *out, int depth)
{
	const char end = map ? '}' : ']';

	for (*n = 0;; ++*n) {
		flow_blanks(y);
		if (y->p == y->end)
			return yaml_fail(y, "a list or map that does not end");
		if (*y->p == end)
			break;
		if (flow_item(y, map, out, depth))
			return -1;
		flow_blanks(y);
		if (y->p < y->end && *y->p == ',')
			y->p++;
		else if (y->p == y->end || *y->p != end)
			return yaml_fail(y, "expected a comma or the end of the list or map");
	}
	y->p++;
	return 0;
}

static int
flow_value(struct yaml *y, struct buf *out, int depth)
{
	struct buf items = { 0 };
	const bool map = y->p < y->end && *y->p == '{';
	size_t n;
	int r;

	if (y->p < y->end && !map && *y->p != '[') {
		if (scalar(y, true))
			return -1;
		yaml_put_text(y, out);
		return 0;
	}
	if (y->p == y->end || depth >= MP_DEPTH)
		return yaml_fail(y, "a list or map that does not end, or nested deeper than 8");
	y->p++;
	r = flow_items(y, map, &n, &items, depth + 1);
	return put_items(r, &items, n, map, out);
}

static int yaml_block(struct yaml *y, int indent, struct buf *out, int depth);

/*
 * The value after a key or a dash with this indentation: on the rest of the line, or a block on the
 * following lines.  list_here: the block may be a list with the same indentation.
 */
static int
yaml_value(struct yaml *y, int indent, bool list_here, struct buf *out, int depth)
{
	int next;

	blanks(y);
	if (!yaml_at_end(y) && *y->p != '#') {
		if (*y->p == '[' || *y->p == '{')
			return flow_value(y, out, depth) || yaml_end_line(y) ? -1 : 0;
		if (scalar(y, false))
			return -1;
		yaml_put_text(y, out);
		return yaml_end_line(y);
	}
	yaml_next_line(y);
	next = next_indent(y);
	if (next < -1)
		return -1;
	if (next > indent || (next == indent && list_here && alone(y, '-')))
		return yaml_block(y, next, out, depth);
	mp_put_nil(out);
	y->p -= next > 0 ? next : 0;		/* the line is the caller's */
	return 0;
}

/* The key of a line of a map, and its colon. */
static int
yaml_key(struct yaml *y, int indent)
{
	const bool explicit = alone(y, '?');

	if (explicit) {
		y->p++;
		blanks(y);
	}
	if (scalar(y, false))
		return -1;
	if (explicit && (yaml_end_line(y) || next_indent(y) != indent))
		return yaml_fail(y, "expected ':' and a value at the indentation of '?'");
	blanks(y);
	if (!alone(y, ':'))
		return yaml_fail(y, "expected ': ' after a key");
	y->p++;
	return 0;
}

static int
block_items(struct yaml *y, int indent, bool map, size_t *n, struct buf *out, int depth)
{
	int next = indent;

	for (*n = 0; next == indent && alone(y, '-') == !map; ++*n) {
		struct maybe_merge merge = { .is = false };

		if (map) {
			if (yaml_key(y, indent))
				return -1;
			yaml_put_text(y, out);
			merge = maybe_merge(y, out);
		} else {
			y->p++;
		}
		if (yaml_value(y, indent, map, out, depth) || check_merge(y, &merge, out))
			return -1;
		next = next_indent(y);
		if (next < -1)
			return -1;
	}
	if (next > indent || (next == indent && map))
		return yaml_fail(y, next > indent
				 ? "a line that is indented more than the one before it"
				 : "an item of a list among the keys of a map");
	if (next > 0)
		y->p -= next;
	return 0;
}

/* The map or list whose first line is here, at this indentation. */
static int
yaml_block(struct yaml *y, int indent, struct buf *out, int depth)
{
	const bool map = !alone(y, '-');
	struct buf items = { 0 };
	size_t n;
	int r;

	if (depth >= MP_DEPTH)
		return yaml_fail(y, "nested deeper than 8");
	if (*y->p == '[' || *y->p == '{')
		return flow_value(y, out, depth) || yaml_end_line(y) ? -1 : 0;
	r = block_items(y, indent, map, &n, &items, depth + 1);
	return put_items(r, &items, n, map, out);
}

static int
document(struct yaml *y, struct buf *out)
{
	int indent = next_indent(y);

	if (indent == -1 && y->p < y->end && *y->p == '-') {
		y->p += 3;
		if (yaml_end_line(y))
			return -1;
		indent = next_indent(y);
	}
	if (indent < -1)
		return -1;
	if (indent < 0)
		return yaml_fail(y, "expected a map, found nothing");
	if (yaml_block(y, indent, out, 0))
		return -1;
	indent = next_indent(y);
	if (indent < -1)
		return -1;
	if (indent >= 0)
		return yaml_fail(y, "a line that is indented less than the first one");
	return y->p == y->end || *y->p == '.' ? 0 : yaml_fail(y, "expected one document");
}

int
yaml_read(const char *s, size_t n, struct buf *out, struct err *e)
{
	struct yaml y = { .p = s, .end = s + n, .line = 1, .e = e };
	const char *nul = memchr(s, 0, n);
	const size_t right = utf8_check(s, nul ? (size_t)(nul - s) : n);
	int r;

	for (size_t i = 0; i < right && right < n; i++)
		y.line += s[i] == '\n';
	r = right < n ? yaml_fail(&y, "invalid UTF-8, or a NUL byte") : document(&y, out);
	buf_release(&y.text);
	return r;
}
