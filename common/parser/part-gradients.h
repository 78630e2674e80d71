/*
 * part-gradients: the gradient of the loss of a parser on a batch of sentences, computed in
 * parallel parts.
 *
 * A batch is always divided into PARTS parts.  Each part is computed by one thread with gradients
 * of its own, and these are added in the order of the parts.  The sum therefore has the same bits
 * for any number of threads.
 */
#ifndef PART_GRADIENTS_H
#define PART_GRADIENTS_H

#include "model/runtime.h"
#include "parser/gold.h"

enum { PARTS = 4 };

struct part_gradients;

/* g, n and `run` must outlive the result.  The threads are those of `run`. */
struct part_gradients *part_gradients_new(const struct gold_bank *g, struct network *n,
					  struct runtime *run);
void part_gradients_free(struct part_gradients *p);
/*
 * Sets the gradients of the parameters to those of the mean loss per word over n sentences, whose
 * indices in the treebank are `sentence`.  Returns the sum of the losses, and sets *words to the
 * number of words.  Dropout masks are a function of `noise` (gold.h) and `step`.
 */
double part_gradients_sum(struct part_gradients *p, const uint32_t *sentence, int n,
			  const struct gold_noise *noise, uint32_t step, int64_t *words);

#endif
