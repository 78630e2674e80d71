/*
 * token-alignment: word alignments from token attributions.
 *
 * Each target word is aligned to the source word with the largest relevance for the predictions at
 * its tokens, summed over the tokens of the source word and averaged over those of the target word
 * (data/word-sums.h).  The relevance of end-of-sentence tokens, and of tokens with which the model
 * begins every sentence, is left out.
 */
#ifndef TOKEN_ALIGNMENT_H
#define TOKEN_ALIGNMENT_H

#include "attribution/deletion-curve.h"
#include "base/arena.h"
#include "data/links.h"
#include "data/word-sums.h"
#include "stream/stream.h"

struct token_alignment {
	char *method;			/* the rule of head-lrp(1) */
	char *first[2];			/* the first token of every source and target, or NULL */
	int end;			/* end tokens of a source, 0 or 1; -1: not known yet */
	struct word_sums sums;
	struct arena mem;		/* memory that is reused for each sentence */
};

/*
 * Reads the settings of head-lrp(1) from the header of a stream.  Returns -1 with EXIT_INPUT if
 * there are none, or if the target was not the reference.
 */
int token_alignment_begin(struct token_alignment *a, struct reader *reader, struct err *e) MUST_USE;
void token_alignment_release(struct token_alignment *a);

/*
 * Aligns a record, whose words are given by `src` and `tgt` (data/links.h), and sets `set` to the
 * links.  Returns 0, 1 if the record has no relevance because head-lrp(1) left the sentence out, or
 * Returns -1 with EXIT_INPUT if relevance.src does not fit the tokens.
 */
int token_alignment_of(struct token_alignment *a, const struct record *rec,
		       const struct link_side *src, const struct link_side *tgt,
		       struct link_set *set, struct err *e) MUST_USE;

#endif
