/*
 * part-gradients: the gradient of a batch of sentences, computed in parallel parts.
 *
 * A batch is divided into PARTS parts for any number of threads.  Each part is computed by one
 * thread with separate gradients, which are added in the order of the parts: the sum has the same
 * bits for any number of threads.
 */
#ifndef PART_GRADIENTS_H
#define PART_GRADIENTS_H

#include "model/runtime.h"
#include "parser/gold.h"

enum { PARTS = 4 };

struct part_gradients;

/* The arguments must outlive the result; the threads are those of `run`. */
struct part_gradients *part_gradients_new(const struct gold_bank *g, struct network *n,
					  struct runtime *run);
void part_gradients_free(struct part_gradients *p);
/*
 * Sets the gradients of the parameters to those of the mean loss per word over sentence[n].
 * Returns the sum of the loss and sets *words to the number of words.  Dropout masks are a function
 * of `step`.
 */
double part_gradients_sum(struct part_gradients *p, const uint32_t *sentence, int n,
			  const struct gold_noise *noise, uint32_t step, int64_t *words);

#endif
