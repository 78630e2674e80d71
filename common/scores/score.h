/*
 * score: scores hypotheses of several systems against references, sentence by sentence.
 *
 * All inputs are read in parallel, one batch at a time.  The threads share each batch; the results
 * do not depend on their number.
 */
#ifndef SCORE_H
#define SCORE_H

#include "base/err.h"
#include "base/pool.h"
#include "scores/metric.h"
#include "text/side.h"

/*
 * The references and the systems.  Without references, all systems must be streams: their field hyp
 * is scored against their field tgt, which must be the same in all of them.
 */
struct contest {
	struct side **ref, **system;	/* [n_refs], [n_systems] set by contest_open() */
	size_t n_refs, n_systems;
	const struct metric *metric;	/* [n_metrics] set by the caller before contest_score() */
	size_t n_metrics;
	/*
	 * Results: the numbers of lines that end with " ." in the first reference and in the first
	 * system.
	 */
	size_t ref_spaced, system_spaced;
	size_t ref_unspaced;	/* lines of the first reference with tokenizer_unspaced() */
	size_t lines;		/* number of sentences */
};

/* Does a line end with " .", like most tokenized sentences? */
bool score_spaced(const char *s, size_t n);
enum { SCORE_SPACED = 100 };	/* a text with at least 100 such lines is probably tokenized */

/*
 * Opens texts or streams; a path of NULL is standard input.  c must be zeros, except metric and
 * n_metrics.  Returns -1 with EXIT_USAGE if there is neither a reference nor a stream, or as
 * side_open().  Call contest_close(), which closes the sides, in any case.
 */
int contest_open(struct contest *c, const char *const *ref, size_t n_refs,
		 const char *const *system, size_t n_systems, struct err *e) MUST_USE;
void contest_close(struct contest *c);

/*
 * After contest_score(): warns of tokenized text, which BLEU tokenizes again, and of text without
 * spaces that its tokenizer does not split.  `name` is that of the tokenizer, of tokenizer_names.
 */
void contest_warn_tokens(const struct contest *c, const char *name);

/* The statistics of one system for one metric. */
struct tally {
	int64_t sums[METRIC_MAX_WIDTH];
	int32_t *stats;		/* [n, width] if they are kept, otherwise NULL */
	size_t n, room;
};

/*
 * A function that is called for each sentence, in order, with the statistics of the first system
 * for the first metric.  It returns 0, or -1 with an error to stop.
 */
typedef int score_each(const int32_t *stats, void *arg, struct err *e);

/*
 * Scores all sentences into `tally`[n_metrics, n_systems], which the caller has set to zeros and
 * releases, also after an error.  `stored`: keep the statistics of each sentence.  `each`, which
 * may be NULL, is called with `arg`; `pool` may be NULL.  Returns -1 with EXIT_INPUT if there are
 * no sentences, or if streams have different references; as sides_next(); and if each() fails.
 */
int contest_score(struct contest *c, bool stored, score_each *each, void *arg, struct pool *pool,
		  struct tally *tally, struct err *e) MUST_USE;
void tally_release(struct tally *t);

#endif
