/* spm-charsmap: see spm-charsmap.h. */
#include "bpe/spm-charsmap.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/utf8.h"

enum {
	BLOCK = 256,		/* units; the children of a unit are in one block */
	MAX_DEPTH = 128,	/* bytes of a text that is replaced */
	MAX_FOUND = 32,		/* texts of which each begins with the one before */
	MAX_REPLACEMENT = 1024	/* bytes */
};

/* For each unit the number of texts on the longest path from it, at least 1; 0: unknown. */
enum { BUSY = 255 };

struct trie {
	const unsigned char *p;
	uint32_t units;
	size_t texts;		/* bytes of the replacements */
	unsigned char *found;	/* [units] */
};

static uint32_t
spm_charsmap_unit(const struct trie *t, uint32_t i)
{
	const unsigned char *p = t->p + 4 * (size_t)i;

	return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

/*
 * Unit i leads, by byte c, to unit i ^ offset ^ c if that is labeled c.  If a text ends with i,
 * which is bit 8, unit i ^ offset has the place of the replacement.  Bit 31 of units with a place
 * is set, and nothing leads to them.
 */
static bool
unit_fits(struct trie *t, uint32_t i, int depth)
{
	const uint32_t u = spm_charsmap_unit(t, i), to = i ^ (u >> 10 << ((u & 512) >> 6));
	const bool ends = u & 256;
	int most = 0;

	if ((to | (BLOCK - 1)) >= t->units || depth > MAX_DEPTH ||
	    (ends && (spm_charsmap_unit(t, to) & INT32_MAX) >= t->texts))
		return false;
	t->found[i] = BUSY;
	for (uint32_t c = 0; c < BLOCK; c++) {
		const uint32_t child = to ^ c;

		if ((spm_charsmap_unit(t, child) & (0x80000000 | 255)) != c)
			continue;
		if (!t->found[child] && !unit_fits(t, child, depth + 1))
			return false;
		if (t->found[child] == BUSY)
			return false;
		most = t->found[child] > most ? t->found[child] : most;
	}
	most += ends;
	t->found[i] = (unsigned char)(most ? most : 1);
	return most <= MAX_FOUND;
}

static bool
replacements_fit(const char *s, size_t n)
{
	if (utf8_check(s, n) != n || s[n - 1])
		return false;
	for (size_t at = 0; at < n; at += strlen(s + at) + 1)
		if (strlen(s + at) > MAX_REPLACEMENT)
			return false;
	return true;
}

bool
spm_charsmap_fits(const unsigned char *p, size_t n)
{
	struct trie t = { .p = p + 4 };
	const struct trie size = { .p = p };
	size_t bytes;
	bool fits;

	if (!n)
		return true;
	if (n < 5)
		return false;
	bytes = spm_charsmap_unit(&size, 0);
	if (!bytes || bytes % (4 * BLOCK) || bytes >= n - 4)
		return false;
	t.units = (uint32_t)(bytes / 4);
	t.texts = n - 4 - bytes;
	t.found = xcalloc(t.units, 1);
	fits = unit_fits(&t, 0, 0) && replacements_fit((const char *)t.p + bytes, t.texts);
	free(t.found);
	return fits;
}
