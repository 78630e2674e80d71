/* letters: a vocabulary of letters, for tests. */
#ifndef LETTERS_H
#define LETTERS_H

#include <stdint.h>

#include "base/strmap.h"
#include "text/vocab.h"

/* A vocabulary of the letters of s, at most 64, in order of frequency. */
static inline void
letters(struct vocab *v, const char *s)
{
	struct strmap types;
	int64_t count[64];

	types = (struct strmap){ 0 };
	for (int i = 0; s[i]; i++) {
		strmap_add(&types, s + i, 1);
		count[i] = 100 - i;
	}
	vocab_from_counts(v, &types, count, 1, 0);
	strmap_release(&types);
}

#endif
