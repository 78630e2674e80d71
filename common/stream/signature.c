/* signature: see signature.h. */
#include "stream/signature.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"

/* A part; the key is what is before the first colon, or all of it. */
struct part { const char *s; size_t n, key; };

/* The next part of a signature, from *at on; false at its end. */
static bool
next_part(const char *signature, size_t *at, struct part *p)
{
	const size_t n = strnlen(signature, SIGNATURE_MAX);
	const char *colon, *end;

	if (*at >= n)
		return false;
	p->s = signature + *at;
	end = memchr(p->s, '|', n - *at);
	p->n = end ? (size_t)(end - p->s) : n - *at;
	colon = memchr(p->s, ':', p->n);
	p->key = colon ? (size_t)(colon - p->s) : p->n;
	*at += p->n + 1;
	return true;
}

/* Finds the part with the key of p. */
static bool
find_part(const char *signature, const struct part *p, struct part *found)
{
	size_t at = 0;

	while (next_part(signature, &at, found))
		if (found->key == p->key && !memcmp(found->s, p->s, p->key))
			return true;
	return false;
}

static bool
is_same_part(const struct part *a, const struct part *b)
{
	return a->n == b->n && !memcmp(a->s, b->s, a->n);
}

static bool
is_control(char c)
{
	return (unsigned char)c < ' ' || c == 0x7f;
}

static void
signature_add_plain(const char *s, size_t n, struct buf *out)
{
	for (size_t i = 0; i < n; i++)
		buf_add_char(out, is_control(s[i]) || s[i] == '`' ? '?' : s[i]);
}

void
signature_show(const char *signature, struct buf *out)
{
	signature_add_plain(signature, strnlen(signature, SIGNATURE_MAX), out);
}

/*
 * Appends to `out` the parts whose keys have different values in the signatures `a` and `b`, as in
 * "target:hyp and not target:ref": first the part of `b`, then that of `a`.  Returns whether there
 * are any.  Control characters and back quotes become '?'.
 */
static bool
signature_differs(const char *a, const char *b, struct buf *out)
{
	struct part p, q;
	size_t at = 0;
	bool any = false;

	while (next_part(b, &at, &p)) {
		if (!find_part(a, &p, &q) || is_same_part(&p, &q))
			continue;
		buf_add_str(out, any ? ", " : "");
		signature_add_plain(p.s, p.n, out);
		buf_add_str(out, " and not ");
		signature_add_plain(q.s, q.n, out);
		any = true;
	}
	return any;
}

void
signature_add(struct buf *signature, const char *key, const char *value)
{
	size_t n = strnlen(value, 101);

	while (n > 100 || (n && value[n] && ((unsigned char)value[n] & 0xc0) == 0x80))
		n--;
	buf_printf(signature, "|%s:", key);
	for (size_t i = 0; i < n; i++)
		buf_add_char(signature, value[i] == '|' || is_control(value[i]) ? '?' : value[i]);
}

/*
 * Appends to `out` the signature `a`, followed by the parts whose keys only `b` has.  A part whose
 * values differ gets both values, that of `a` first, as in "target:ref+hyp".
 */
static void
signature_join(const char *a, const char *b, struct buf *out)
{
	struct part p, q;

	for (size_t at = 0; next_part(a, &at, &p);) {
		buf_add_str(out, p.s == a ? "" : "|");
		buf_add(out, p.s, p.n);
		if (!find_part(b, &p, &q) || is_same_part(&p, &q) || q.key == q.n)
			continue;
		buf_add_char(out, '+');
		buf_add(out, q.s + q.key + 1, q.n - q.key - 1);
	}
	for (size_t at = 0; next_part(b, &at, &p);) {
		if (find_part(a, &p, &q))
			continue;
		buf_add_str(out, out->n ? "|" : "");
		buf_add(out, p.s, p.n);
	}
}

static void
signature_warn(const char *before, const char *given, const char *name)
{
	struct buf differs = { 0 };

	if (before && given && signature_differs(before, given, &differs))
		warn("%s: measures with %s as before; they may not be comparable", name,
		     differs.data);
	buf_release(&differs);
}

void
signature_take(char **joined, const char *given, const char *name)
{
	struct buf all = { 0 };

	if (!given)
		return;
	if (name)
		signature_warn(*joined, given, name);
	signature_join(*joined ? *joined : "", given, &all);
	free(*joined);
	*joined = xstrdup(all.data ? all.data : "");
	buf_release(&all);
}
