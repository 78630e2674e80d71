/* curriculum: see curriculum.h. */
#include "data/curriculum.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/rng.h"

#define FIRST 0.01	/* c0 */

void
curriculum_init(struct curriculum *c, const struct corpus *corpus, uint64_t seed,
		int64_t updates, int64_t tokens)
{
	struct corpus_order sorted;

	memset(c, 0, sizeof(*c));
	c->corpus = corpus;
	c->seed = seed;
	c->updates = updates;
	c->tokens = tokens;
	if (!updates)
		return;
	corpus_order_init(&sorted);
	corpus_sorted(corpus, &sorted, tokens);
	c->record = sorted.record;
	sorted.record = NULL;
	corpus_order_release(&sorted);
}

void
curriculum_release(struct curriculum *c)
{
	free(c->record);
	free(c->batch);
	memset(c, 0, sizeof(*c));
}

double
curriculum_competence(const struct curriculum *c, int64_t t)
{
	double share = t < c->updates ? (double)t / (double)c->updates : 1;

	return fmin(1, sqrt(share * (1 - FIRST * FIRST) + FIRST * FIRST));
}

size_t
curriculum_batch(struct curriculum *c, int64_t t, uint32_t number, const uint32_t **record)
{
	double shortest = ceil(curriculum_competence(c, t) * (double)c->corpus->n_used);
	int64_t src = 0, tgt = 0;
	struct rng rng;
	size_t n = 0;

	rng_init(&rng, c->seed, rng_purpose("curriculum"), number);
	for (;;) {
		uint32_t one = c->record[rng_below(&rng, (uint32_t)shortest)];

		src += c->corpus->pair[one].src;
		tgt += c->corpus->pair[one].tgt;
		if (n && (src > c->tokens || tgt > c->tokens))
			break;
		c->batch = mem_grow(c->batch, &c->room, n + 1, sizeof(*c->batch));
		c->batch[n++] = one;
	}
	*record = c->batch;
	return n;
}
