/* claims-words: verdicts and differences of claims as parts of sentences. */
#ifndef CLAIMS_WORDS_H
#define CLAIMS_WORDS_H

#include <stdbool.h>

#include "base/buf.h"
#include "results/claims.h"

/* Appends a number as a word up to twelve, and with digits above; for 0, appends `zero`. */
void words_put_number(size_t n, const char *zero, struct buf *out);

/*
 * Appends the difference of the comparison that decides, after the text `before` and followed by
 * `after`: "-0.103 nats, +1.2 BLEU" or, with `interval`, "-0.103 nats [-0.116, -0.091], +1.2 BLEU".
 * Appends nothing for a ratio.
 */
void words_put_effect(const struct claim *c, bool interval, const char *before, const char *after,
		      struct buf *out);

/*
 * Appends the verdict on a tested claim, with the effect, as the predicate of a sentence on its
 * row: "did better (-0.103 nats [-0.116, -0.091], +1.2 BLEU)".
 */
void words_put_result(const struct claim *c, struct buf *out);

/* The number of further seeds that would decide the open claims among some claims. */
struct words_seeds {
	size_t open, feasible;	/* open claims; those that some number of seeds would decide */
	size_t least, most;	/* minimum and maximum of these seeds; 0 if there are none */
};
struct words_seeds words_seeds_of(const struct claim *const *c, size_t n);
/* Appends "2 more seeds" or "2 to 5 more seeds"; w->most must not be 0. */
void words_put_seeds(const struct words_seeds *w, struct buf *out);
/* Appends a sentence on the open claims; w->open must not be 0. */
void words_put_open(const struct words_seeds *w, struct buf *out);

/*
 * The largest detectable difference in NLL of tested claims whose host group has one variance; NAN
 * if there is none.  Claims whose systems have variances of their own are left out: with few
 * degrees of freedom, this difference means little.
 */
double words_detectable(const struct claim *const *c, size_t n);

#endif
