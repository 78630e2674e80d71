/* mo-file: compiled catalogs of gettext; see gettext.h. */
#include <inttypes.h>
#include <string.h>
#include <strings.h>

#include "base/num.h"
#include "base/utf8.h"
#include "corpora/gettext.h"

enum { MO_HEADER = 20 };	/* without the hash table, which no reader needs */

struct mo {
	const unsigned char *p;
	size_t n;
	bool big;		/* byte order */
	size_t used;		/* bytes of the strings so far */
};

/* The number at this offset, which the caller has checked. */
static uint32_t
mo_number(const struct mo *m, size_t at)
{
	const unsigned char *p = m->p + at;

	if (m->big)
		return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
	return (uint32_t)little_endian(p, 4);
}

int
gettext_check_header(const char *s, size_t n, struct err *e)
{
	static const char *const known[] = { "UTF-8", "UTF8", "US-ASCII", "ASCII", "CHARSET" };
	static const char name[] = "charset=";
	size_t at = 0, end;

	while (at < n && (n - at < sizeof(name) - 1 || strncasecmp(s + at, name, sizeof(name) - 1)))
		at++;
	if (at == n)
		return 0;
	at += sizeof(name) - 1;
	for (end = at; end < n && !strchr(" \t\r\n;", s[end]); end++)
		;
	for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++)
		if (strlen(known[i]) == end - at && !strncasecmp(known[i], s + at, end - at))
			return 0;
	err_set(e, EXIT_INPUT, "charset %.*s, expected UTF-8", (int)(end - at < 40 ? end - at : 40),
		s + at);
	err_hint(e, "msgconv -t UTF-8 of gettext converts catalogs");
	return -1;
}

/* The string of entry i of a table: its bytes and the NUL byte after it are in the file. */
static int
mo_string(struct mo *m, size_t table, uint32_t i, struct str *s, struct err *e)
{
	const size_t n = mo_number(m, table + 8 * (size_t)i);
	const size_t at = mo_number(m, table + 8 * (size_t)i + 4);

	if (at >= m->n || n >= m->n - at)
		return err_set(e, EXIT_INPUT, "a string of %zu bytes at offset %zu, expected one "
			       "in a file of %zu bytes", n, at, m->n);
	if (m->p[at + n])
		return err_set(e, EXIT_INPUT, "the string at offset %zu does not end with a NUL "
			       "byte", at);
	m->used += n + 1;
	if (m->used > m->n)
		return err_set(e, EXIT_INPUT, "strings overlap");
	*s = (struct str){ (const char *)m->p + at, n };
	if (utf8_check(s->s, n) != n)
		return err_set(e, EXIT_INPUT, "the string at offset %zu is not UTF-8", at);
	return 0;
}

/* Takes the part of s before the byte c away, which must be there. */
static struct str
mo_take_before(struct str *s, char c)
{
	const char *end = memchr(s->s, c, s->n);
	const struct str first = { s->s, (size_t)(end - s->s) };

	s->n -= first.n + 1;
	s->s = end + 1;
	return first;
}

/* The original of a message: CONTEXT \004 SINGULAR \0 PLURAL; of its translation: forms with \0. */
static int
mo_message(struct message *m, struct str original, struct str translation, struct err *e)
{
	*m = (struct message){ .forms = 0 };
	if (memchr(original.s, '\004', original.n))
		m->context = mo_take_before(&original, '\004');
	if (memchr(original.s, '\0', original.n)) {
		m->original = mo_take_before(&original, '\0');
		m->plural = original;
		if (memchr(original.s, '\0', original.n))
			return err_set(e, EXIT_INPUT, "more than two forms of the original");
	} else {
		m->original = original;
	}
	if (m->context.s && memchr(m->context.s, '\0', m->context.n))
		return err_set(e, EXIT_INPUT, "a context with a NUL byte");
	while (m->forms < MESSAGE_FORMS - 1 && memchr(translation.s, '\0', translation.n))
		m->form[m->forms++] = mo_take_before(&translation, '\0');
	m->form[m->forms++] = translation;
	if (memchr(translation.s, '\0', translation.n))
		return err_set(e, EXIT_INPUT, "more than %d plural forms", MESSAGE_FORMS);
	if (m->forms > 1 && !m->plural.s)
		return err_set(e, EXIT_INPUT, "%d forms of a message without plural", m->forms);
	return 0;
}

static int
mo_open(struct mo *m, const char *p, size_t n, struct err *e)
{
	static const unsigned char magic[2][4] = {
		{ 0xde, 0x12, 0x04, 0x95 }, { 0x95, 0x04, 0x12, 0xde }
	};

	*m = (struct mo){ (const unsigned char *)p, n, false, 0 };
	if (n < 4 || (memcmp(p, magic[0], 4) && memcmp(p, magic[1], 4)))
		return err_set(e, EXIT_INPUT, "no compiled catalog of gettext");
	if (n < MO_HEADER)
		return err_set(e, EXIT_INPUT, "truncated: %zu bytes, expected a header of %d", n,
			       MO_HEADER);
	m->big = !memcmp(p, magic[1], 4);
	if (mo_number(m, 4) >> 16 > 1)
		return err_set(e, EXIT_INPUT, "major revision %" PRIu32 ", expected 0 or 1",
			       mo_number(m, 4) >> 16);
	return 0;
}

int
mo_read(const char *p, size_t n, message_take *take, void *arg, struct err *e)
{
	struct mo m;
	uint32_t count;
	size_t table[2];

	if (mo_open(&m, p, n, e))
		return -1;
	count = mo_number(&m, 8);
	for (int k = 0; k < 2; k++) {
		table[k] = mo_number(&m, 12 + 4 * (size_t)k);
		if (table[k] > n || count > (n - table[k]) / 8)
			return err_set(e, EXIT_INPUT, "a table of %" PRIu32 " messages at offset "
				       "%zu, expected one in a file of %zu bytes", count, table[k],
				       n);
	}
	for (uint32_t i = 0; i < count; i++) {
		struct str s[2];
		struct message message;

		if (mo_string(&m, table[0], i, &s[0], e) ||
		    mo_string(&m, table[1], i, &s[1], e) || mo_message(&message, s[0], s[1], e))
			return err_wrap(e, "message %" PRIu32, i + 1);
		if (!message.original.n && !message.context.s) {
			if (gettext_check_header(s[1].s, s[1].n, e))
				return -1;
		} else if (take(arg, &message, e)) {
			return -1;
		}
	}
	return 0;
}
