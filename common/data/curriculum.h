/*
 * curriculum: trains on short sentences first.
 *
 * This is the curriculum of Platanios et al. 2019, Competence-based curriculum learning for neural
 * machine translation, with length as difficulty and the square root as competence (equation 8).
 * For the first T updates, the pairs of update t are drawn with replacement from the shortest
 * share c(t) of the corpus:
 *
 *	c(t) = min(1, sqrt(t (1 - c0^2) / T + c0^2))        c0 = 0.01
 *
 * The draws are a function of the seed and the number of the batch, so a checkpoint needs no state
 * for them.
 */
#ifndef CURRICULUM_H
#define CURRICULUM_H

#include "data/corpus.h"

struct curriculum {
	const struct corpus *corpus;
	uint64_t seed;
	int64_t updates;		/* T; 0: no curriculum */
	int64_t tokens;			/* in a batch, as in struct corpus_rules */
	uint32_t *record;		/* [corpus->n_used] shortest first */
	uint32_t *batch;		/* the last batch */
	size_t room;
};

/* Call it after corpus_select(); the corpus must outlive c. */
void curriculum_init(struct curriculum *c, const struct corpus *corpus, uint64_t seed,
		     int64_t updates, int64_t tokens);
void curriculum_release(struct curriculum *c);

/* c(t), after t updates. */
double curriculum_competence(const struct curriculum *c, int64_t t);

/*
 * Draws a batch after t updates, t < T.  number identifies the batch and addresses its random
 * numbers.  Returns the number of records, at least 1; a batch of 1 may have too many tokens.
 * *record is valid until the next call.
 */
size_t curriculum_batch(struct curriculum *c, int64_t t, uint32_t number, const uint32_t **record);

#endif
