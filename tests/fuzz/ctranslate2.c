/* ctranslate2: any bytes are refused, or are tensors whose values can be read. */
#include "convert/ctranslate2-file.h"
#include "weights.h"

static int
read_file(struct weights *w, const char *name, const void *p, size_t n, struct err *e)
{
	struct ct2_file f;

	return ct2_memory(w, name, p, n, &f, e);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	fuzz_weights(read_file, data, n);
	return 0;
}
