/*
 * spm-entries: any bytes are refused, or are a SentencePiece model whose entries are a vocabulary.
 */
#include <stdint.h>
#include <stdlib.h>

#include "convert/ids.h"
#include "convert/vocab-side.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	const struct special_rows special = { -1, -1, 0, -1 };
	struct vocab_side side;
	struct ids v;
	struct err e;

	v = (struct ids){ 0 };
	if (ids_spm(&v, "fuzz", data, n, 100, &e)) {
		if (e.status != EXIT_INPUT)
			abort();
	} else {
		if (vocab_side_build(&side, &v, 100, &special, NULL, &e))
			bug("entries are no vocabulary: %s", e.text);
		if (side.n != 100 + VOCAB_SPECIALS - 1 || side.n != side.vocab.n)
			bug("%d rows for a vocabulary of %d", side.n, side.vocab.n);
		vocab_side_release(&side);
	}
	ids_release(&v);
	return 0;
}
