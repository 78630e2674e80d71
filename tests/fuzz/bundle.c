/* bundle: any bytes are a bundle whose members can be read, or are refused. */
#include <stdint.h>
#include <stdlib.h>

#include "model-file/bundle.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

static const struct bundle_kind kind = {
	.map = "heed-test", .what = "a test", .format = 1, .i8 = true
};

/* The members of tests/corpus/bundle/small.tar. */
static int
read_members(struct bundle_in *b, struct params *p, struct err *e)
{
	const int matrix[] = { 3, 4 }, vector[] = { 5 };
	struct vocab words;
	int r = bundle_in_vocab(b, "words", &words, e);

	vocab_release(&words);
	params_add(p, "matrix", INIT_ZERO, 0, 2, matrix);
	params_add(p, "vector", INIT_ZERO, 0, 1, vector);
	return r ? r : bundle_in_params(b, p, false, e);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	struct err e = { .status = EXIT_OK };
	struct bundle_in *b = bundle_in_memory("fuzz", data, n, &kind, &e);
	struct params p;
	int r = -1;

	params_init(&p);
	if (b)
		r = bundle_in_close(b, read_members(b, &p, &e), &e);
	if (r && (e.status != EXIT_INPUT || !e.text[0]))
		abort();
	params_release(&p);
	return 0;
}
