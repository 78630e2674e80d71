/*
 * parts: the gradient of a batch of sentences, a few parts of it side by side.
 *
 * A batch is dealt out into so many parts whatever the number of threads; each is computed by one
 * thread, with gradients of its own, which are added in the parts' order: the same bits for any
 * number of threads.
 */
#ifndef PARTS_H
#define PARTS_H

#include "model/runtime.h"
#include "parser/gold.h"

enum { PARTS = 4 };

struct parts;

struct parts *parts_new(const struct gold_bank *g, struct network *n, struct runtime *run);
void parts_free(struct parts *p);
/*
 * The parameters' gradients become those of the mean loss a word of so many sentences, whose sum is
 * returned; *words is how many words they have.  step addresses dropout.
 */
double parts_gradient(struct parts *p, const uint32_t *sentence, int n,
		      const struct gold_noise *noise, uint32_t step, int64_t *words);

#endif
