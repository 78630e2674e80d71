/*
 * score: scores hypotheses of several systems against references, sentence by sentence.
 *
 * All inputs are read line by line together, in batches of sentences.  The threads share the work
 * on a batch; results do not depend on the number of threads.
 */
#ifndef SCORE_H
#define SCORE_H

#include "base/err.h"
#include "base/pool.h"
#include "scores/metric.h"
#include "text/side.h"

/*
 * The references and the systems.  If there are no references, each system must be a stream, whose
 * field hyp is scored against its field tgt; the field tgt must be the same in all these streams.
 */
struct contest {
	struct side **ref, **system;	/* [n_refs] and [n_systems] the inputs; set by
					 * contest_open() */
	size_t n_refs, n_systems;
	const struct metric *metric;	/* [n_metrics] set by the caller before contest_score() */
	size_t n_metrics;
	/*
	 * Set by contest_score(): the numbers of lines for which score_spaced() is true, in the
	 * first reference and in the first system.
	 */
	size_t ref_spaced, system_spaced;
	size_t ref_unspaced;	/* number of lines of the first reference for which
				 * tokenizer_unspaced() is true */
	size_t lines;		/* number of sentences; set by contest_score() */
};

/* Whether the line, of `n` bytes, ends with " .", as most tokenized sentences do. */
bool score_spaced(const char *s, size_t n);
enum { SCORE_SPACED = 100 };	/* a text with this number of such lines or more is probably
				 * tokenized */

/*
 * Opens the files `ref` [n_refs] and `system` [n_systems], which are texts or streams; NULL as a
 * path means standard input.  All members of `c` must be zeros, except `metric` and `n_metrics`.
 * Returns -1 with EXIT_USAGE if there are no references and a system is not a stream, or as
 * side_open().  Call contest_close() also after an error.
 */
int contest_open(struct contest *c, const char *const *ref, size_t n_refs,
		 const char *const *system, size_t n_systems, struct err *e) MUST_USE;
void contest_close(struct contest *c);

/*
 * Warns if the texts are already tokenized, because BLEU tokenizes them again, and if the texts
 * have no spaces between words and the tokenizer of BLEU does not split them.  Call it after
 * contest_score().  `name` is the name of the tokenizer in tokenizer_names (text/tokenizers.h).
 */
void contest_warn_tokens(const struct contest *c, const char *name);

/* The statistics of one system by one metric. */
struct tally {
	int64_t sums[METRIC_MAX_WIDTH];	/* [width] summed over sentences */
	int32_t *stats;		/* [n, width] of each sentence, if they are stored; else NULL */
	size_t n, room;
};

/*
 * A function that is called for each sentence, in order.  `stats` are the statistics of the first
 * system by the first metric.  It returns 0, or -1 with an error to stop.
 */
typedef int score_each(const int32_t *stats, void *arg, struct err *e);

/*
 * Scores all sentences, and adds their statistics to `tally`, an array [n_metrics, n_systems] of
 * structs, which the caller has set to zeros and must release, also after an error.  If `stored` is
 * true, the statistics of each sentence are stored, too.  Unless `each` is NULL, each() is called
 * with `arg` for each sentence.  `pool` has the threads; NULL: none but the caller's.  Returns -1
 * with EXIT_INPUT if there are no sentences or streams have different references, if each() does,
 * or as sides_next() (text/side.h).
 */
int contest_score(struct contest *c, bool stored, score_each *each, void *arg, struct pool *pool,
		  struct tally *tally, struct err *e) MUST_USE;
void tally_release(struct tally *t);

#endif
