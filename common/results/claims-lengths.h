/*
 * claims-lengths: differences in NLL of the systems of claims, by the length of the reference.
 */
#ifndef CLAIMS_LENGTHS_H
#define CLAIMS_LENGTHS_H

#include "base/buf.h"
#include "results/outcome.h"

/*
 * Appends a line for each comparison of the claims of `section`, or of all sections if it is NULL,
 * for which at least two seeds have the scores of sentences (run-scores.h).  A line has the NLL per
 * token of the variant minus that of its baseline, in sentences of 1 to 14, of 15 to 19, and of 20
 * and more target tokens, each with its 95% confidence interval by the model of the host group.
 * Adds the NLL of these classes to the facts of o->run.  Returns 0, or -1 if a file of sentences is
 * damaged.
 */
int claims_lengths(struct outcomes *o, const struct grid_section *section, struct buf *out,
		   struct err *e) MUST_USE;

#endif
