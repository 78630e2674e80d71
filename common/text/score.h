/*
 * score: hypotheses of systems against references, sentence by sentence.
 *
 * Reads all sides in step, a batch at a time; threads share a batch, and what
 * comes out does not depend on their number.
 */
#ifndef SCORE_H
#define SCORE_H

#include "base/err.h"
#include "base/pool.h"
#include "text/metric.h"
#include "text/side.h"

/*
 * References and systems.  Without references all systems are streams: their
 * field hyp is scored against tgt, which must be the same text in all of them.
 */
struct contest {
	struct side **ref, **system;
	size_t n_refs, n_systems;
	const struct metric *metric;
	size_t n_metrics;
	size_t n_spaced;	/* out: lines of the first system that end with " ." */
};

/* One metric of one system. */
struct tally {
	int64_t sums[METRIC_MAX_WIDTH];
	int32_t *stats;		/* [n, width], if they are kept */
	size_t n, room;
};

/*
 * Called for each sentence in order with the statistics of the first metric of the first
 * system; -1 stops.
 */
typedef int score_each(const int32_t *stats, void *arg, struct err *e);

/*
 * Fills tally[n_metrics * n_systems], a metric's systems side by side, cleared
 * by the caller; keep: their stats too; each may be NULL.  No sentence at all
 * is an error.
 */
int contest_score(struct contest *c, bool keep, score_each *each, void *arg, struct pool *pool,
		  struct tally *tally, struct err *e) MUST_USE;
void tally_release(struct tally *t);

#endif
