/* weights.h: reads tensors of any bytes, for the targets ctranslate2, npz and safetensors. */
#ifndef FUZZ_WEIGHTS_H
#define FUZZ_WEIGHTS_H

#include <stdint.h>
#include <stdlib.h>

#include "base/mem.h"
#include "convert/weights.h"

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

/* A reader of tensors, such as npz_memory(). */
typedef int read_tensors(struct weights *w, const char *name, const void *p, size_t n,
			 struct err *e);

static void
fuzz_weights(read_tensors *read, const uint8_t *data, size_t n)
{
	struct weights w;
	struct err e;

	w = (struct weights){ 0 };
	if (!read(&w, "fuzz", data, n, &e))
		read_values(&w);
	else if (e.status != EXIT_INPUT)
		abort();
	weights_release(&w);
}

#endif
