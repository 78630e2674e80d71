/* pcfg: any bytes are an error or a grammar, which parses and is the same after write and read. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "parser/pcfg.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

static void
check_again(const struct pcfg *g)
{
	struct buf once = { 0 }, twice = { 0 };
	struct pcfg *again;
	struct err e;

	pcfg_write(g, &once);
	again = pcfg_read(once.data, once.n, &e);
	if (!again)
		abort();
	pcfg_write(again, &twice);
	if (once.n != twice.n || memcmp(once.data, twice.data, once.n))
		abort();
	pcfg_free(again);
	buf_release(&once);
	buf_release(&twice);
}

/* Parses known and unknown words. */
static void
check_parse(const struct pcfg *g)
{
	static const char *const word[] = { "the", "dog", "sees", "\xc3\x84l-3", "\xff" };
	enum { N = sizeof(word) / sizeof(*word) };
	struct arena scratch;
	struct tree t;
	bool fallback;
	int w = 0;

	arena_init(&scratch, 0);
	tree_init(&t);
	pcfg_parse(g, word, N, &scratch, &t, &fallback);
	for (int i = 0; i < t.n; i++)
		if (t.node[i].leaf && (w == N || strcmp(t.node[i].label, word[w++])))
			abort();
	if (w != N)
		abort();
	tree_release(&t);
	arena_release(&scratch);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	struct err e;
	struct pcfg *g = pcfg_read((const char *)data, n, &e);

	if (!g && e.status != EXIT_INPUT)
		abort();
	if (g) {
		check_again(g);
		check_parse(g);
	}
	pcfg_free(g);
	return 0;
}
