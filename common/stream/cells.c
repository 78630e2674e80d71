/* cells: see cells.h. */
#include "stream/cells.h"

#include <string.h>

bool
cell_next(struct str *rest, struct str *cell)
{
	const char *tab;

	if (!rest->s)
		return false;
	tab = memchr(rest->s, '\t', rest->n);
	*cell = (struct str){ rest->s, tab ? (size_t)(tab - rest->s) : rest->n };
	*rest = tab ? (struct str){ tab + 1, rest->n - cell->n - 1 } : (struct str){ NULL, 0 };
	return true;
}

bool
word_next(struct str *rest, struct str *word)
{
	const char *stop;

	for (; rest->n && *rest->s == ' '; rest->n--)
		rest->s++;
	if (!rest->n)
		return false;
	stop = memchr(rest->s, ' ', rest->n);
	*word = (struct str){ rest->s, stop ? (size_t)(stop - rest->s) : rest->n };
	*rest = (struct str){ rest->s + word->n, rest->n - word->n };
	return true;
}

bool
str_is(struct str s, const char *text)
{
	return s.n == strlen(text) && !memcmp(s.s, text, s.n);
}

bool
str_same(struct str a, struct str b)
{
	return a.n == b.n && !memcmp(a.s, b.s, a.n);
}

bool
str_listed(struct str s, const char *words)
{
	for (const char *at = words; (at = strchr(at, ' ')) && at[1]; at++)
		if (strcspn(at + 1, " ") == s.n && !memcmp(at + 1, s.s, s.n))
			return true;
	return false;
}
