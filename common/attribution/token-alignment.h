/*
 * token-alignment: word alignments from token attributions of head-lrp(1) (lrp.h).
 *
 * Each target word is aligned to the source word with the largest relevance.  The relevance of a
 * source word for a target word is summed over the tokens of the source word, and averaged over the
 * predictions of the tokens of the target word (data/word-sums.h).  The relevance of
 * end-of-sentence tokens is left out, and so is that of a first token that the model adds to every
 * sentence.
 */
#ifndef TOKEN_ALIGNMENT_H
#define TOKEN_ALIGNMENT_H

#include "attribution/deletion-curve.h"
#include "base/arena.h"
#include "data/links.h"
#include "data/word-sums.h"
#include "stream/stream.h"

struct token_alignment {
	char *method;			/* the name of the rule with which head-lrp(1) ran */
	char *first[2];			/* the first token that the model adds to every source, and
					 * to every target; or NULL */
	int end;			/* number of end tokens of a source, 0 or 1; -1: not known
					 * yet */
	struct word_sums sums;
	struct arena mem;		/* memory for the current sentence */
};

/*
 * Overwrites *a with the settings of head-lrp(1) in the header of a stream.  Returns -1 with
 * EXIT_INPUT if there are none, or if the attributions explain anything but references, or are
 * contrastive (token_relevance_check()).
 */
int token_alignment_begin(struct token_alignment *a, struct reader *reader, struct err *e) MUST_USE;
void token_alignment_release(struct token_alignment *a);

/*
 * Aligns the words of a record and replaces the contents of `set` by the links.  `src` and `tgt`
 * have the words of the tokens (data/links.h).  Returns 0, or 1 as token_relevance_read() if the
 * record has no relevance; then, `set` is empty.  Returns -1 with EXIT_INPUT if the field
 * relevance.src does not fit the tokens.
 */
int token_alignment_of(struct token_alignment *a, const struct record *rec,
		       const struct link_side *src, const struct link_side *tgt,
		       struct link_set *set, struct err *e) MUST_USE;

#endif
