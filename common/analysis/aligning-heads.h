/*
 * aligning-heads: which heads of cross-attention align words, alone and together.
 *
 * Only heads of encoder-decoder attention (cross-attention) take part.  A head, or the mean of the
 * weights of a set of heads, aligns each target word to the source word that it attends to most
 * (data/word-sums.h).  These links are compared with gold alignments by the alignment error rate
 * (data/links.h); 0 is best.  The row of weights of a target token is that of the decoder step that
 * predicts the token (Garg et al. 2019, section 3), or that of the step that reads it (Chen et al.
 * 2020, Accurate word alignment induction from neural machine translation, section 4.1, "shift").
 *
 * A set is chosen on every other sentence and scored on the other sentences, so that the choice
 * does not make the score better than it is.  The first head of a set is the one with the lowest
 * error rate.  Then the head whose addition lowers the error rate of the set most is added, until
 * no addition lowers the rate by more than the standard error (over sentences) of the new rate.
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
 * Which decoder step has the weights of a target token: the step that predicts the token, or the
 * step that reads it.
 */
enum aligning_rows { ROWS_PREDICTS, ROWS_READS, ROWS_KINDS };
/* The sentences that a score covers: those on which sets are chosen, the others, or all. */
enum aligning_part { PART_CHOICE, PART_REST, PART_ALL };

struct aligning_heads {
	struct site_list sites;		/* attention layers of the model; the caller's */
	struct link_file gold;
	size_t *head, n;		/* [n] the retained heads of cross-attention, as indices
					 * among all (attention/attention-heads.h) */
	/*
	 * One element for each sentence so far.  `weight` [ROWS_KINDS, n, words, source_words] has
	 * the weights from target words to source words, for both kinds of rows and each head.
	 */
	struct aligned_sentence {
		int words, source_words;
		struct link_set gold;
		float *weight;
	} *sentence;
	size_t sentences, room;
	/*
	 * [n] For each head, the weights on tokens without content (sink-sums.h), in the decoder
	 * steps that predict tokens.
	 */
	struct sink_sums *sinks;
	bool content_only;		/* the argument of aligning_heads_begin() */
};

/*
 * Overwrites *a, and opens the file `gold` of gold alignments, which has a line for each record and
 * counts words from `first`, 0 or 1.  With `content_only`, only weights on source tokens with
 * content (sink-sums.h) count: in each row these are divided by their sum, and a row without such
 * weights is left out.  The sites must outlive `a`.  Returns -1 with EXIT_USAGE if there are no
 * heads of cross-attention, or as link_file_open().
 */
int aligning_heads_begin(struct aligning_heads *a, struct site_list sites, const char *gold,
			 int first, bool content_only, struct err *e) MUST_USE;
void aligning_heads_release(struct aligning_heads *a);	/* accepts a struct of zeros */

/*
 * Adds a sentence, which must have a target; `arg` is a struct aligning_heads.  Returns -1 with
 * EXIT_INPUT if the line of gold links is missing or malformed or has a link beyond the words, or
 * if the words or tokens of the record are missing or do not fit.
 */
sentence_attention_take aligning_heads_add;
/*
 * Call it after the last sentence of a stream with `records` records.  Returns -1 with EXIT_INPUT
 * if there are fewer than four sentences, or as link_file_check().
 */
int aligning_heads_check(struct aligning_heads *a, int64_t records, struct err *e) MUST_USE;

struct aligning_score { double aer, error, translation; };
/*
 * The score of the mean weights of the heads i for which `set[i]` is true; `set` has a->n elements.
 * `aer` is the alignment error rate, `error` its standard error over sentences, and `translation`
 * the translation score (data/links.h), all as fractions of 1.
 */
struct aligning_score aligning_heads_score(const struct aligning_heads *a, const bool *set,
					   enum aligning_rows rows, enum aligning_part part);
/*
 * Chooses a set of heads as described at the top, and returns the number of chosen heads.  `set`
 * and `order` have a->n elements.  Element i of `set` becomes true if head i is chosen, else false.
 * The first elements of `order` are set to the indices of the chosen heads, in the order of choice.
 */
size_t aligning_heads_choose(const struct aligning_heads *a, enum aligning_rows rows, bool *set,
			     size_t *order);

#endif
