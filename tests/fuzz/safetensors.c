/* safetensors: any bytes are refused, or are tensors whose values can be read. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "convert/safetensors.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

/* Reads all values. */
static void
read_values(const struct weights *w)
{
	for (size_t i = 0; i < w->n; i++) {
		const struct weight *x = &w->list[i];
		real *to = xmalloc((x->n + 1) * sizeof(*to));

		if (weights_find(w, x->name) != x)
			bug("tensor %s is not found", x->name);
		if (x->type != WEIGHT_OTHER)
			weight_get(x, 0, x->n, to);
		else if (x->bytes && x->data[x->bytes - 1] == 1)
			to[0] = 1;
		free(to);
	}
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	struct weights w;
	struct err e;

	weights_init(&w);
	if (!safetensors_memory(&w, "fuzz", data, n, &e))
		read_values(&w);
	else if (e.status != EXIT_INPUT)
		abort();
	weights_release(&w);
	return 0;
}
