/* fuzz: what fuzz targets share. */
#ifndef FUZZ_H
#define FUZZ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

/* A property that every input must have. */
static inline void
must(bool yes)
{
	if (!yes)
		abort();
}

#endif
