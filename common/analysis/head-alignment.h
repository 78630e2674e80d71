/*
 * head-alignment: the alignment error rate of each head of cross-attention.
 *
 * A head aligns each target word to the source word that it attends to most (word-alignment.h).
 * data/links.h defines the alignment error rate and the translation score, which is how often
 * the head attends most to the word whose translation is being written.
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
	struct link_set gold_links, head_links;		/* of the current sentence */
	/* Of each head: [heads of all sites]; 0 for those not of cross-attention. */
	struct link_score *score;
	bool errors;				/* also measure standard errors over sentences */
	/* The same, 0 without errors. */
	struct alignment_errors { struct ratio_error aer, translation; } *error;
};

/*
 * Overwrites a, and opens the file of gold alignments, which has a line for each record and counts
 * words from `first`, 0 or 1.  Returns -1 with EXIT_USAGE without cross-attention, or as
 * link_file_open().
 */
int head_alignment_begin(struct head_alignment *a, struct site_list sites, const char *path,
			 int first, bool errors, struct err *e) MUST_USE;
void head_alignment_release(struct head_alignment *a);

/*
 * Adds a sentence with a target.  Returns -1 with EXIT_INPUT for a malformed line, a link beyond
 * the words of the sentence, or a record without a line.
 */
int head_alignment_add(struct head_alignment *a, const struct sentence_attention *s,
		       struct err *e) MUST_USE;
/*
 * After the last batch of a stream with this number of records: checks the gold alignments, if they
 * were read, as link_file_check().
 */
int head_alignment_check(struct head_alignment *a, int64_t records, struct err *e) MUST_USE;
/* Fills the columns "aer" and "translation", with errors "aer.error" and "translation.error". */
void head_alignment_fill(const struct head_alignment *a, struct head_table *t);

#endif
