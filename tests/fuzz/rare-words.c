/* rare-words: any bytes are counts or are refused; more frequent types have lower ranks. */
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#include "analysis/rare-words.h"

#include "fuzz.h"

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	static const char types[] = "the\na\nca@@\nt\n";
	static const int id[] = { VOCAB_SPECIALS, VOCAB_SPECIALS + 2, VOCAB_UNK,
				  VOCAB_SPECIALS + 1 };
	struct rare_words r = { .n = 0 };
	struct vocab v;
	struct err e;
	int rarest[2];

	vocab_init(&v);
	must(!vocab_read(&v, types, sizeof(types) - 1, &e));
	if (rare_words_of_counts(&r, &v, "fuzz", (const char *)data, n, &e)) {
		must(e.status == EXIT_INPUT);
	} else {
		rare_words_find(&r, 1, id, 4, rarest);
		for (int i = 0; i < 4; i++)
			must(r.rank[id[i]] <= r.rank[id[rarest[0]]] && (size_t)r.rank[id[i]] <= n);
	}
	rare_words_release(&r);
	vocab_release(&v);
	return 0;
}
