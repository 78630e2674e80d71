/* tmx: any bytes are a translation memory or are refused; segments are lines of UTF-8. */
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "exchange/tmx.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

static int
look(void *arg, const struct tmx_unit *unit, struct err *e)
{
	(void)arg;
	(void)e;
	for (int i = 0; i < 2; i++) {
		const char *s = unit->text[i].s;
		const size_t n = unit->text[i].n;

		if (utf8_text(s, n) != n || memchr(s, '\n', n) || memchr(s, '\t', n))
			abort();
		if (n && (s[0] == ' ' || s[n - 1] == ' '))
			abort();
	}
	return 0;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	static const char *const lang[] = { "en", "de" };
	struct err e = { .status = EXIT_OK };
	struct input *in = input_memory("fuzz", data, n, 0, &e);
	struct tmx_counts counts = { .units = 0 };

	if (in && tmx_read(in, lang, 2, look, NULL, &counts, &e) && e.status != EXIT_INPUT)
		abort();
	if (counts.taken > counts.units)
		abort();
	input_close(in);
	return 0;
}
