/* word-ids: see word-ids.h. */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/utf8.h"
#include "scores/word-ids.h"
#include "text/unicode.h"

/* A map grown by a very long line is freed: clearing it would slow down all other lines. */
#define MAX_SLOTS 65536

void
word_ids_init(struct word_ids *w)
{
	memset(w, 0, sizeof(*w));
	strmap_init(&w->map);
}

void
word_ids_release(struct word_ids *w)
{
	strmap_release(&w->map);
	free(w->id);
}

void
word_ids_clear(struct word_ids *w)
{
	if (w->map.slots > MAX_SLOTS) {
		strmap_release(&w->map);
		strmap_init(&w->map);
	}
	strmap_clear(&w->map);
}

/* The length of the whitespace character at s, or 0. */
static size_t
space_length(const char *s, size_t n, bool unicode)
{
	const unsigned char c = (unsigned char)*s;
	size_t len;

	if (c > ' ' && c < 0x80)
		return 0;
	if (c == ' ' || (c >= '\t' && c <= '\r'))
		return 1;
	if (!unicode)
		return 0;
	if (c >= 0x80 && c != 0xc2 && (c < 0xe1 || c > 0xe3))	/* not whitespace */
		return 0;
	return unicode_python_space(utf8_next(s, n, &len)) ? len : 0;
}

static int32_t
word_id(struct strmap *map, const char *s, size_t n, bool reference)
{
	return reference ? strmap_add(map, s, n) : strmap_find(map, s, n);
}

void
word_ids_read(struct word_ids *w, const char *s, size_t n, bool reference, bool unicode)
{
	size_t i = 0;

	w->n = 0;
	w->id = mem_grow(w->id, &w->room, n / 2 + 1, sizeof(*w->id));
	while (i < n) {
		size_t start = i, blank = 0;

		while (i < n && !(blank = space_length(s + i, n - i, unicode)))
			i++;
		if (i > start)
			w->id[w->n++] = word_id(&w->map, s + start, i - start, reference);
		i += blank;
	}
}
