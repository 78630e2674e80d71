/*
 * masked: target tokens that a model's output mask (output_mask) excludes.
 *
 * Their probability is 0, so a target with such a token has no finite log-probability.  Every
 * program that scores given targets reports their number.
 */
#ifndef MASKED_H
#define MASKED_H

#include <stdint.h>

#include "data/batch.h"
#include "model/model.h"

struct masked { int64_t masked, targets; };	/* target tokens, counting end-of-sentence */

/* The number of masked vocabulary entries, except special ones; 0 without output_mask. */
int masked_entries(const struct model *m);
/* Adds the target tokens of a batch. */
void masked_add(struct masked *x, const struct model *m, const struct batch *b);
/* Warns if there are any.  input: the name of the file; effect: the consequence, as a clause. */
void masked_warn(const struct masked *x, const char *input, const char *effect);

#endif
