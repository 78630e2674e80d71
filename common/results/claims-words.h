/* claims-words: verdicts and differences of claims (claims.h) as parts of sentences. */
#ifndef CLAIMS_WORDS_H
#define CLAIMS_WORDS_H

#include <stdbool.h>

#include "base/buf.h"
#include "results/claims.h"

/* Appends a number: `zero` for 0, a word for 1 to 12, and digits for larger numbers. */
void words_put_number(size_t n, const char *zero, struct buf *out);

/*
 * Appends `before`, the difference from the baseline that decides, and `after`.  The difference has
 * the form "-0.103 nats, +1.2 BLEU" or, if `interval` is true, "-0.103 nats [-0.116, -0.091], +1.2
 * BLEU".  Appends nothing for a claim with a ratio.
 */
void words_put_effect(const struct claim *c, bool interval, const char *before, const char *after,
		      struct buf *out);

/*
 * Appends the verdict on a tested claim with the difference, as the predicate of a sentence whose
 * subject is the system: "did better (-0.103 nats [-0.116, -0.091], +1.2 BLEU)".
 */
void words_put_result(const struct claim *c, struct buf *out);

/* The numbers of further seeds that would decide the open claims in an array of n claims. */
struct words_seeds {
	size_t open, feasible;	/* number of open claims; number of those that some number of seeds
				 * would decide */
	size_t least, most;	/* lowest and highest of these numbers of seeds; 0 if `feasible` is
				 * 0 */
};
struct words_seeds words_seeds_of(const struct claim *const *c, size_t n);
/* Appends "2 more seeds", "2 to 5 more seeds" or "no feasible number of seeds". */
void words_put_seeds(const struct words_seeds *w, struct buf *out);
/* Appends a sentence on what would decide the open claims; w->open must not be 0. */
void words_put_open(const struct words_seeds *w, struct buf *out);

/*
 * The largest claim_detectable() of those of n claims that were tested on test NLL with the pooled
 * variance of their host group; NAN if there are none.  Claims whose systems have variances of
 * their own are left out: with their few degrees of freedom, the detectable difference means
 * little.
 */
double words_detectable(const struct claim *const *c, size_t n);

#endif
