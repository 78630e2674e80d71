/*
 * html-blocks: any bytes are a page or are refused; the text of blocks is UTF-8 with single
 * spaces.
 */
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "corpora/html-blocks.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

static int
look(void *arg, const struct html_block *b, struct err *e)
{
	(void)arg;
	(void)e;
	if (b->text[b->n] || utf8_check(b->text, b->n) != b->n || !*b->id || b->occurrence < 0)
		abort();
	if (strstr(b->text, "  ") || (b->n && (b->text[0] == ' ' || b->text[b->n - 1] == ' ')))
		abort();
	return 0;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	struct err e;

	if (html_blocks((const char *)data, n, "a", look, NULL, &e) && e.status != EXIT_INPUT)
		abort();
	return 0;
}
