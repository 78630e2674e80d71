/*
 * aligning-heads: which heads of cross-attention align words, alone and together.
 *
 * A head, or the mean of a set of heads, aligns each target word to the source word that it
 * attends to most (data/word-sums.h), and is scored by the alignment error rate (data/links.h).
 * The weights of a target token are those of the decoder step that predicts it (Garg et al. 2019,
 * section 3), or of the step that reads it (Chen et al. 2020, Accurate word alignment induction
 * from neural machine translation, section 4.1, "shift").
 *
 * A set is chosen on every other sentence and scored on the rest, so that its choice does not make
 * it look better than it is: the head with the lowest error first, then the one whose addition
 * lowers the error most, until that is less than the standard error over sentences.
 */
#ifndef ALIGNING_HEADS_H
#define ALIGNING_HEADS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analysis/sentence-attention.h"
#include "analysis/sink-sums.h"
#include "data/links.h"

/*
 * The decoder step whose weights are those of a target token: the one that predicts it, or the one
 * that reads it.
 */
enum aligning_rows { ROWS_PREDICTS, ROWS_READS, ROWS_KINDS };
/* The sentences of which a score is: those on which the set is chosen, the others, or all. */
enum aligning_part { PART_CHOICE, PART_REST, PART_ALL };

/* Head `number` of the retained heads of a site, both from 0. */
struct aligning_head { size_t site; int number; };

struct aligning_heads {
	struct site_list sites;		/* the caller's */
	struct link_file gold;
	struct aligning_head *head;	/* [n] the heads of cross-attention */
	size_t n;
	/* The weights from target to source words: [ROWS_KINDS, n, words, source_words]. */
	struct aligned_sentence {
		int words, source_words;
		struct link_set gold;
		float *weight;
	} *sentence;
	size_t sentences, room;
	/*
	 * [n] The weights on sinks (sink-sums.h), in the decoder steps that predict tokens.  The
	 * end token and a tag that the model adds are special tokens.
	 */
	struct sink_sums *sinks;
	bool content_only;		/* as in aligning_heads_begin() */
};

/*
 * Opens the file `gold` of gold alignments, which has a line for each record and counts words from
 * `first`, 0 or 1.  With `content_only`, only the weights on tokens with content (sink-sums.h)
 * align words; in each row they are divided by their sum, and a row without such weights is left
 * out.  The sites must outlive a.  Returns -1 with EXIT_USAGE for sites without cross-attention, or
 * as link_file_open().
 */
int aligning_heads_begin(struct aligning_heads *a, struct site_list sites, const char *gold,
			 int first, bool content_only, struct err *e) MUST_USE;
void aligning_heads_release(struct aligning_heads *a);	/* accepts a struct of zeros */

/*
 * Adds a sentence with a target to a struct aligning_heads.  Returns -1 with EXIT_INPUT for a
 * malformed line, a link beyond the words, or a record without a line.
 */
sentence_attention_take aligning_heads_add;
/*
 * Call it after the last batch of a stream with this number of records.  Returns -1 as
 * link_file_check(), or with EXIT_INPUT if there are fewer than four sentences.
 */
int aligning_heads_check(struct aligning_heads *a, int64_t records, struct err *e) MUST_USE;

struct aligning_score { double aer, error, translation; };
/*
 * The score of the mean of the weights of the heads for which `set` is true; `set` has n elements.
 * `aer` is the alignment error rate, `error` its standard error, and `translation` the translation
 * score (data/links.h).
 */
struct aligning_score aligning_heads_score(const struct aligning_heads *a, const bool *set,
					   enum aligning_rows rows, enum aligning_part part);
/*
 * Chooses a set of heads.  `set` and `order` have n elements.  `set` is overwritten, and is true
 * for the chosen heads; `order` begins with their indices in the order in which they were chosen.
 * Returns their number.
 */
size_t aligning_heads_choose(const struct aligning_heads *a, enum aligning_rows rows, bool *set,
			     size_t *order);

#endif
