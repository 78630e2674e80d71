/* links: any bytes are refused, or are links that can be written and read again. */
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/mem.h"
#include "data/links.h"

static const struct link_words words = { .source = 5, .target = 4 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

/* Appends the links of a text, each as it was read; returns what the last call did. */
static int
read_all(const char *text, struct buf *out, struct err *e)
{
	struct link link;
	int more;

	while ((more = link_next(&text, &words, &link, e)) > 0) {
		if (link.source < 0 || link.source >= words.source || link.target < 0 ||
		    link.target >= words.target)
			abort();
		buf_printf(out, " %d%c%d", link.source, link.sure ? '-' : 'p', link.target);
	}
	return more;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	char *text = xstrndup((const char *)data, n);
	struct buf once = { 0 }, twice = { 0 };
	struct err e;

	if (read_all(text, &once, &e)) {
		if (e.status != EXIT_INPUT)
			abort();
	} else if (once.n) {
		if (read_all(once.data, &twice, &e) || twice.n != once.n ||
		    memcmp(once.data, twice.data, once.n))
			abort();
	}
	buf_release(&once);
	buf_release(&twice);
	free(text);
	return 0;
}
