/*
 * piece-bleu: BLEU of translations during training and analysis.
 *
 * BLEU is computed on the words of the training data: subwords are joined, at "@@" or, if the model
 * has SentencePiece models, by U+2581, and there is no further tokenization.  The smoothing is
 * sacreBLEU's default.  The first token of a model's targets (model-input.h) is neither in the
 * hypothesis nor in the reference.  Use these scores to compare models of the same data; they are
 * not for publication.
 */
#ifndef PIECE_BLEU_H
#define PIECE_BLEU_H

#include "bpe/subwords.h"
#include "scores/bleu-score.h"
#include "search/search.h"
#include "stream/stream.h"

struct piece_bleu {
	struct bleu how;
	struct metric metric;
	void *scratch;
	int64_t sums[BLEU_WIDTH];	/* the statistics of all sentences so far */
	struct buf pieces, words;
	struct subwords split;
};

/* The struct must not be moved between open and close. */
void piece_bleu_open(struct piece_bleu *p);
void piece_bleu_close(struct piece_bleu *p);

/* Adds a hypothesis; its reference is tgt.pieces of the record, or tgt if there are none. */
void piece_bleu_add(struct piece_bleu *p, const struct model *m, const struct record *reference,
		    const struct hypothesis *h);
double piece_bleu_score(const struct piece_bleu *p);		/* 0 to 100 */

/*
 * The search settings of the recipe, with this beam size and one hypothesis per sentence.  A
 * hypothesis has at most 1.5 tokens per source token and 10 more, because untrained and pruned
 * models may never produce the end token.
 */
struct search_settings piece_bleu_search(const struct recipe *r, int beam);

#endif
