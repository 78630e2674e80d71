/*
 * descriptions: any bytes are an index or are refused.  Texts have single spaces; the keys of a
 * description count its texts, `#i/n` with i from 0.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "corpora/descriptions.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

static int
look(void *arg, const char *group, const char *key, const char *s, size_t n, struct err *e)
{
	const char *number = strrchr(key, '#');
	int *next = arg, at, of;

	(void)e;
	if (!*group || !number || sscanf(number, "#%d/%d", &at, &of) != 2 || at != *next ||
	    at >= of)
		abort();
	*next = at + 1 < of ? at + 1 : 0;
	if (n && (s[0] == ' ' || s[n - 1] == ' '))
		abort();
	for (size_t i = 1; i < n; i++)
		if (s[i] == ' ' && s[i - 1] == ' ')
			abort();
	return 0;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	int64_t stanzas = 0;
	int next = 0;
	struct err e;
	struct input *in = input_memory("fuzz", data, n, INPUT_UTF8, &e);

	if (!in)
		return 0;
	if (descriptions_read(in, look, &next, &stanzas, &e) && e.status != EXIT_INPUT)
		abort();
	input_close(in);
	return 0;
}
