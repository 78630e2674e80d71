/*
 * bpe-codes: any bytes are BPE codes that segment words without losing text, or are refused.
 */
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "bpe/bpe.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

/* Without separators and spaces the subwords are the word. */
static void
cut(struct bpe_coder *c, const char *word)
{
	struct buf out = { 0 }, back = { 0 };

	bpe_coder_word(c, word, strlen(word), &out);
	bpe_restore(out.data, out.n, "~~", &back);
	if (back.n != strlen(word) || memcmp(back.data, word, back.n) ||
	    utf8_check(out.data, out.n) != out.n)
		abort();
	buf_release(&out);
	buf_release(&back);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	static const char vocabulary[] = "e~~ 3\nst 2\nlow 1\n";
	struct err e;
	struct bpe *b = bpe_read((const char *)data, n, BPE_NO_LIMIT, &e);
	struct bpe_coder *c;

	if (!b) {
		if (e.status != EXIT_INPUT)
			abort();
		return 0;
	}
	c = bpe_coder_new(b, "~~");
	cut(c, "lowestest");
	cut(c, "nénénéaaa");
	if (bpe_coder_vocabulary(c, vocabulary, sizeof(vocabulary) - 1, 1, &e))
		abort();
	cut(c, "lowestest");
	if (bpe_coder_vocabulary(c, (const char *)data, n, 1, &e) && e.status != EXIT_INPUT)
		abort();
	cut(c, "nénénéaaa");
	bpe_coder_free(c);
	bpe_free(b);
	return 0;
}
