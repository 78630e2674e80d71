/* model-step: any members with correct checksums are refused, or are a model that can do a step. */
#define _GNU_SOURCE	/* memmem() */
#include <ctype.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "model-file/model-file.h"
#include "seal.h"
#include "step.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

/* Large sizes are valid, but slow. */
static bool
is_large(const uint8_t *p, size_t n)
{
	static const char *const keys[] = { "width=", "ff=", "max_length=" };

	for (size_t i = 0; n && i < sizeof(keys) / sizeof(*keys); i++) {
		const size_t k = strlen(keys[i]);
		const uint8_t *at = memmem(p, n, keys[i], k), *digit = at ? at + k : NULL;

		while (at && digit < p + n && isdigit(*digit))
			digit++;
		if (at && digit - at > (ptrdiff_t)k + 3)
			return true;
	}
	return false;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	struct record *rec;
	struct buf file = { 0 };
	struct model *m, *narrow;
	struct err e;

	if (is_large(data, n))
		return 0;
	seal_bundle(data, n, &file);
	m = model_load_memory("fuzz", file.data, file.n, false, NULL, NULL, &e);
	narrow = model_load_narrow_memory("fuzz", file.data, file.n, &e);
	buf_release(&file);
	if (!m != !narrow)
		abort();
	if (!m)
		return 0;
	rec = step_sentence();
	step_model(m, rec);
	step_narrow(narrow, rec);
	record_free(rec);
	model_free(narrow);
	model_free(m);
	return 0;
}
