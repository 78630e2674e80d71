/*
 * metric: the interface that BLEU, chrF and TER share.
 *
 * A sentence is reduced to a few integers, its sufficient statistics.  The score of a corpus is a
 * function of their sums, so significance tests never read the text again.
 */
#ifndef METRIC_H
#define METRIC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"

#define METRIC_MAX_WIDTH 54		/* the maximum of `width` below */

/*
 * The score for the sums of the statistics, `sums` [width]; `settings` is the member how of the
 * metric.
 */
typedef double score_function(const int64_t *sums, const void *settings);

struct metric {
	const void *how;	/* the settings: a struct bleu, chrf or ter, which must outlive the
				 * metric */
	int width;		/* statistics per sentence */
	int decimals;		/* number of decimals that the original program prints */
	bool is_bleu;		/* `how` is a struct bleu */
	bool lower_is_better;

	/* Allocates and frees the memory that a thread needs to count. */
	void *(*open)(const void *how);
	void (*close)(void *scratch);

	/*
	 * reference() sets reference k of a sentence, in the order k = 0, 1, ...  hypothesis() then
	 * sets `stats` [width] to the statistics of a hypothesis, given all of them.  Texts must be
	 * valid UTF-8.
	 */
	void (*reference)(void *scratch, size_t k, const char *s, size_t n);
	void (*hypothesis)(void *scratch, const char *s, size_t n, int32_t *stats);

	score_function *score;

	/*
	 * These append the name, such as "BLEU"; the details that are printed after the score; and
	 * the settings in the signature, "case:mixed|eff:no|...".
	 */
	void (*name)(const void *how, struct buf *out);
	void (*details)(const void *how, const int64_t *sums, struct buf *out);
	void (*signature)(const void *how, bool brief, struct buf *out);
};

/* The parts of a signature that are not settings of the metric. */
struct signature {
	size_t n_refs;
	int64_t resamples, trials;	/* 0: no such test */
	int64_t seed;			/* printed only with a test */
	bool brief;
	const char *version;
};

/*
 * Appends a signature in sacreBLEU's format:
 * nrefs:1|bs:1000|seed:12345|case:mixed|eff:no|tok:13a|smooth:exp|version:2.6.0
 */
void metric_signature(const struct metric *m, const struct signature *s, struct buf *out);

#endif
