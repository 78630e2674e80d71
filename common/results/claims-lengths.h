/*
 * claims-lengths: differences in NLL of the systems that claims compare (claims.h), by the length
 * of the reference.
 */
#ifndef CLAIMS_LENGTHS_H
#define CLAIMS_LENGTHS_H

#include "base/buf.h"
#include "results/outcome.h"

/*
 * Appends tab-separated lines, first the names of the columns.  There is a line for each comparison
 * of a claim of `section`, or of all sections if that is NULL, if at least two seeds of both
 * systems have scores of sentences (run-scores.h).  Claims with a ratio are left out.  A line has
 * the NLL per token of the system minus that of its baseline, with a 95% confidence interval by the
 * model of the host group (host-group.h), for three classes of sentences: with 1 to 14, with 15 to
 * 19, and with 20 or more target tokens.  The NLL in each class is added to the facts of o->run.
 * Returns 0, or -1 if a file of sentences is damaged.
 */
int claims_lengths(struct outcomes *o, const struct grid_section *section, struct buf *out,
		   struct err *e) MUST_USE;

#endif
