/* head-vocab: vocabularies of made-up words, for the tests of measures of heads. */
#ifndef HEAD_VOCAB_H
#define HEAD_VOCAB_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "analysis/head-roles.h"
#include "base/rng.h"
#include "model/runtime.h"

/*
 * A language of verbs v0 ... v7 and nouns n0 ... n47; noun k depends on verb k / 6.  A sentence has
 * some verbs, each once, the first of which is the root, and some of their nouns, in any order.
 */
enum { VERBS = 8, NOUNS = 48, TYPES = VERBS + NOUNS, CODE = 8, WIDTH = 64, HEADS = 4, HEAD = 16,
       SENTENCES = 60, LONGEST = 16, FREQUENT = 20 };

/* Names whose alphabetical order is the order of the types. */
static inline int
name_type(char *to, size_t n, int type)
{
	return snprintf(to, n, "%c%02d", type < VERBS ? 'v' : 'n', type);
}

static inline void
make_vocab(struct vocab *v)
{
	struct strmap types;
	int64_t count[TYPES];
	char name[16];

	types = (struct strmap){ 0 };
	for (int i = 0; i < TYPES; i++) {
		strmap_add(&types, name, (size_t)name_type(name, sizeof(name), i));
		count[i] = 1000 - i;
	}
	vocab_from_counts(v, &types, count, 1, 0);
	strmap_release(&types);
}

/* Three words with subwords a b | c | d e; a depends on c, c on d. */
static const int32_t word[] = { 0, 0, 1, 2, 2 };
static const real weights[] = {
	.1f, .1f, .3f, .2f, .3f,	/* a: words .2 .3 .5 */
	.0f, .1f, .7f, .2f, .0f,	/* b: words .1 .7 .2; mean of both .15 .5 .35 */
	.3f, .3f, .0f, .4f, .0f,	/* c: words .6 .0 .4 */
	.0f, .0f, .1f, .3f, .6f,	/* d: words .0 .1 .9 */
	.1f, .0f, .8f, .1f, .0f,	/* e: words .1 .8 .1; mean of both .05 .45 .5 */
};

#endif
