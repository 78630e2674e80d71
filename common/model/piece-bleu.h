/*
 * piece-bleu: BLEU of translations while a model is looked at.
 *
 * Of words as the training saw them (subwords joined, no further tokenization), with sacreBLEU's
 * default smoothing: good for comparing a model with itself, not a score to publish.
 */
#ifndef PIECE_BLEU_H
#define PIECE_BLEU_H

#include "model/search.h"
#include "stream/stream.h"
#include "text/bleu.h"

struct piece_bleu {
	struct bleu how;
	struct metric metric;
	void *scratch;
	int64_t sums[BLEU_WIDTH];	/* of the sentences so far */
	struct buf pieces, words;
};

/* The struct must stay where it is. */
void piece_bleu_open(struct piece_bleu *p);
void piece_bleu_close(struct piece_bleu *p);

/* A hypothesis against tgt.pieces of its record, or tgt where there are none. */
void piece_bleu_add(struct piece_bleu *p, const struct model *m, const struct record *reference,
		    const struct hypothesis *h);
double piece_bleu_score(const struct piece_bleu *p);		/* 0 to 100 */

/*
 * The recipe's search for this: one hypothesis, at most 1.5 tokens for each of the source and 10
 * more, as untrained and damaged models do not stop by themselves.
 */
struct search_settings piece_bleu_search(const struct recipe *r, int beam);

#endif
