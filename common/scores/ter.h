/*
 * ter: translation edit rate (Snover et al. 2006) as sacreBLEU 2.6 and Tercom compute it.
 *
 *	TER = 100 edits / length
 *
 * The edits are those of ter-edits.h, for each sentence with the reference that needs the fewest.
 * The length is the mean number of words of the references.  Lower scores are better.
 */
#ifndef TER_H
#define TER_H

#include "scores/metric.h"
#include "text/tokenizers.h"

enum { TER_EDITS, TER_REF_LEN, TER_WIDTH };	/* TER_REF_LEN is the number of words of all
						 * references */

struct ter {
	struct tercom tokens;
	int n_refs;		/* number of references of each sentence */
};

/*
 * Computes the score from statistics that were summed over sentences.  If all references are empty,
 * it is 0 without edits, and otherwise 100.
 */
double ter_compute(const struct ter *t, const int64_t sums[TER_WIDTH]);

/* TER as a metric.  t must outlive it. */
struct metric ter_metric(const struct ter *t);

#endif
