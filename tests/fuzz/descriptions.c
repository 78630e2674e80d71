/* descriptions: any bytes are an index or are refused; texts have single spaces, keys all parts. */
#include <stdlib.h>
#include <string.h>

#include "corpora/descriptions.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

static int
look(void *arg, const char *group, const char *key, const char *s, size_t n, struct err *e)
{
	(void)arg;
	(void)e;
	if (!*group || !strchr(key, '#') || (n && memchr(s, '\0', n)))
		abort();
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
	struct err e;
	struct input *in = input_memory("fuzz", data, n, INPUT_UTF8, &e);

	if (!in)
		return 0;
	if (descriptions_read(in, look, NULL, &stanzas, &e) && e.status != EXIT_INPUT)
		abort();
	input_close(in);
	return 0;
}
