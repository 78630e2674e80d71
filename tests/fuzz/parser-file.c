/* parser-file: any bytes are an error or a parser, which finds trees for any words. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "parser/parsing.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

/* Parses known and unknown words, more than fit one part. */
static void
parse(const struct parser *p)
{
	static const char *const word[] = { "a", "b", "\xc3\x84l-3", "-LRB-", "\xff" };
	const struct parse_settings s = {
		.network = p->network, .arcs = true, .spans = true, .max_words = 3,
		.batch_words = 100, .threads = 1,
	};
	struct parse_job job = { .word = word, .n = sizeof(word) / sizeof(*word) };
	struct err e;
	struct parsing *all = parsing_new(&s, &e);

	if (!all)
		abort();
	parsing_begin(all);
	parsing_window(all, &job, 1);
	if ((network_has_arcs(p->network) && !job.head) ||
	    (network_has_spans(p->network) && !job.tree))
		abort();
	parsing_free(all);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	struct err e = { .status = EXIT_OK };
	struct parser p;
	struct bundle_in *b = parser_read_memory(&p, "fuzz", data, n, false, &e);

	if (b && !bundle_in_close(b, 0, &e))
		parse(&p);
	else if (e.status != EXIT_INPUT || !e.text[0])
		abort();
	if (b)
		parser_release(&p);
	return 0;
}
