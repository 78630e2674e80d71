/* model-file: any bytes are a model file, or are refused. */
#include <stdint.h>
#include <stdlib.h>

#include "base/err.h"
#include "model-file/model-file.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	struct err e = { .status = EXIT_OK };
	struct model *m = model_load_memory("fuzz", data, n, false, NULL, NULL, &e);

	if (!m && (e.status != EXIT_INPUT || !e.text[0]))
		abort();
	model_free(m);
	return 0;
}
