/*
 * masked: target tokens that a model's output mask (output_mask) excludes.
 *
 * Their probability is 0, so that a target with one of them has no finite log-probability.  Every
 * program that scores given targets says how many there were.
 */
#ifndef MASKED_H
#define MASKED_H

#include <stdint.h>

#include "data/batch.h"
#include "model/model.h"

struct masked { int64_t masked, targets; };	/* target tokens, end symbols counted */

/* Vocabulary entries that are masked, special symbols aside; 0 without output_mask. */
int masked_entries(const struct model *m);
/* Adds the target tokens of a batch. */
void masked_add(struct masked *x, const struct model *m, const struct batch *b);
/* Warns if there are any: of, the input; so, what follows from it. */
void masked_warn(const struct masked *x, const char *of, const char *so);

#endif
