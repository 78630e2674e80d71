/*
 * head-alignment: the alignment error rate of each head of cross-attention.
 *
 * A head aligns each target word to the source word that it attends to most (word-alignment.h).
 * These links are compared with gold alignments by two scores (data/links.h): the alignment error
 * rate, and the translation score, which is how often the head attends most to the source word
 * whose translation is being generated.  A site is an attention layer; arrays [heads of all sites]
 * have the order of attention/attention-heads.h.
 */
#ifndef HEAD_ALIGNMENT_H
#define HEAD_ALIGNMENT_H

#include <stdint.h>

#include "analysis/head-table.h"
#include "analysis/word-alignment.h"
#include "data/links.h"
#include "scores/ratio-error.h"

struct head_alignment {
	struct word_alignment links;
	struct link_file gold;
	struct link_set gold_links, head_links;		/* private: of the current sentence */
	size_t *head, n;			/* [n] the heads of cross-attention, as indices
						 * among all heads */
	bool errors;				/* the argument of head_alignment_begin() */
	/* [n] counts, and standard errors of both scores; these are zeros without `errors` */
	struct alignment_score {
		struct link_score counts;
		struct ratio_error aer, translation;
	} *score;
};

/*
 * Overwrites *a, and opens the file of gold alignments at `path`, which has a line for each record
 * and counts words from `first`, 0 or 1.  With `errors`, standard errors over sentences are
 * measured, too.  The sites must outlive `a`.  Returns -1 with EXIT_USAGE if no site is of
 * cross-attention, or as link_file_open().
 */
int head_alignment_begin(struct head_alignment *a, struct site_list sites, const char *path,
			 int first, bool errors, struct err *e) MUST_USE;
void head_alignment_release(struct head_alignment *a);

/*
 * Adds a sentence, which must have a target.  Returns -1 with EXIT_INPUT if the line of gold links
 * is missing or malformed, or has a link beyond the words of the sentence.
 */
int head_alignment_add(struct head_alignment *a, const struct sentence_attention *s,
		       struct err *e) MUST_USE;
/*
 * Call it after the last batch of a stream with `records` records.  Returns -1 as
 * link_file_check(); returns 0 if `a` has not been begun.
 */
int head_alignment_check(struct head_alignment *a, int64_t records, struct err *e) MUST_USE;
/*
 * Sets the columns "aer" and "translation" of the heads of cross-attention in the table and, if
 * standard errors were measured, "aer.error" and "translation.error".
 */
void head_alignment_fill(const struct head_alignment *a, struct head_table *t);

#endif
