/*
 * curriculum: short sentences first.
 *
 * Platanios et al. 2019, Competence-based curriculum learning for neural machine
 * translation, with length as difficulty and the square root as competence
 * (equation 8): for the first T updates, update t is made of pairs drawn, each time
 * from all of them, from the shortest c(t) of the corpus,
 *
 *	c(t) = min(1, sqrt(t (1 - c0^2) / T + c0^2))        c0 = 0.01
 *
 * What is drawn is a function of the seed and the batch's number, so that nothing
 * has to be remembered.
 */
#ifndef CURRICULUM_H
#define CURRICULUM_H

#include "data/corpus.h"

struct curriculum {
	const struct corpus *corpus;
	uint64_t seed;
	int64_t updates;		/* T; 0: there is none */
	int64_t tokens;			/* in a batch, as in struct corpus_rules */
	uint32_t *record;		/* [corpus->n_used] shortest first */
	uint32_t *batch;		/* [n] the last one drawn */
	size_t room;
};

/* After corpus_select(); the corpus must outlive it. */
void curriculum_init(struct curriculum *c, const struct corpus *corpus, uint64_t seed,
		     int64_t updates, int64_t tokens);
void curriculum_release(struct curriculum *c);

/* c(t), after t updates. */
double curriculum_competence(const struct curriculum *c, int64_t t);
/*
 * A batch after t updates, t < T; number tells it from all others.  How many records; *record is
 * valid until the next call.  At least one, even if it alone has too many symbols.
 */
size_t curriculum_batch(struct curriculum *c, int64_t t, uint32_t number, const uint32_t **record);

#endif
