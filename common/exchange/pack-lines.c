/* pack-lines: see pack-lines.h. */
#include "exchange/pack-lines.h"

#include <string.h>

#include "base/utf8.h"

#define REPLACEMENT "\xef\xbf\xbd"	/* U+FFFD */

unsigned
pack_lines_flags(enum pack_lines_invalid invalid)
{
	return invalid == PACK_ERROR ? INPUT_UTF8 : 0;
}

void
pack_lines_init(struct pack_lines *l, struct input *input, enum pack_lines_invalid invalid)
{
	*l = (struct pack_lines){ .in = input, .invalid = invalid };
}

void
pack_lines_release(struct pack_lines *l)
{
	buf_release(&l->fixed);
}

/* Appends n bytes of UTF-8, with U+FFFD for each NUL byte. */
static void
replace_nul(const char *p, size_t n, struct buf *out)
{
	const char *nul;

	while ((nul = n ? memchr(p, 0, n) : NULL)) {
		buf_add(out, p, (size_t)(nul - p));
		buf_add_str(out, REPLACEMENT);
		n -= (size_t)(nul - p) + 1;
		p = nul + 1;
	}
	buf_add(out, p, n);
}

/* Replaces each byte that is NUL or not part of a well-formed sequence by U+FFFD. */
static void
replace_wrong(struct pack_lines *l)
{
	const char *p = l->line;
	size_t n = l->n, good;

	buf_clear(&l->fixed);
	while ((good = utf8_check(p, n)) < n) {
		replace_nul(p, good, &l->fixed);
		buf_add_str(&l->fixed, REPLACEMENT);
		p += good + 1;
		n -= good + 1;
	}
	replace_nul(p, n, &l->fixed);
	l->line = l->fixed.data;
	l->n = l->fixed.n;
}

int
pack_lines_next(struct pack_lines *l, struct err *e)
{
	int r = input_line(l->in, &l->line, &l->n, e);

	if (r <= 0 || l->invalid == PACK_ERROR)
		return r;
	l->wrong = utf8_text(l->line, l->n) < l->n;
	if (l->wrong && l->invalid == PACK_REPLACE) {
		replace_wrong(l);
		l->replaced++;
		l->wrong = false;
	}
	return 1;
}
