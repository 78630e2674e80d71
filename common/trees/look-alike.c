/* look-alike: see look-alike.h. */
#include "trees/look-alike.h"

#include <stdio.h>
#include <string.h>

#include "base/utf8.h"

/* Writes a name of the first character of s to out. */
static void
name_character(const char *s, char out[16])
{
	size_t len;

	if (*s)
		snprintf(out, 16, "U+%04X", (unsigned)utf8_next(s, strlen(s), &len));
	else
		snprintf(out, 16, "no character");
}

void
hint_look_alike(const char *found, const char *expected, struct err *e)
{
	char one[16], other[16];
	size_t i = 0;

	while (found[i] && found[i] == expected[i])
		i++;
	while (i && (((unsigned char)found[i] & 0xc0) == 0x80 ||
		     ((unsigned char)expected[i] & 0xc0) == 0x80))
		i--;
	if (!((found[i] | expected[i]) & 0x80))
		return;
	name_character(found + i, one);
	name_character(expected + i, other);
	err_hint(e, "the first difference is %s instead of %s", one, other);
}
