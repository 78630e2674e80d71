/*
 * metric: the interface of the metrics BLEU, chrF and TER.
 *
 * A sentence is reduced to a few integers, its sufficient statistics.  The score of a corpus is a
 * function of their sums over sentences.  Therefore, significance tests need not read the text
 * again.
 */
#ifndef METRIC_H
#define METRIC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"

#define METRIC_MAX_WIDTH 54		/* maximum of metric.width */

/*
 * Returns the score of a corpus.  `sums` [width] are the statistics summed over sentences, and
 * `settings` is metric.how.
 */
typedef double score_function(const int64_t *sums, const void *settings);

struct metric {
	const void *how;	/* the settings, a struct bleu, struct chrf or struct ter, which
				 * must outlive the metric */
	int width;		/* number of statistics of a sentence */
	int decimals;		/* number of digits after the decimal point that the original
				 * program prints */
	bool is_bleu;		/* `how` is a struct bleu */
	bool lower_is_better;

	/*
	 * open() allocates the memory that a thread needs to count, the argument `scratch` of the
	 * functions below.  close() frees it.
	 */
	void *(*open)(const void *how);
	void (*close)(void *scratch);

	/*
	 * For each sentence, reference() is called for each of its references, in the order of `k`,
	 * from 0.  Then hypothesis() is called, once for each system; it sets `stats` [width] to
	 * the statistics of a hypothesis given these references.  Texts have `n` bytes and must be
	 * valid UTF-8.
	 */
	void (*reference)(void *scratch, size_t k, const char *s, size_t n);
	void (*hypothesis)(void *scratch, const char *s, size_t n, int32_t *stats);

	score_function *score;

	/*
	 * These append texts: the name, such as "BLEU"; the details that are printed after a score,
	 * NULL if there are none; and the settings for the signature, such as
	 * "case:mixed|eff:no|...".
	 */
	void (*name)(const void *how, struct buf *out);
	void (*details)(const void *how, const int64_t *sums, struct buf *out);
	void (*signature)(const void *how, bool brief, struct buf *out);
};

/* The parts of a signature other than the settings of the metric. */
struct signature {
	size_t n_refs;
	int64_t resamples, trials;	/* numbers of bootstrap resamples, and of trials of
					 * approximate randomization; 0: none */
	int64_t seed;			/* of both; printed only if there is one of them */
	bool brief;
	const char *version;
};

/*
 * Appends a signature in the format of sacreBLEU, such as
 * nrefs:1|bs:1000|seed:12345|case:mixed|eff:no|tok:13a|smooth:exp|version:2.6.0
 */
void metric_signature(const struct metric *m, const struct signature *s, struct buf *out);

#endif
