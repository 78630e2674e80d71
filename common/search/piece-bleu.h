/*
 * piece-bleu: BLEU of translations during training and analysis.
 *
 * BLEU is computed on words as they are in the training data.  Subwords are joined into words, at
 * "@@" or, if the model has SentencePiece models, by U+2581, without further tokenization.  The
 * smoothing is the default of sacreBLEU.  A first token that all targets of the model have
 * (model/model-input.h) counts neither in hypotheses nor in references.  These scores compare
 * models that are trained on the same data; they are not comparable with published scores.
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
	int64_t sums[BLEU_WIDTH];	/* sums of the BLEU statistics of all sentences so far */
	struct buf pieces, words;
	struct subwords split;
};

/* The struct must not be moved between open and close. */
void piece_bleu_open(struct piece_bleu *p);
void piece_bleu_close(struct piece_bleu *p);

/*
 * Adds a hypothesis of model m.  Its reference is the field tgt.pieces of the record `reference`,
 * or tgt if the record has no subwords.
 */
void piece_bleu_add(struct piece_bleu *p, const struct model *m, const struct record *reference,
		    const struct hypothesis *h);
double piece_bleu_score(const struct piece_bleu *p);		/* BLEU of all sentences added so
								 * far, from 0 to 100 */

/*
 * Returns the search settings of a recipe (model/model.h) with beam size `beam` and one hypothesis
 * for each sentence.  A hypothesis has at most 1.5 tokens for each source token, plus 10, because
 * untrained and pruned models may never produce the end token.
 */
struct search_settings piece_bleu_search(const struct recipe *r, int beam);

#endif
