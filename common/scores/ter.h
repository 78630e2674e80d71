/*
 * ter: translation edit rate (Snover et al. 2006) as sacreBLEU 2.6 and Tercom compute it.
 *
 *	TER = 100 edits / length
 *
 * `edits` is the sum over sentences of the number of edits of ter-edits.h; of several references,
 * the one that needs the fewest edits is used.  `length` is the sum over sentences of the mean
 * number of words of the references.  Lower scores are better.
 */
#ifndef TER_H
#define TER_H

#include "scores/metric.h"
#include "text/tokenizers.h"

enum { TER_EDITS, TER_REF_LEN, TER_WIDTH };	/* indices of the statistics: the edits, and the
						 * number of words of all references */

struct ter {
	struct tercom tokens;
	int n_refs;		/* number of references of each sentence */
};

/* Returns TER as a metric.  `t` must outlive the result. */
struct metric ter_metric(const struct ter *t);

#endif
