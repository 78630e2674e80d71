/*
 * head-alignment: the alignment error rate of each head of cross-attention.
 *
 * A head aligns each target word to the source word that it attends to most (word-alignment.h); A
 * are these links.  Gold alignments have sure links S and possible links P, which include S.  The
 * alignment error rate is 1 - (|A and S| + |A and P|) / (|A| + |S|) over all sentences (Och and Ney
 * 2003, A systematic comparison of various statistical alignment models, equation 37).
 *
 * The translation score is the fraction of target words with a gold link whose link in A is one of
 * P: how often the head attends most to the word whose translation is being written.
 */
#ifndef HEAD_ALIGNMENT_H
#define HEAD_ALIGNMENT_H

#include <stdint.h>

#include "analysis/head-table.h"
#include "analysis/word-alignment.h"
#include "base/buf.h"

struct head_alignment {
	struct word_alignment links;
	const char *name;		/* of the file of gold alignments; the caller's */
	struct buf text;
	const char **line;		/* [lines] ends with LF or NUL */
	size_t lines;
	/* The current sentence: 1 possible, 2 sure; [target words, source words]. */
	unsigned char *gold;
	size_t gold_room;
	int64_t sure;
	int64_t words;			/* target words with a gold link */
	struct alignment_counts { int64_t links, sure, possible; } *counts;	/* [heads] */
};

/*
 * Reads the gold alignments: a line for each record, in Pharaoh format: "3-4" is a sure link from
 * source word 3 to target word 4, from 0; "3p4" and "3?4" are possible links.
 */
int head_alignment_begin(struct head_alignment *a, const struct model *m, const char *path,
			 struct err *e) MUST_USE;
void head_alignment_release(struct head_alignment *a);

/*
 * Adds a batch that has just passed through the decoder.  -1 with EXIT_INPUT for a malformed line,
 * a link beyond the words of the sentence, or a record without a line.
 */
int head_alignment_add(struct head_alignment *a, struct tape *t, const struct batch *b,
		       struct err *e) MUST_USE;
/*
 * After the last batch of a stream with this number of records: -1 with EXIT_INPUT if there are
 * more lines.
 */
int head_alignment_check(const struct head_alignment *a, int64_t records, struct err *e) MUST_USE;
/* Fills the columns "aer" and "translation". */
void head_alignment_fill(const struct head_alignment *a, struct head_table *t);

#endif
