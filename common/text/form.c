/* form: see form.h. */
#include "text/form.h"

#include <string.h>

static const struct escape { const char *whole, *plain; } escapes[] = {
	{ "&amp;", "&" }, { "&lt;", "<" }, { "&gt;", ">" }, { "&quot;", "\"" }, { "&apos;", "'" },
	{ "&#124;", "|" }, { "&#91;", "[" }, { "&#93;", "]" },
	{ "-LRB-", "(" }, { "-RRB-", ")" }, { "-LCB-", "{" }, { "-RCB-", "}" },
	{ "-LSB-", "[" }, { "-RSB-", "]" },
	{ "@-@", "-" }, { "@/@", "/" }, { "``", "\"" }, { "''", "\"" },
	{ "\\/", "/" }, { "\\*", "*" },
	{ NULL, NULL }
};

static const struct escape *
escape_at(const char *s)
{
	for (const struct escape *e = escapes; e->whole; e++)
		if (!strncmp(s, e->whole, strlen(e->whole)))
			return e;
	return NULL;
}

const char *
form_plain(const char *word, char *room)
{
	const char *s = word + strcspn(word, "&-@`'\\");
	char *to = room;

	if (!*s || strlen(word) >= FORM_ROOM)
		return word;
	for (s = word; *s;) {
		const struct escape *e = escape_at(s);

		if (!e) {
			*to++ = *s++;
			continue;
		}
		to = stpcpy(to, e->plain);
		s += strlen(e->whole);
	}
	*to = 0;
	return room;
}
