/* vocab: any bytes are refused, or are a vocabulary that is written as it was read. */
#include <stdlib.h>
#include <string.h>

#include "text/vocab.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	struct buf out = { 0 };
	struct vocab v;
	struct err e;

	if (vocab_read(&v, (const char *)data, n, &e)) {
		if (e.status != EXIT_INPUT || v.n != VOCAB_SPECIALS)
			abort();
	} else {
		vocab_write(&v, &out);
		if (out.n != n || (n && memcmp(out.data, data, n)))
			abort();
		for (int id = 0; id < v.n; id++) {
			size_t len;
			const char *s = vocab_text(&v, id, &len);

			if (id >= VOCAB_SPECIALS && vocab_id(&v, s, len) != id)
				abort();
		}
	}
	vocab_release(&v);
	buf_release(&out);
	return 0;
}
