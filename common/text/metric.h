/*
 * metric: what scoring programs know of BLEU and chrF alike.
 *
 * A sentence is boiled down to a few whole numbers, its sufficient statistics;
 * the score of a corpus is a function of their sums.  So significance tests
 * never look at the text again.
 */
#ifndef METRIC_H
#define METRIC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"

#define METRIC_MAX_WIDTH 54

/* The score of sums[width]; how is the metric's own settings. */
typedef double score_function(const int64_t *sums, const void *how);

struct metric {
	const void *how;	/* struct bleu or struct chrf, alive as long as this */
	int width;		/* numbers a sentence */
	int decimals;		/* that its own program prints */
	bool is_bleu;

	/* What a thread needs to look at sentences. */
	void *(*open)(const void *how);
	void (*close)(void *scratch);

	/* References of a sentence one by one from k = 0; then its hypotheses; valid UTF-8. */
	void (*reference)(void *scratch, size_t k, const char *s, size_t n);
	void (*hypothesis)(void *scratch, const char *s, size_t n, int32_t *stats);

	score_function *score;

	/* "BLEU"; what stands behind the score; "case:mixed|eff:no|…" */
	void (*name)(const void *how, struct buf *out);
	void (*details)(const void *how, const int64_t *sums, struct buf *out);
	void (*signature)(const void *how, bool brief, struct buf *out);
};

/* What a signature says besides the metric's own settings. */
struct signature {
	size_t n_refs;
	int64_t resamples, trials, seed;	/* 0: no such test; seed is told with either */
	bool brief;
	const char *version;
};

/*
 * sacreBLEU's form:
 * nrefs:1|bs:1000|seed:12345|case:mixed|eff:no|tok:13a|smooth:exp|version:2.6.0
 */
void metric_signature(const struct metric *m, const struct signature *s, struct buf *out);

#endif
