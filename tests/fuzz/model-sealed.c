/* model-sealed: any members with correct checksums are a model, or are refused. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "model-file/model-file.h"
#include "seal.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

/* The additional members of a checkpoint. */
static int
take(void *arg, const char *name, const void *data, size_t n, struct err *e)
{
	size_t *sum = arg;

	(void)e;
	*sum += strlen(name);
	for (size_t i = 0; i < n; i++)
		*sum += ((const unsigned char *)data)[i];
	return 0;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	struct buf file = { 0 };
	struct err e = { .status = EXIT_OK };
	struct model *m;
	size_t sum = 0;

	seal_bundle(data, n, &file);
	m = model_load_memory("fuzz", file.data, file.n, n % 2, take, &sum, &e);
	if (!m && (e.status != EXIT_INPUT || !e.text[0]))
		bug("status %d: %s", e.status, e.text);
	model_free(m);
	buf_release(&file);
	return 0;
}
