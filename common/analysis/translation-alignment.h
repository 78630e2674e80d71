/*
 * translation-alignment: word alignments of translations, from cross-attention (word-alignment.h).
 *
 * The search keeps no attention weights.  The decoder reads each translation again, with teacher
 * forcing, which costs one forward pass.
 */
#ifndef TRANSLATION_ALIGNMENT_H
#define TRANSLATION_ALIGNMENT_H

#include "analysis/word-alignment.h"
#include "bpe/subwords.h"
#include "model/runtime.h"
#include "search/lookahead.h"

struct translation_alignment {
	struct word_alignment links;
	struct model *m;
	struct runtime *run;
	struct arena mem;		/* of a batch */
	struct record **rec;		/* [records] a batch, reused */
	size_t records;
	struct buf text;		/* the links of all sentences, each with a NUL */
	size_t *start;			/* [sentences] in text */
	size_t start_room;
};

/*
 * Lets l align the best translation of each sentence, in Pharaoh format.  Words are those of
 * src.word, or source subwords if a record lacks it, and of the translation.  A window fails with
 * EXIT_INPUT, naming the record.  l must not cut sentences.
 *
 * `heads`: as in word_alignment_begin(), whose errors it returns.  `run` is the caller's, and its
 * tape is rewound.  a must outlive l.
 */
int translation_alignment_begin(struct translation_alignment *a, struct lookahead *l,
				struct runtime *run, const char *heads, struct err *e) MUST_USE;
/* a may be all zeros. */
void translation_alignment_release(struct translation_alignment *a);

#endif
