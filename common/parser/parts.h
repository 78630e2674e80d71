/*
 * parts: the gradient of a batch of sentences, computed in parallel parts.
 *
 * A batch is divided into PARTS parts for any number of threads.  Each part is computed by one
 * thread with separate gradients, which are added in the order of the parts: the sum has the same
 * bits for any number of threads.
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
 * Sets the gradients of the parameters to those of the mean loss per word over sentence[n].
 * Returns the sum of the loss and sets *words to the number of words.  step addresses dropout.
 */
double parts_gradient(struct parts *p, const uint32_t *sentence, int n,
		      const struct gold_noise *noise, uint32_t step, int64_t *words);

#endif
